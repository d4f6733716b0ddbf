import type { ErrorBody } from '@outcomes/contracts';
import type { Exchange } from '@outcomes/platform';
import type { McpCaller } from '../access/mcp-caller.protocol';

/** One HTTP request on its way through the shared server, and what its answer needs beside the JSON-RPC result. */
export interface RpcExchange {
  readonly caller: McpCaller;
  /** X-Request-Id of the HTTP request. */
  readonly requestId: string;
  readonly arrivedAt: Date;
  /** performance.now() on arrival. */
  readonly startedMs: number;
  /** Takes header fields of the answer, and tells when nobody waits for it any more. */
  readonly http: Pick<Exchange, 'setHeader' | 'letGo' | 'response'>;
  /** The result as JSON where the handler has it at hand; saves writing it a second time. */
  resultJson?: string;
  /** Set where HTTP refuses (429, 503) although JSON-RPC was understood. */
  refusal?: Refusal;
}

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}
