import { readMessage, type RpcFault } from '../json-rpc.protocol';
import { handshakeEra } from './handshake.protocol';
import { eraOf, eraOfHead } from './era-choice.protocol';
import { statelessEra } from './stateless/stateless.protocol';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const META = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} };

const request = (method: string, params?: object) =>
  readMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
const notification = (method: string, params?: object) =>
  readMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params })));
const stateless = (method: string, params: object = {}, meta: object = META) =>
  request(method, { ...params, _meta: meta });
const head = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});
const codeOf = (fault: RpcFault | undefined) => fault?.code;

describe('the era of a message', () => {
  it.each([undefined, '', '1.0', '2025-11-25', '2019-01-01', '2026-07-27', '3000', 'zzzz-99-99'])(
    'is that of the handshake where the head says %s',
    (version) => expect(eraOfHead({ 'mcp-protocol-version': version })).toBe(handshakeEra),
  );

  it.each(['2026-07-28', '2027-01-01', '9999-12-31'])(
    'is the stateless one where the head says %s',
    (version) => expect(eraOfHead({ 'mcp-protocol-version': version })).toBe(statelessEra),
  );

  it('is the stateless one where the body claims a version, whatever the head says', () => {
    for (const claim of ['2026-07-28', '2025-11-25', 'v999.0.0', 7, null]) {
      const message = request('ping', { _meta: { [VERSION]: claim } });
      expect(eraOf(message, { 'mcp-protocol-version': '2025-11-25' })).toBe(statelessEra);
    }
  });

  it('is not changed by anything else in _meta', () => {
    const message = request('ping', { _meta: { progressToken: 1, [CAPABILITIES]: {} } });
    expect(eraOf(message, {})).toBe(handshakeEra);
  });
});

describe('the era of the handshake', () => {
  it.each([undefined, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('speaks %s', (version) =>
    expect(handshakeEra.judge(request('ping'), { 'mcp-protocol-version': version })).toBeUndefined(),
  );

  it.each(['', '1.0', '2025-11-25 '])('does not speak "%s"', (version) =>
    expect(codeOf(handshakeEra.judge(request('ping'), { 'mcp-protocol-version': version }))).toBe(-32000),
  );

  it('says nothing of a result or a fault but what every era says', () => {
    expect(handshakeEra.resultOf('tools/list', '{"tools":[]}')).toBe('{"tools":[]}');
  });
});

describe('the stateless era', () => {
  const judge = (...given: Parameters<typeof statelessEra.judge>) => statelessEra.judge(...given);

  it('takes what says all that it must', () => {
    expect(judge(stateless('tools/list'), head('tools/list'))).toBeUndefined();
    expect(judge(stateless('tools/call', { name: 'x' }), head('tools/call', 'x'))).toBeUndefined();
    expect(judge(stateless('resources/read', { uri: 'a:b' }), head('resources/read', 'a:b'))).toBeUndefined();
  });

  it.each([
    ['no _meta', {}],
    ['no version', { _meta: { [CAPABILITIES]: {} } }],
    ['a version that is no text', { _meta: { ...META, [VERSION]: 7 } }],
    ['a version without an end', { _meta: { ...META, [VERSION]: '2'.repeat(65) } }],
    ['no capabilities', { _meta: { [VERSION]: '2026-07-28' } }],
    ['capabilities that are none', { _meta: { ...META, [CAPABILITIES]: [] } }],
    ['a client that is none', { _meta: { ...META, 'io.modelcontextprotocol/clientInfo': 'me' } }],
  ])('refuses %s with 400, -32602', (_what, params) =>
    expect(judge(request('tools/list', params), head('tools/list'))).toMatchObject({
      code: -32602,
      status: 400,
    }),
  );

  it.each(['v999.0.0', '2025-11-25', '2027-01-01'])('names what it speaks to who speaks %s', (version) => {
    const message = stateless('tools/list', {}, { ...META, [VERSION]: version });
    expect(judge(message, { ...head('tools/list'), 'mcp-protocol-version': version })).toMatchObject({
      code: -32022,
      status: 400,
      data: { supported: ['2026-07-28'], requested: version },
    });
  });

  it('names what it speaks to a later revision that says its version in the head alone', () => {
    expect(judge(request('tools/list'), { 'mcp-protocol-version': '2027-01-01' })).toMatchObject({
      code: -32022,
      data: { requested: '2027-01-01' },
    });
  });

  const call = (name: string) => stateless('tools/call', { name });
  it.each([
    ['another version', call('x'), { ...head('tools/call', 'x'), 'mcp-protocol-version': '2025-11-25' }],
    ['no version', call('x'), { 'mcp-method': 'tools/call', 'mcp-name': 'x' }],
    ['another method', call('x'), head('tools/list', 'x')],
    ['the method in capitals', call('x'), head('TOOLS/CALL', 'x')],
    ['no method', call('x'), { 'mcp-protocol-version': '2026-07-28', 'mcp-name': 'x' }],
    ['another name', call('x'), head('tools/call', 'y')],
    ['two names', call('x'), head('tools/call', 'x, x')],
    ['no name', call('x'), head('tools/call')],
    ['another resource', stateless('resources/read', { uri: 'a:b' }), head('resources/read', 'a:c')],
    ['another prompt', stateless('prompts/get', { name: 'x' }), head('prompts/get', 'y')],
  ])('refuses a head with %s with 400, -32020', (_what, message, headers) =>
    expect(judge(message, headers)).toMatchObject({ code: -32020, status: 400 }),
  );

  it.each([
    ['Hello', '=?base64?SGVsbG8=?=', undefined],
    ['ünï', `=?base64?${Buffer.from('ünï').toString('base64')}?=`, undefined],
    ['', '=?base64??=', undefined],
    ['=?base64?SGVsbG8=', '=?base64?SGVsbG8=', undefined],
    ['SGVsbG8=?=', 'SGVsbG8=?=', undefined],
    ['Hello', 'SGVsbG8=', -32020],
    ['Hello', '=?base64?SGVsbG8?=', -32020],
    ['Hello', '=?base64?SGVs!!!bG8=?=', -32020],
    ['Hello', '=?BASE64?SGVsbG8=?=', -32020],
    ['Hallo', '=?base64?SGVsbG8=?=', -32020],
    ['=?base64?=', '=?base64?=', -32020],
    ['\ufffd', '=?base64?/w==?=', -32020],
    ['=?base64?SGVsbG8=?=', '=?base64?SGVsbG8=?=', -32020],
  ])('holds the name %j against the header %j', (name, header, code) =>
    expect(codeOf(judge(call(name), head('tools/call', header)))).toBe(code),
  );

  it('leaves params without a name to who knows what they should be', () => {
    expect(judge(stateless('tools/call', { name: 7 }), head('tools/call'))).toBeUndefined();
    expect(judge(stateless('resources/read'), head('resources/read', 'x'))).toBeUndefined();
  });

  it.each(['ping', 'initialize', 'logging/setLevel', 'subscriptions/listen', 'tools/steal', 'constructor'])(
    'has no method %s: 404, -32601',
    (method) => expect(judge(stateless(method), head(method))).toMatchObject({ code: -32601, status: 404 }),
  );

  it('takes a notification by its header alone, and refuses one that contradicts itself', () => {
    const noted = notification('notifications/cancelled');
    expect(judge(noted, { 'mcp-protocol-version': '2026-07-28' })).toBeUndefined();
    expect(codeOf(judge(noted, head('notifications/other')))).toBe(-32020);
    expect(codeOf(judge(noted, { 'mcp-protocol-version': '2027-01-01' }))).toBe(-32022);
    const claims = notification('notifications/cancelled', { _meta: { [VERSION]: '2026-07-28' } });
    expect(codeOf(judge(claims, { 'mcp-protocol-version': '2025-11-25' }))).toBe(-32020);
  });

  it('takes no answers, for it asks nothing', () => {
    const answer = readMessage(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}'));
    expect(codeOf(judge(answer, { 'mcp-protocol-version': '2026-07-28' }))).toBe(-32600);
  });

  it('says of every result that it is complete and whose it is, and of some how long it holds', () => {
    const members = {
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': expect.anything() },
    };
    const cached = { ttlMs: 3_600_000, cacheScope: 'public' };
    const of = (method: string, json: string) => JSON.parse(statelessEra.resultOf(method, json));
    expect(of('tools/call', '{"content":[]}')).toEqual({ content: [], ...members });
    expect(of('completion/complete', '{}')).toEqual(members);
    for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
      expect(of(method, '{"list":[]}')).toEqual({ list: [], ...members, ...cached });
    }
    // Keys are shown the tools that they may call.
    expect(of('tools/list', '{"tools":[]}')).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'private' });
    expect(of('resources/read', '{"contents":[]}')).toMatchObject(cached);
    expect(of('prompts/get', '{"messages":[]}')).not.toHaveProperty('ttlMs');
  });
});
