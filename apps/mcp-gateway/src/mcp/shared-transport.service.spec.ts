import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListPromptsRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { RpcFault } from '../json-rpc';
import type { RpcExchange } from './index';
import { SharedTransport } from './shared-transport.service';

const exchange = (): RpcExchange => ({
  caller: {
    identity: {} as RpcExchange['caller']['identity'],
    home: undefined,
    mayRead: true,
    presented: {},
  },
  requestId: 'r',
  arrivedAt: new Date(0),
  startedMs: 0,
  setHeader: () => undefined,
});

async function connected() {
  const transport = new SharedTransport();
  const server = new Server({ name: 'x', version: '1' }, { capabilities: { tools: {}, prompts: {} } });
  const errors: unknown[] = [];
  server.onerror = (error) => errors.push(error);
  const waiting: (() => void)[] = [];
  server.setRequestHandler(ListToolsRequestSchema, (_request, { requestId }) =>
    transport.handle(requestId, async (own) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { tools: [], _meta: { requestId: own.requestId } };
    }),
  );
  let thrown: Error = new RpcFault(-32602, 'ours');
  server.setRequestHandler(ListPromptsRequestSchema, (_request, { requestId }) =>
    transport.handle(requestId, () => {
      throw thrown;
    }),
  );
  await server.connect(transport);
  const ask = async (
    id: string | number,
    method: string,
    params?: Record<string, unknown>,
    own = exchange(),
  ) => JSON.parse(await transport.ask({ jsonrpc: '2.0', id, method, params }, own));
  return { ask, waiting, errors, throwing: (error: Error) => (thrown = error) };
}

describe('the shared transport', () => {
  it('answers callers who chose the same id each with their own, in any order', async () => {
    const { ask, waiting } = await connected();
    const answers = ['a', 'b', 'c'].map((requestId) =>
      ask(1, 'tools/list', {}, { ...exchange(), requestId }),
    );
    await new Promise(setImmediate);
    for (const release of waiting.reverse()) release();
    const settled = await Promise.all(answers);
    expect(settled.map(({ id }) => id)).toEqual([1, 1, 1]);
    expect(settled.map(({ result }) => result._meta.requestId)).toEqual(['a', 'b', 'c']);
  });

  it.each(['text', '', 0, -1, 9_007_199_254_740_991])('gives the id %j back as it was', async (id) => {
    const { ask } = await connected();
    expect(await ask(id, 'ping')).toEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it('sends the JSON that a handler has at hand', async () => {
    const { ask, waiting } = await connected();
    const own = { ...exchange(), resultJson: '{"ready":true}' };
    const answer = ask(1, 'tools/list', {}, own);
    await new Promise(setImmediate);
    waiting.forEach((release) => release());
    expect((await answer).result).toEqual({ ready: true });
  });

  it('says a fault in its own words', async () => {
    const { ask } = await connected();
    expect((await ask(1, 'prompts/list')).error).toEqual({ code: -32602, message: 'ours' });
  });

  it('keeps what else a handler throws to itself, and reports it', async () => {
    const { ask, throwing, errors } = await connected();
    throwing(Object.assign(new Error('password=hunter2'), { code: -32000, data: { secret: 1 } }));
    expect((await ask(1, 'prompts/list')).error).toEqual({ code: -32603, message: 'Internal error.' });
    expect(errors).toHaveLength(1);
  });

  it("does not pass on the words of the SDK's parser", async () => {
    const { ask } = await connected();
    const { error } = await ask(1, 'prompts/list', { cursor: 7 });
    expect(error).toEqual({
      code: -32602,
      message: 'The params do not have the shape that this method takes.',
    });
    expect((await ask(1, 'initialize', { protocolVersion: 1 })).error.code).toBe(-32602);
    expect((await ask(1, 'nope')).error).toEqual({ code: -32601, message: 'Method not found.' });
  });
});
