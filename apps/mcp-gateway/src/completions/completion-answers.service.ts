import { Inject, Injectable } from '@nestjs/common';
import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import { CompletionRepository, type CompletableIdentifier } from '@outcomes/read-model';
import type { Caller } from '../access';
import { TenantChoice } from '../access/tenant-choice.service';
import { PROMPTS } from '../prompts';
import { visibleText } from '../untrusted-text';

/** Most values that the protocol allows in one answer. */
const MOST = 100;

const IDENTIFIERS: Readonly<Record<string, CompletableIdentifier>> = {
  campaign_id: 'campaign',
  contact_id: 'contact',
};

/** Completes the arguments of prompts from the caller's own identifiers. Anything else has no completions. */
@Injectable()
export class CompletionAnswers {
  constructor(
    @Inject(CompletionRepository) private readonly identifiers: CompletionRepository,
    private readonly tenants: TenantChoice,
  ) {}

  async complete(
    { ref, argument, context }: CompleteRequest['params'],
    caller: Caller,
  ): Promise<CompleteResult> {
    const prompt = PROMPTS.find(({ name }) => ref.type === 'ref/prompt' && ref.name === name);
    const taken = prompt?.arguments.some(({ name }) => name === argument.name);
    const identifier = IDENTIFIERS[argument.name];
    const { principal } = await this.tenants.choose(caller, context?.arguments?.tenant_id);
    if (!taken || identifier === undefined || !principal) return answerOf([]);
    const found = await this.identifiers.find(principal.scope, identifier, argument.value, MOST + 1);
    // One that holds hidden characters could be read but not sent back, so it is no completion.
    return answerOf(found.filter((value) => value === visibleText(value)));
  }
}

function answerOf(found: readonly string[]): CompleteResult {
  return { completion: { values: found.slice(0, MOST), hasMore: found.length > MOST } };
}
