import type { Answer } from '@outcomes/testing';
import type { SharedGateway } from './gateway-fixture';

export interface StatelessOptions {
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly id?: unknown;
}

/** A request of the era of 2026-07-28; what it says around the method may be replaced, or left out. */
export function stateless(
  gateway: SharedGateway,
  credential: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { meta = {}, headers = {}, id = 1 }: StatelessOptions = {},
): Promise<Answer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...meta,
  };
  const named = params.name ?? params.uri;
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
  return gateway.http(credential, body, {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    'Mcp-Name': typeof named === 'string' ? named : undefined,
    ...headers,
  });
}
