import { Inject, Injectable } from '@nestjs/common';
import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/sdk/types.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config';
import { INVALID_PARAMS, RpcFault } from '../json-rpc.protocol';
import { PROMPTS } from './prompts.catalogue';

/** As the tools take them. */
const MAX_CHARACTERS: Readonly<Record<string, number | undefined>> = {
  campaign_id: 2_048,
  contact_id: 256,
};

/** Lists and fills in the prompts. */
@Injectable()
export class PromptRegistry {
  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  list(): ListPromptsResult {
    return {
      prompts: PROMPTS.map(({ name, title, description, arguments: taken }) => ({
        name,
        title,
        description,
        arguments: taken.map((argument) => ({ ...argument })),
      })),
    };
  }

  /** @throws RpcFault -32602 for an unknown prompt, and for an argument that is missing, unknown or too long */
  get(name: string, values: Readonly<Record<string, string>> = {}): GetPromptResult {
    const prompt = PROMPTS.find((candidate) => candidate.name === name);
    if (!prompt)
      throw new RpcFault(INVALID_PARAMS, 'There is no prompt of this name. prompts/list names them all.');
    const taken = prompt.arguments.map((argument) => argument.name);
    if (Object.keys(values).some((given) => !taken.includes(given))) {
      throw new RpcFault(INVALID_PARAMS, `${name} takes ${taken.join(', ') || 'no arguments'}.`);
    }
    for (const { name: argument, required } of prompt.arguments) {
      const value = values[argument];
      if (value === undefined && !required) continue;
      const { length } = [...(value ?? '')];
      const longest = MAX_CHARACTERS[argument] ?? 0;
      if (length < 1 || length > longest) {
        const must = required ? 'is required and must be' : 'must be left out or';
        throw new RpcFault(INVALID_PARAMS, `${argument} ${must} a string of 1 to ${longest} characters.`);
      }
    }
    const text = prompt.text(values, this.config.KEY_PREFIX);
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  }
}
