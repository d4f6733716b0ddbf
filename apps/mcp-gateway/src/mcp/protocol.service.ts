import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { mayCall } from '@outcomes/auth';
import { LOGGER, type Logger } from '@outcomes/platform';
import { CompletionAnswers } from '../completions/completion-answers.service';
import type { Era } from '../eras/era.protocol';
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from '../identity/server-info.protocol';
import { faultOf, RpcFault, TOOLS_CALL, type Incoming } from '../json-rpc.protocol';
import { PromptRegistry } from '../prompts/prompt-registry.service';
import { ResourceRegistry } from '../resources/resource-registry.service';
import { TOOLS } from '../tools/tools.catalogue';
import type { Tool } from '../tools/question.tool';
import { ToolCalls } from '../tools/tool-calls.service';
import type { RpcExchange } from './rpc-exchange.protocol';
import { SharedTransport } from './shared-transport.service';

/** What is asked, under which era's rules, and why it was refused before anybody looked at what it asks. */
export interface Asked {
  readonly era: Era;
  readonly request: Extract<Incoming, { kind: 'request' }>;
  readonly fault?: RpcFault;
}

/**
 * Hands every method to what answers it, the same for every era. The one SDK server of the process has the methods
 * that both have, and the handshake.
 */
@Injectable()
export class Protocol implements OnModuleInit {
  private readonly server = new Server(SERVER_INFO, {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
  });

  constructor(
    private readonly transport: SharedTransport,
    private readonly calls: ToolCalls,
    private readonly prompts: PromptRegistry,
    private readonly references: ResourceRegistry,
    private readonly completions: CompletionAnswers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    this.answerLists();
    this.answerTools();
    this.answerReads();
    this.server.onerror = (error) => this.logger.error({ err: error }, 'mcp');
    await this.server.connect(this.transport);
  }

  /**
   * @returns the result as JSON
   * @throws RpcFault and nothing else
   */
  ask({ era, request, fault }: Asked, exchange: RpcExchange): string | Promise<string> {
    if (request.method === TOOLS_CALL) return this.call(request.params, exchange, fault);
    if (fault) throw fault;
    return era.ownResults.get(request.method) ?? this.transport.ask(request, exchange);
  }

  /**
   * tools/call goes past the SDK: its handler refuses malformed params before a row could be written, and what it
   * does around a message takes a quarter of the time of a call.
   */
  private async call(
    params: Readonly<Record<string, unknown>> = {},
    exchange: RpcExchange,
    refused: RpcFault | undefined,
  ): Promise<string> {
    try {
      return await this.calls.answer(params, exchange, refused);
    } catch (error) {
      const fault = faultOf(error);
      if (fault !== error) this.logger.error({ err: error }, 'mcp');
      throw fault;
    }
  }

  /** Lists never change while the process runs, so they are JSON from the start. */
  private answerLists(): void {
    const lists = [
      [ListPromptsRequestSchema, this.prompts.list()],
      [ListResourcesRequestSchema, this.references.list()],
      [ListResourceTemplatesRequestSchema, { resourceTemplates: [] }],
    ] as const;
    for (const [schema, list] of lists) {
      const json = JSON.stringify(list);
      this.server.setRequestHandler(schema, (_request, { requestId }) =>
        this.transport.handle(requestId, (exchange) => {
          exchange.resultJson = json;
          return {};
        }),
      );
    }
  }

  /** A key that is bound to some tools is shown those. */
  private answerTools(): void {
    const jsonOf = (tools: readonly Tool[]) =>
      JSON.stringify({ tools: tools.map(({ definition }) => definition) });
    const all = jsonOf(TOOLS);
    this.server.setRequestHandler(ListToolsRequestSchema, (_request, { requestId }) =>
      this.transport.handle(requestId, (exchange) => {
        const { identity } = exchange.caller;
        const isBound = identity.bounds.tools !== null;
        exchange.resultJson = isBound
          ? jsonOf(TOOLS.filter(({ definition: { name } }) => mayCall(identity, name)))
          : all;
        return {};
      }),
    );
  }

  private answerReads(): void {
    this.server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { requestId }) =>
      this.transport.handle(requestId, () => this.references.read(params.uri)),
    );
    this.server.setRequestHandler(GetPromptRequestSchema, ({ params }, { requestId }) =>
      this.transport.handle(requestId, () => this.prompts.get(params.name, params.arguments)),
    );
    this.server.setRequestHandler(CompleteRequestSchema, ({ params }, { requestId }) =>
      this.transport.handle(requestId, (exchange) => this.completions.complete(params, exchange)),
    );
  }
}
