import fc from 'fast-check';
import { faultAnswer, readMessage, RpcFault } from './json-rpc.protocol';

const read = (text: string) => readMessage(Buffer.from(text));
const codeOf = (work: () => unknown): number | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof RpcFault ? error.code : Number.NaN;
  }
};

describe('one JSON-RPC message', () => {
  it('is a request with its id, method and params', () => {
    const message = read('{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":1},"extra":true}');
    expect(message).toEqual({ kind: 'request', id: 'a', method: 'ping', params: { x: 1 } });
  });

  it('keeps an id of 0 and an empty id', () => {
    expect(read('{"jsonrpc":"2.0","id":0,"method":"ping"}')).toMatchObject({ id: 0 });
    expect(read('{"jsonrpc":"2.0","id":"","method":"ping"}')).toMatchObject({ id: '' });
  });

  it('is only noted where it wants no answer', () => {
    expect(read('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toEqual({
      kind: 'notice',
      method: 'notifications/initialized',
    });
    expect(read('{"jsonrpc":"2.0","id":1,"result":{}}')).toEqual({ kind: 'notice' });
    expect(read('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}')).toEqual({ kind: 'notice' });
  });

  it.each([
    ['nothing', ''],
    ['half an object', '{"jsonrpc":'],
    ['two documents', '{} {}'],
    ['a trailing comma', '{"a":1,}'],
  ])('is refused with -32700 where the body is %s', (_what, text) => {
    expect(codeOf(() => read(text))).toBe(-32700);
  });

  it('is refused with -32700 where the body is not UTF-8', () => {
    const broken = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","method":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    expect(codeOf(() => readMessage(broken))).toBe(-32700);
  });

  it.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
    ['an empty batch', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['no version', '{"id":1,"method":"ping"}'],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['a method that is no string', '{"jsonrpc":"2.0","id":1,"method":7}'],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'],
    ['neither method nor result', '{"jsonrpc":"2.0","id":1}'],
    ['an answer without an id', '{"jsonrpc":"2.0","result":{}}'],
  ])('is refused with -32600 where it is %s', (_what, text) => {
    expect(codeOf(() => read(text))).toBe(-32600);
  });

  it('is refused before parsing where it nests too deep, and only then', () => {
    const nested = (depth: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(depth)}1${'}'.repeat(depth + 1)}`;
    expect(codeOf(() => read(nested(31)))).toBeUndefined();
    expect(codeOf(() => read(nested(32)))).toBe(-32600);
    expect(codeOf(() => read('['.repeat(1_000_000)))).toBe(-32600);
  });

  it('is refused before parsing where it holds more values than any call needs, and only then', () => {
    const called = (values: number) => {
      const given = Object.fromEntries(Array.from({ length: values }, (_, n) => [`a${n}`, n]));
      const params = { name: 'get_bandit_state', arguments: given };
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    };
    // Five of the values are the message's own.
    expect(codeOf(() => read(called(1_995)))).toBeUndefined();
    expect(codeOf(() => read(called(2_001)))).toBe(-32600);
    expect(codeOf(() => read(called(104_000)))).toBe(-32600);
    expect(codeOf(() => read(`{"method":"tools/call"${','.repeat(2_001)}`))).toBe(-32600);
  });

  it('has room for the largest call that there is', () => {
    const contacts = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(256, ','));
    const given = { contact_ids: contacts, limit: 50, since: '2026-01-01T00:00:00Z', include_replay: true };
    const _meta = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`example.com/${n}`, [n]]));
    const params = { name: 'get_workflow_decisions', arguments: given, _meta };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(codeOf(() => read(text))).toBeUndefined();
  });

  it('may hold any number of brackets inside strings', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: '[{"\\'.repeat(100) });
    expect(codeOf(() => read(text))).toBeUndefined();
  });

  it('never fails with anything but a fault of ours', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc
            .jsonValue()
            .map((value) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: value })),
        ),
        (text) => {
          expect([undefined, -32700, -32600]).toContain(codeOf(() => read(text)));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a fault', () => {
  it('keeps what programs may want to know to itself unless that is handed over', () => {
    const fault = new RpcFault(-32602, 'No.', { status: 400, data: { uri: 'a' } });
    expect(JSON.parse(faultAnswer(1, fault)).error).toEqual({ code: -32602, message: 'No.' });
    expect(JSON.parse(faultAnswer(1, fault, fault.data)).error).toMatchObject({ data: { uri: 'a' } });
  });
});
