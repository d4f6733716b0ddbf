import type { ToolName } from '@outcomes/contracts';
import type { IntelligenceService } from '@outcomes/read-model';
import type { Principal } from '@outcomes/auth';
import type { ResultFrame } from '@outcomes/contracts';
import type { Schema } from '../../json-schema';
import { argumentCheck, type ArgumentFault, type Arguments } from '../arguments';

/** What tools/list says of a tool. */
export interface ToolDefinition {
  readonly name: ToolName;
  readonly title: string;
  /** What it answers, when to use it, what to use instead, what an empty answer means, what it costs. */
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

export interface Tool {
  readonly definition: ToolDefinition & { readonly annotations: Readonly<Record<string, unknown>> };
  /** The first thing that is wrong with the arguments; undefined where they may be run. */
  check(given: Arguments): ArgumentFault | undefined;
  /** Runs with arguments that passed the check. */
  run(intelligence: IntelligenceService, scope: Principal['scope'], given: Arguments): Promise<ResultFrame>;
}

/** @param answer - one call into the read model, which does the rest */
export function defineTool<Query>(
  definition: ToolDefinition,
  answer: (
    intelligence: IntelligenceService,
    scope: Principal['scope'],
    query: Query,
  ) => Promise<ResultFrame>,
): Tool {
  const annotations = {
    title: definition.title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  return {
    definition: { ...definition, annotations },
    check: argumentCheck(definition.name, definition.inputSchema),
    run: (intelligence, scope, { tenant_id: _chosen, ...query }) =>
      answer(intelligence, scope, query as Query),
  };
}
