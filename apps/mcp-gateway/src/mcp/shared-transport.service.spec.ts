import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListPromptsRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { RpcFault } from '../json-rpc.protocol';
import type { RpcExchange } from './rpc-exchange.protocol';
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
  http: {
    setHeader: () => undefined,
    letGo: () => undefined,
    response: new ServerResponse(new IncomingMessage(new Socket())),
  },
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
  const ask = async (method: string, params?: Record<string, unknown>, own = exchange()) =>
    JSON.parse(await transport.ask({ method, params }, own));
  const faultOf = (method: string, params?: Record<string, unknown>) =>
    transport.ask({ method, params }, exchange()).then(
      () => undefined,
      ({ code, message }: RpcFault) => ({ code, message }),
    );
  return { transport, ask, faultOf, waiting, errors, throwing: (error: Error) => (thrown = error) };
}

describe('the shared transport', () => {
  it('answers everybody with their own, in any order', async () => {
    const { ask, waiting } = await connected();
    const answers = ['a', 'b', 'c'].map((requestId) => ask('tools/list', {}, { ...exchange(), requestId }));
    await new Promise(setImmediate);
    for (const release of waiting.reverse()) release();
    const settled = await Promise.all(answers);
    expect(settled.map((result) => result._meta.requestId)).toEqual(['a', 'b', 'c']);
  });

  it('sends the JSON that a handler has at hand', async () => {
    const { ask, waiting } = await connected();
    const own = { ...exchange(), resultJson: '{"ready":true}' };
    const answer = ask('tools/list', {}, own);
    await new Promise(setImmediate);
    waiting.forEach((release) => release());
    expect(await answer).toEqual({ ready: true });
  });

  it('says a fault in its own words', async () => {
    const { faultOf } = await connected();
    expect(await faultOf('prompts/list')).toEqual({ code: -32602, message: 'ours' });
  });

  it('keeps what else a handler throws to itself, and reports it', async () => {
    const { faultOf, throwing, errors } = await connected();
    throwing(Object.assign(new Error('password=hunter2'), { code: -32000, data: { secret: 1 } }));
    expect(await faultOf('prompts/list')).toEqual({ code: -32603, message: 'Internal error.' });
    expect(errors).toHaveLength(1);
  });

  it("does not pass on the words of the SDK's parser", async () => {
    const { faultOf } = await connected();
    expect(await faultOf('prompts/list', { cursor: 7 })).toEqual({
      code: -32602,
      message: 'The params do not have the shape that this method takes.',
    });
    expect((await faultOf('initialize', { protocolVersion: 1 }))?.code).toBe(-32602);
    expect(await faultOf('nope')).toEqual({ code: -32601, message: 'Method not found.' });
  });

  it.each([
    [null],
    [7],
    [{ progressToken: 1.5 }],
    [{ progressToken: null }],
    [{ 'io.modelcontextprotocol/related-task': 7 }],
  ])('refuses a _meta that the SDK would leave without an answer: %j', async (_meta) => {
    const { faultOf, errors } = await connected();
    for (const method of ['tools/list', 'prompts/list', 'ping', 'nope']) {
      expect(await faultOf(method, { _meta })).toEqual({
        code: -32602,
        message: 'The params do not have the shape that this method takes.',
      });
    }
    // Mutation: the SDK writes the whole message to the log.
    expect(errors).toEqual([]);
  });

  it('keeps nothing of a request whose client is gone', async () => {
    const { transport, waiting, errors } = await connected();
    const own = exchange();
    const refused = expect(transport.ask({ method: 'tools/list' }, own)).rejects.toMatchObject({
      code: -32603,
      message: 'The request is no longer open.',
    });
    await new Promise(setImmediate);
    expect(waiting).toHaveLength(1);
    own.http.response.emit('close');
    await refused;
    await expect(transport.handle(1, () => 'kept')).rejects.toThrow('The request is no longer open.');
    // What its handler brings later is dropped.
    waiting.forEach((release) => release());
    await new Promise(setImmediate);
    expect(errors).toEqual([]);
  });
});
