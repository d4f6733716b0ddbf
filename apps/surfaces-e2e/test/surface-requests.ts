import { rpc, type Request } from './exchange';

/** A GET of the read API. */
export function get(
  port: number,
  apiKey: string,
  path: string,
  headers: Record<string, string> = {},
): Request {
  const own = { Authorization: `Bearer ${apiKey}` };
  return { port, method: 'GET', path: `/v1${path}`, headers: { ...own, ...headers } };
}

/** A tools/call. */
export function call(
  port: number,
  apiKey: string,
  name: string,
  args: unknown,
  headers: Record<string, string> = {},
) {
  return rpc(port, apiKey, 'tools/call', { name, arguments: args }, headers);
}

/** A completion of one argument of a prompt. */
export function completion(
  port: number,
  apiKey: string,
  prompt: string,
  name: string,
  value: string,
  context?: Readonly<Record<string, string>>,
) {
  const ref = { type: 'ref/prompt', name: prompt };
  const given = context && { context: { arguments: context } };
  return rpc(port, apiKey, 'completion/complete', { ref, argument: { name, value }, ...given });
}

/** Headers that may name something. */
export const HEADERS = ['X-Tenant-Id', 'X-Portal-Id', 'X-Actor-Id', 'If-None-Match', 'X-Company-Id'];
