/** One HTTP request to /mcp, beside the key, Accept and Content-Type of the fixture. */
export interface RecordedRequest {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly method?: string;
  readonly body?: string;
}

const rpc = (method: string, params?: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const initialize = (protocolVersion: unknown) =>
  rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'recorder', version: '1' } });
const PING = rpc('ping');
const version = (value: string) => ({ 'MCP-Protocol-Version': value });

/** What clients of the era of 2025-11-25 send, right and wrong. The answers stand in recorded-answers.json. */
export const REQUESTS: Readonly<Record<string, RecordedRequest>> = {
  'initialize 2025-11-25': { body: initialize('2025-11-25') },
  'initialize 2024-11-05': { body: initialize('2024-11-05') },
  'initialize of a version to come': { body: initialize('2099-01-01') },
  'initialize without a version': { body: initialize(7) },
  'notifications/initialized': { body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' },
  'an answer to nothing': { body: '{"jsonrpc":"2.0","id":1,"result":{}}' },
  ping: { body: PING },
  'ping with a text as id': { body: rpc('ping', undefined, 'ünï') },
  'ping with a progress token': { body: rpc('ping', { _meta: { progressToken: 1 } }) },
  'ping of 2025-06-18': { headers: version('2025-06-18'), body: PING },
  'headers of a later era without its version': {
    headers: { 'Mcp-Method': 'tools/list', 'Mcp-Name': 'x' },
    body: PING,
  },
  'server/discover without a version': { body: rpc('server/discover') },
  'an unknown method': { body: rpc('tools/steal') },
  'params of a wrong shape': { body: rpc('tools/list', { cursor: 7 }) },
  'resources/templates/list': { body: rpc('resources/templates/list') },
  'an unknown resource': { body: rpc('resources/read', { uri: 'svc://reference/nope' }) },
  'an unknown prompt': { body: rpc('prompts/get', { name: 'nope' }) },
  'a prompt without its argument': { body: rpc('prompts/get', { name: 'brief_on_contact' }) },
  'a completion of nothing': {
    body: rpc('completion/complete', {
      ref: { type: 'ref/prompt', name: 'nope' },
      argument: { name: 'x', value: 'abc' },
    }),
  },
  'an unknown tool': { body: rpc('tools/call', { name: 'nope' }) },
  'a call without a name': { body: rpc('tools/call', {}) },
  'a call without params': { body: rpc('tools/call') },
  'broken JSON': { body: '{"jsonrpc":' },
  'a batch': { body: `[${PING}]` },
  'a null id': { body: rpc('ping', undefined, null) },
  'no JSON-RPC': { body: '{"hello":"world"}' },
  'a version of no era': { headers: version('1.0'), body: PING },
  'a version before the first': { headers: version('2019-01-01'), body: PING },
  'an empty version': { headers: version(''), body: PING },
  GET: { method: 'GET' },
  DELETE: { method: 'DELETE' },
  'Accept of JSON alone': { headers: { Accept: 'application/json' }, body: PING },
  'Accept of events alone': { headers: { Accept: 'text/event-stream' }, body: PING },
  'Accept of anything': { headers: { Accept: '*/*' }, body: PING },
  'another media type': { headers: { 'Content-Type': 'text/plain' }, body: PING },
  'a large ping': { body: PING.padEnd(64 * 1_024 + 1) },
  'a page of another origin': { headers: { Origin: 'https://evil.example' }, body: PING },
};
