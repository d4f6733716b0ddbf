// Messages that an MCP client might send, might send by mistake, and would never send; and what every answer keeps to.
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Fuzzed } from './schemathesis.ts';

interface Message {
  body: string;
  headers: Record<string, string>;
}
interface Tool {
  name: string;
  inputSchema: { properties?: Record<string, any> };
  outputSchema?: object;
}

const PROTOCOL = '2025-11-25';
const STATELESS_PROTOCOL = '2026-07-28';
const META = 'io.modelcontextprotocol';
const METHODS = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'prompts/get'],
  ...[
    'resources/templates/list',
    'prompts/list',
    'completion/complete',
    'logging/setLevel',
    'notifications/initialized',
  ],
  ...['tools/', '', 'constructor', '__proto__', 'rpc.discover'],
];
/** What HTTP may refuse with; a 5xx never. 404: an unknown method without a handshake. 429: a window of its own. */
const STATUSES = new Set([200, 202, 400, 401, 403, 404, 405, 406, 408, 413, 415, 429, 431]);
const CONNECTIONS = 8;
const MAX_SHOWN = 20;

/** @param options `url`: of the server, without a path. */
export async function fuzzMcp({
  url,
  apiKey,
  cases,
  seed,
}: {
  url: string;
  apiKey: string;
  cases: number;
  seed: number;
}): Promise<Fuzzed> {
  const send = ({ body, headers }: Message) =>
    fetch(`${url}/mcp`, {
      ...{ method: 'POST', body, signal: AbortSignal.timeout(30_000) },
      headers: {
        ...{ Authorization: `Bearer ${apiKey}`, Accept: 'application/json, text/event-stream' },
        ...{ 'Content-Type': 'application/json', 'MCP-Protocol-Version': PROTOCOL, ...headers },
      },
    });
  const listed = await send({
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    headers: {},
  });
  const tools: readonly Tool[] = documentIn(await listed.text()).result.tools;
  const judge = judgeOf(tools);
  const messages = fc.sample(messageOf(tools), { numRuns: cases, seed });
  const failures: string[] = [];
  let sent = 0;
  const caller = async () => {
    for (let message = messages.pop(); message !== undefined; message = messages.pop()) {
      sent += 1;
      const fault = await send(message).then(
        async (answer) => judge(message, answer.status, await answer.text()),
        (error: unknown) => `no answer: ${error instanceof Error ? error.message : String(error)}`,
      );
      if (fault !== undefined && failures.length < MAX_SHOWN)
        failures.push(`${fault}: ${message.body.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  return { cases: sent, failures };
}

function messageOf(tools: readonly Tool[]): fc.Arbitrary<Message> {
  const anything = fc.jsonValue({ maxDepth: 4 });
  const members = fc.record({ name: anything, uri: anything, arguments: anything, ref: anything });
  const meta = fc.oneof(
    anything,
    fc.record(
      {
        progressToken: fc.oneof(fc.integer(), fc.double(), anything),
        [`${META}/related-task`]: anything,
        [`${META}/protocolVersion`]: fc.oneof(fc.constantFrom(PROTOCOL, STATELESS_PROTOCOL), anything),
        [`${META}/clientCapabilities`]: anything,
      },
      { requiredKeys: [] },
    ),
  );
  const call = fc.constantFrom(...tools).chain(({ name, inputSchema: { properties = {} } }) =>
    fc.record({
      name: usually(fc.constant(name), fc.oneof(fc.string(), anything)),
      arguments: usually(
        fc.record(
          Object.fromEntries(
            Object.entries(properties).map(([property, schema]) => [
              property,
              usually(valueOf(schema), anything),
            ]),
          ),
          { requiredKeys: [] },
        ),
        anything,
      ),
    }),
  );
  const request = fc.record({
    jsonrpc: usually(fc.constant('2.0'), anything),
    id: usually(fc.oneof(fc.integer(), fc.string()), anything),
    method: usually(fc.constantFrom(...METHODS), fc.string()),
    params: fc.oneof(
      anything,
      members,
      fc.record({ _meta: meta }),
      fc.tuple(members, meta).map(([given, _meta]) => ({ ...given, _meta })),
    ),
  });
  const asked = fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.integer(),
    method: fc.constant('tools/call'),
    params: call,
  });
  const body = fc.oneof(
    { weight: 6, arbitrary: asked.map((message) => JSON.stringify(message)) },
    { weight: 6, arbitrary: request.map((message) => JSON.stringify(message)) },
    { weight: 1, arbitrary: anything.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    {
      weight: 1,
      arbitrary: fc.tuple(asked, fc.nat(200)).map(([message, cut]) => JSON.stringify(message).slice(0, -cut)),
    },
  );
  const header = fc.string({ maxLength: 40, unit: fc.constantFrom(...'abz09-/;=,. *"') });
  const headers = usually(
    fc.constant({}),
    fc.dictionary(
      fc.constantFrom('Accept', 'Content-Type', 'MCP-Protocol-Version', 'X-Actor-Type', 'X-Actor-Id'),
      header,
      {
        noNullPrototype: true,
        maxKeys: 2,
      },
    ),
  );
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ body, headers }) },
    { weight: 1, arbitrary: statelessOf({ members, meta }) },
  );
}

/** Messages of the stateless era that say all that they must, and odd things besides. */
function statelessOf({
  members,
  meta,
}: Record<'members' | 'meta', fc.Arbitrary<unknown>>): fc.Arbitrary<Message> {
  const said = { [`${META}/protocolVersion`]: STATELESS_PROTOCOL, [`${META}/clientCapabilities`]: {} };
  return fc
    .tuple(fc.integer(), fc.constantFrom(...METHODS, 'server/discover'), fc.option(members), meta)
    .map(([id, method, given, odd]) => {
      const params = { ...(given as object | null), _meta: { ...(odd as object | null), ...said } };
      return {
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        headers: { 'MCP-Protocol-Version': STATELESS_PROTOCOL, 'Mcp-Method': method },
      };
    });
}

function usually<T, S>(mostly: fc.Arbitrary<T>, otherwise: fc.Arbitrary<S>) {
  return fc.oneof({ weight: 5, arbitrary: mostly }, { weight: 1, arbitrary: otherwise });
}

/** Values near what a property takes. */
function valueOf(schema: any): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = -10, maximum = 1_000 } = schema;
    return fc.integer({ min: Number(minimum) - 1, max: Number(maximum) + 1 });
  }
  if (schema.type === 'boolean') return fc.boolean();
  return fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.uuid(),
  );
}

function judgeOf(tools: readonly Tool[]) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const outputs = new Map(
    tools.map(({ name, outputSchema }) => [name, outputSchema && ajv.compile(outputSchema)]),
  );
  /** @returns What the answer breaks. */
  return ({ body }: Message, status: number, text: string): string | undefined => {
    if (!STATUSES.has(status)) return `status ${status}`;
    if (status === 202) return text === '' ? undefined : 'a notification has an answer';
    const answer = documentIn(text);
    if (answer === undefined) return 'the answer is no document';
    if (status !== 200) return isRefusal(answer) ? undefined : 'the refusal has no known body';
    const asked = parsed(body);
    if (answer.jsonrpc !== '2.0' || answer.id !== asked?.id) return 'the answer is to another request';
    if ('result' in answer === 'error' in answer) return 'the answer has result and error, or neither';
    if ('error' in answer)
      return Number.isInteger(answer.error.code) && typeof answer.error.message === 'string'
        ? undefined
        : 'the error has no code';
    return asked.method === 'tools/call'
      ? faultOfResult(outputs.get(asked.params.name), answer.result)
      : undefined;
  };
}

function faultOfResult(validate: ValidateFunction | undefined, result: any) {
  const document = parsed(result.content?.[0]?.text);
  if (document === undefined) return 'the result has no text that is JSON';
  if (result.isError === true)
    return typeof document.error?.code === 'string' ? undefined : 'the refusal names no code';
  if (JSON.stringify(document) !== JSON.stringify(result.structuredContent))
    return 'text and structuredContent differ';
  if (validate && !validate(result.structuredContent))
    return `off its schema (${validate.errors?.[0]?.instancePath} ${validate.errors?.[0]?.message})`;
  return undefined;
}

/** The error body of every surface, or one of JSON-RPC. */
function isRefusal(answer: any) {
  if (answer.jsonrpc === '2.0') return Number.isInteger(answer.error?.code);
  return answer.success === false && typeof answer.error === 'string' && typeof answer.requestId === 'string';
}

function documentIn(text: string) {
  return parsed(/^event: message\ndata: (.*)\n\n$/.exec(text)?.[1] ?? text);
}

function parsed(text: unknown): any {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
