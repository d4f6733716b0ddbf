import { tcpProxy, testRedisUrl, waitUntil } from '@outcomes/testing';
import { createRedis, RedisTimeout, type Redis } from './create-redis';

describe('a Redis connection', () => {
  let redis: Redis | undefined;
  afterEach(() => redis?.disconnect());

  const connect = async (url: string): Promise<Redis> => {
    const made = createRedis({ url, sentinels: [] }, 'test', () => undefined);
    redis = made;
    await waitUntil('Redis to be there', () => made.status === 'ready');
    return made;
  };

  // Mutation: ioredis alone, which says that every one of them timed out.
  it('reads the replies that arrived while the process stood still', async () => {
    const made = await connect(testRedisUrl());
    await beforeTimers();
    const answers = Promise.all([made.ping(), made.echo('one'), made.echo('two')]);
    // The commands are written at the end of this turn.
    await new Promise(process.nextTick);
    standStill(700);
    await expect(answers).resolves.toEqual(['PONG', 'one', 'two']);
  });

  it('tells of an error that arrived meanwhile', async () => {
    const made = await connect(testRedisUrl());
    await beforeTimers();
    const answer = expect(made.call('nonsense')).rejects.toThrow('unknown command');
    await new Promise(process.nextTick);
    standStill(700);
    await answer;
  });

  it('gives up on a Redis that does not answer, and tells what it answers after all', async () => {
    const proxy = await tcpProxy(testRedisUrl());
    const made = await connect(proxy.url);
    proxy.hold();
    const late = await made.ping().catch((error: unknown) => error);
    expect(late).toBeInstanceOf(RedisTimeout);
    await proxy.restore();
    await expect((late as RedisTimeout).reply).resolves.toEqual(Buffer.from('PONG'));
    await proxy.close();
  });
});

/** Where timers come next in the turn of the event loop, and sockets only after them. */
function beforeTimers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** As a process does that its machine gives no time. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
