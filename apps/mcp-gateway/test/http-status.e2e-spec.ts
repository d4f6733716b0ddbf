import { request as httpRequest } from 'node:http';
import type { Answer, Tenant } from '@outcomes/testing';
import { startGateway, type GatewayProcess } from './gateway-fixture';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('HTTP of the MCP endpoint', () => {
  let gateway: GatewayProcess;
  let tenant: Tenant;

  beforeAll(async () => {
    gateway = await startGateway({ MCP_PUBLIC_HOSTS: 'mcp.example.com' });
    tenant = await gateway.addTenant({ name: 'Acme' });
  });

  afterAll(() => gateway?.stop());

  const post = (
    headers: Record<string, string | undefined> = {},
    body: string | Uint8Array<ArrayBuffer> = PING,
  ) => gateway.http(tenant.apiKey, body, headers);

  /** fetch sets Host itself, so this one is written by hand. */
  const withHost = (host: string, authorization = `Bearer ${tenant.apiKey}`): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = {
        host,
        authorization,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      };
      httpRequest(gateway.url, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end(PING);
    });

  const expectErrorBody = ({ body, headers }: Answer, code: string) => {
    expect(body).toMatchObject({ success: false, error: code, message: expect.any(String) });
    expect(body.requestId).toBe(headers.get('x-request-id'));
    expect(Date.parse(body.timestamp)).not.toBeNaN();
  };

  it('200: a request is answered by one SSE message', async () => {
    const answer = await post();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(answer.headers.get('cache-control')).toMatch(/no-cache/);
    expect(answer.text).toBe('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });

  it('200: the same called from node:http and, for pages of this address, by Nest', async () => {
    const page = { Origin: new URL(gateway.url).origin };
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_bandit_state"}}';
    for (const body of [PING, call, '{}', 'nonsense']) {
      const [fast, slow] = [await post({}, body), await post(page, body)];
      const names = ({ headers }: Answer) => [...headers.keys()].sort();
      // Mutation: a header or a check that one of the two ways leaves out.
      expect([slow.status, names(slow)]).toEqual([fast.status, names(fast)]);
      const timeless = ({ text }: Answer) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
      expect(timeless(slow)).toBe(timeless(fast));
    }
  });

  it('202: a notification has no body', async () => {
    const answer = await post({}, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('202: an answer to a question that was never asked is dropped', async () => {
    expect((await post({}, '{"jsonrpc":"2.0","id":1,"result":{}}')).status).toBe(202);
  });

  it('403: a web page that was not invited, before the credential is looked at', async () => {
    const answer = await gateway.http(undefined, PING, { Origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
    expectErrorBody(answer, 'Forbidden');
  });

  it('403: a Host that is not ours', async () => {
    expect(await withHost('evil.example')).toBe(403);
    expect(await withHost('evil.example', '')).toBe(403);
  });

  it('200: the public Host, and localhost', async () => {
    expect(await withHost('mcp.example.com')).toBe(200);
    expect(await withHost('localhost:1234')).toBe(200);
  });

  it('401: no credential', async () => {
    const answer = await gateway.http(undefined, PING);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expectErrorBody(answer, 'missing_token');
    for (const name of ['limit', 'remaining', 'reset'])
      expect(answer.headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/);
  });

  it('401: a credential that nobody has', async () => {
    const answer = await gateway.http('whoever', PING);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expectErrorBody(answer, 'invalid_token');
  });

  it('401: a key of the wrong form, with the reason', async () => {
    const answer = await gateway.http(`${tenant.apiKey}x`, PING);
    expect(answer.status).toBe(401);
    expectErrorBody(answer, 'self_serve_auth_failed');
    expect(answer.body.reason).toBe('INVALID_FORMAT');
  });

  it('401: X-API-Key is not taken here', async () => {
    expect((await gateway.http(undefined, PING, { 'X-API-Key': tenant.apiKey })).status).toBe(401);
  });

  it('401: also for a stranger with the wrong verb, Accept, type and body', async () => {
    expect(
      (await gateway.http(undefined, undefined, { Accept: 'text/html', 'Content-Type': 'text/plain' }, 'GET'))
        .status,
    ).toBe(401);
    expect(
      (await gateway.http(undefined, 'nonsense', { Accept: 'text/html', 'Content-Type': 'text/plain' }))
        .status,
    ).toBe(401);
  });

  it('403: a key that may not read', async () => {
    const { apiKey } = await gateway.addKey(tenant.companyId, { permissions: ['events_write'] });
    const answer = await gateway.http(apiKey, PING);
    expect(answer.status).toBe(403);
    expectErrorBody(answer, 'Forbidden');
  });

  it('400: an actor that is none', async () => {
    const answer = await post({ 'X-Actor-Type': 'robot' });
    expect(answer.status).toBe(400);
    expectErrorBody(answer, 'INVALID_ACTOR');
  });

  it('429: the sixth failure with one credential, with Retry-After', async () => {
    const wrong = 'the-same-wrong-token';
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) statuses.push((await gateway.http(wrong, PING)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    const sixth = await gateway.http(wrong, PING);
    expect(sixth.status).toBe(429);
    expect(sixth.headers.get('retry-after')).toBe('3600');
    expectErrorBody(sixth, 'TOO_MANY_FAILED_ATTEMPTS');
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('405: %s, with Allow: POST', async (method) => {
    const answer = await gateway.http(tenant.apiKey, undefined, { Accept: 'text/event-stream' }, method);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expectErrorBody(answer, 'METHOD_NOT_ALLOWED');
  });

  it.each([
    'application/json',
    'text/event-stream',
    '*/*',
    'application/json, text/event-stream;q=0',
    undefined,
  ])('406: Accept %s', async (accept) => {
    const answer = await post({ Accept: accept, 'Content-Type': 'text/plain' });
    expect(answer.status).toBe(406);
    expectErrorBody(answer, 'NOT_ACCEPTABLE');
    expect(answer.body.message).toMatch(/^Not Acceptable/);
  });

  it('200: both types, in any order and with parameters', async () => {
    const answer = await post({
      Accept: 'TEXT/event-stream;q=0.9, */*;q=0.1, application/json; charset=utf-8',
    });
    expect(answer.status).toBe(200);
  });

  it.each(['text/plain', 'application/json-patch+json', 'multipart/form-data', ''])(
    '415: Content-Type "%s", before the size is looked at',
    async (type) => {
      const answer = await post({ 'Content-Type': type }, 'x'.repeat(1024 * 1024 + 1));
      expect(answer.status).toBe(415);
      expectErrorBody(answer, 'UNSUPPORTED_MEDIA_TYPE');
    },
  );

  const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_bandit_state"}}';

  it.each([
    ['a call: one byte over 1 MiB', CALL, 1_024 * 1_024],
    ['anything else: one byte over 64 KiB', PING, 64 * 1_024],
    ['what names a call and is none', PING.replace('{', '{"x":"tools/call",'), 64 * 1_024],
  ])('413: %s', async (_what, message, most) => {
    const body = message.padEnd(most, ' ');
    expect((await post({}, body)).status).toBe(200);
    const answer = await post({}, `${body} `);
    expect(answer.status).toBe(413);
    expectErrorBody(answer, 'PAYLOAD_TOO_LARGE');
  });

  it('413: by the head, without the body', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${tenant.apiKey}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'content-length': 50_000_000,
      };
      const sent = httpRequest(gateway.url, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      }).on('error', reject);
      sent.write('{');
    });
    expect(status).toBe(413);
  });

  it.each([
    ['broken JSON', '{"jsonrpc":'],
    ['no body', ''],
  ])('400 -32700: %s', async (_what, body) => {
    const answer = await post({}, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
  });

  it('400 -32700: bytes that are not UTF-8', async () => {
    const answer = await post({}, new Uint8Array([0x22, 0xff, 0x22]));
    expect([answer.status, answer.body.error.code]).toEqual([400, -32700]);
  });

  it.each([
    ['a batch', `[${PING}]`],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['something else', '{"hello":"world"}'],
    ['a long id', PING.replace('"id":1', `"id":"${'x'.repeat(129)}"`)],
    [
      'many values',
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{${Array.from({ length: 1_001 }, (_, n) => `"c${n}":{}`).join()}}}}}`,
    ],
    ['a million brackets', '['.repeat(1_000_000)],
    [
      'many arguments of a call',
      CALL.replace('}}', `,"arguments":{${Array.from({ length: 2_001 }, (_, n) => `"a${n}":0`).join()}}}}`),
    ],
  ])('400 -32600: %s', async (_what, body) => {
    const answer = await post({ 'MCP-Protocol-Version': '1.0' }, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });

  it.each([
    ['tenant_id', 'a program'],
    ['api_key', 'a program'],
    ['tenant_id', 'a page'],
  ])('400: the query parameter %s, which nothing here takes, of %s', async (name, whose) => {
    const headers = whose === 'a page' ? { Origin: new URL(gateway.url).origin } : {};
    const answer = await gateway.http(tenant.apiKey, PING, headers, 'POST', `?${name}=x`);
    expect(answer.status).toBe(400);
    expectErrorBody(answer, 'INVALID_PARAMETER');
    expect(answer.body.parameter).toBe(name);
  });

  it('400 -32000: a protocol version that is not supported', async () => {
    const answer = await post({ 'MCP-Protocol-Version': '2019-01-01' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe(-32000);
    expect(answer.body.error.message).toContain('2025-11-25');
  });

  it('200 -32601: an unknown method', async () => {
    const answer = await gateway.rpc(tenant.apiKey, 'tools/steal');
    expect([answer.status, answer.body.error.code]).toEqual([200, -32601]);
  });

  describe('is refused for the first fault in a fixed order, whatever else is wrong too', () => {
    const rpc = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method });
    interface Fault {
      readonly headers?: Record<string, string>;
      readonly stranger?: true;
      readonly method?: string;
      readonly query?: string;
      readonly body?: string;
    }
    /** From the first check to the last. A body stands for its own fault; the earlier ones hide the later. */
    const faults: readonly (readonly [status: number, code: string | number, fault: Fault])[] = [
      [403, 'Forbidden', { headers: { Origin: 'https://evil.example' } }],
      [401, 'missing_token', { stranger: true }],
      [400, 'INVALID_ACTOR', { headers: { 'X-Actor-Type': 'robot' } }],
      [405, 'METHOD_NOT_ALLOWED', { method: 'PUT' }],
      [400, 'INVALID_PARAMETER', { query: '?tenant_id=x' }],
      [406, 'NOT_ACCEPTABLE', { headers: { Accept: 'application/json' } }],
      [415, 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'Content-Type': 'text/plain' } }],
      [413, 'PAYLOAD_TOO_LARGE', { body: '['.repeat(1024 * 1024 + 1) }],
      [400, -32700, { body: '{"jsonrpc":"1.0",' }],
      [400, -32600, { body: `[${rpc('tools/steal')}]` }],
      [400, -32000, { headers: { 'MCP-Protocol-Version': '2019-01-01' } }],
      [200, -32601, { body: rpc('tools/steal') }],
    ];

    it.each(faults.map(([status, code], index) => [status, code, index] as const))(
      '%i %s',
      async (status, code, index) => {
        const present = faults.slice(index).map(([, , fault]) => fault);
        const answer = await gateway.http(
          present.some(({ stranger }) => stranger) ? undefined : tenant.apiKey,
          present.find(({ body }) => body !== undefined)?.body,
          Object.assign({}, ...present.map(({ headers }) => headers)),
          present.find(({ method }) => method !== undefined)?.method,
          present.find(({ query }) => query !== undefined)?.query,
        );
        expect([answer.status, answer.body.error.code ?? answer.body.error]).toEqual([status, code]);
      },
    );
  });

  it('200 -32602: an unknown tool, an unknown prompt and a prompt argument that is missing', async () => {
    for (const [method, params] of [
      ['tools/call', { name: 'nope' }],
      ['prompts/get', { name: 'nope' }],
      ['prompts/get', { name: 'brief_on_contact' }],
    ] as const) {
      const answer = await gateway.rpc(tenant.apiKey, method, params);
      expect([answer.status, answer.body.error.code]).toEqual([200, -32602]);
    }
  });

  it.each([[null], [{ progressToken: 1.5 }], [{ progressToken: null }]])(
    '200 -32602: _meta %j, whatever is asked',
    async (_meta) => {
      for (const method of ['ping', 'initialize', 'tools/list', 'resources/read', 'nope']) {
        const answer = await gateway.rpc(tenant.apiKey, method, { _meta });
        expect([answer.status, answer.body.id, answer.body.error.code]).toEqual([200, 1, -32602]);
      }
    },
  );

  it('200 -32002: an unknown resource', async () => {
    const answer = await gateway.rpc(tenant.apiKey, 'resources/read', { uri: 'svc://reference/nope' });
    expect([answer.status, answer.body.error.code]).toEqual([200, -32002]);
  });

  it('200 isError: bad arguments of a tool, with field and bounds', async () => {
    const answer = await gateway.call(tenant.apiKey, 'get_bandit_state', { top_n: 101 });
    expect([answer.status, answer.body.result.isError]).toEqual([200, true]);
    expect(JSON.parse(answer.body.result.content[0].text).error).toMatchObject({
      field: 'top_n',
      message: 'top_n must be a whole number from 1 to 100.',
    });
  });

  it('404: any other address', async () => {
    const response = await fetch(gateway.url.replace('/mcp', '/other'));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false, error: 'NOT_FOUND' });
  });

  it('200: /healthz needs no credential', async () => {
    const response = await fetch(gateway.url.replace('/mcp', '/healthz'));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', transport: 'streamable-http' });
  });

  it('every answer carries X-Request-Id, the caller’s own where it is harmless', async () => {
    expect((await post({ 'X-Request-Id': 'trace-7' })).headers.get('x-request-id')).toBe('trace-7');
    expect((await post({ 'X-Request-Id': 'a b' })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('HTTP for web pages that were invited', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await startGateway({ MCP_ALLOWED_ORIGINS: 'https://agent.example.com' });
  });

  afterAll(() => gateway?.stop());

  it('200: a web page that was invited, with the header that lets it read the answer', async () => {
    const answer = await gateway.http((await gateway.addTenant({ name: 'Acme' })).apiKey, PING, {
      Origin: 'https://agent.example.com',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://agent.example.com');
  });

  it('204: the invited page may ask first', async () => {
    const answer = await gateway.http(
      undefined,
      undefined,
      { Origin: 'https://agent.example.com', 'Access-Control-Request-Method': 'POST' },
      'OPTIONS',
    );
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://agent.example.com');
  });

  it('403: another web page still', async () => {
    expect((await gateway.http(undefined, PING, { Origin: 'https://evil.example' })).status).toBe(403);
  });
});
