import { Inject, Injectable } from '@nestjs/common';
import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import { canonicalJson } from '@outcomes/audit';
import { mayCall } from '@outcomes/auth';
import type { ToolName } from '@outcomes/contracts';
import { cleanText, CompletionRepository, type CompletableIdentifier } from '@outcomes/read-model';
import { TenantChoice } from '../access/tenant-choice.service';
import type { RpcExchange } from '../mcp/rpc-exchange.protocol';
import { PROMPTS } from '../prompts/prompts.catalogue';
import { CallRecords } from '../tools/call-records.service';

/** Enough to choose from while typing, and too little to copy a list by. */
const MAX = 10;
const FEWEST_CHARACTERS = 3;
/** In audit rows, where the names of tools stand. */
const METHOD = 'completion/complete';

/** What an argument names, and the tool that takes it: who may not call the one is not told the other. */
const IDENTIFIERS: Readonly<
  Record<string, { readonly identifier: CompletableIdentifier; readonly tool: ToolName }>
> = {
  campaign_id: { identifier: 'campaign', tool: 'get_campaign_health' },
  contact_id: { identifier: 'contact', tool: 'get_recipient_intelligence' },
};

/**
 * Completes the arguments of prompts from the caller's own identifiers. Anything else has no completions. Where
 * identifiers are read, a row in the audit log says so.
 */
@Injectable()
export class CompletionAnswers {
  constructor(
    @Inject(CompletionRepository) private readonly identifiers: CompletionRepository,
    private readonly tenants: TenantChoice,
    private readonly records: CallRecords,
  ) {}

  async complete(params: CompleteRequest['params'], exchange: RpcExchange): Promise<CompleteResult> {
    const { ref, argument, context } = params;
    const prompt = PROMPTS.find(({ name }) => ref.type === 'ref/prompt' && ref.name === name);
    const taken = prompt?.arguments.some(({ name }) => name === argument.name);
    const completable = IDENTIFIERS[argument.name];
    if (!taken || completable === undefined || argument.value.length < FEWEST_CHARACTERS) return answerOf([]);
    if (!mayCall(exchange.caller.identity, completable.tool)) return answerOf([]);
    const { principal } = await this.tenants.choose(exchange.caller, context?.arguments?.tenant_id);
    if (!principal) return answerOf([]);
    const found = await this.identifiers.find(
      principal.scope,
      completable.identifier,
      argument.value,
      MAX + 1,
    );
    // A completion is taken as it is read: one that holds hidden characters is none.
    const answer = answerOf(found.filter((value) => value === cleanText(value)));
    // Not what a client says of itself around the question: that differs from one to the next.
    const given = { ref, argument, ...(context && { context }) };
    const call = { toolName: METHOD, given, principal, deniedTenant: undefined };
    await this.records.write(call, { error: null, json: canonicalJson(answer) }, exchange);
    return answer;
  }
}

function answerOf(found: readonly string[]): CompleteResult {
  return { completion: { values: found.slice(0, MAX), hasMore: found.length > MAX } };
}
