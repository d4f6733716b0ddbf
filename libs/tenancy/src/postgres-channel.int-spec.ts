import { createTestDatabaseWith, freePort, tcpProxy, waitUntil, type TestDatabase } from '@outcomes/testing';
import type { ClientConfig } from 'pg';
import { PostgresChannel } from './postgres-channel';

const NAME = 'news';

describe('a channel of Postgres', () => {
  let database: TestDatabase;
  let channel: PostgresChannel;
  let messages: string[];
  /** For each gap, whether the channel said at that time that it is heard. */
  let gaps: boolean[];

  beforeAll(async () => {
    database = await createTestDatabaseWith(() => Promise.resolve());
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    messages = [];
    gaps = [];
  });
  afterEach(() => channel.stop());

  const open = (config: () => ClientConfig | undefined, name = NAME, onGap = () => {}) => {
    channel = new PostgresChannel(config, name, {
      message: (payload) => messages.push(payload),
      gap: () => {
        gaps.push(channel.isHeard);
        onGap();
      },
    });
  };
  const through = (connectionString: string) => () => ({ connectionString, application_name: NAME });
  const heard = () => waitUntil('the channel to be heard', () => channel.isHeard);
  const tell = (payload: string) => database.query('SELECT pg_notify($1, $2)', [NAME, payload]);
  const connections = () =>
    database.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      [NAME],
    );
  const noConnection = () =>
    waitUntil('the connection to end', async () => (await connections()).length === 0);

  it('brings what is told with a commit, in order, and nothing of another channel', async () => {
    open(through(database.ownerUrl));
    expect([channel.isHeard, gaps]).toEqual([false, []]);
    await heard();
    expect(gaps).toEqual([false]);
    await database.query(`BEGIN; NOTIFY ${NAME}, 'taken back'; ROLLBACK; NOTIFY other, 'not for it'`);
    await tell('first');
    await database.query(`NOTIFY ${NAME}`);
    await tell('last');
    await waitUntil('the last message', () => messages.includes('last'));
    expect(messages).toEqual(['first', '', 'last']);
    expect(gaps).toHaveLength(1);
  });

  it('is heard again after its connection broke, and says at both ends that something may be missing', async () => {
    open(through(database.ownerUrl));
    await heard();
    const [connection] = await connections();
    await database.query('SELECT pg_terminate_backend($1)', [connection?.pid]);
    await waitUntil('the loss to be told', () => gaps.length === 2);
    expect(channel.isHeard).toBe(false);
    await heard();
    expect(gaps).toEqual([false, false, false]);
    await tell('again');
    await waitUntil('the message', () => messages.includes('again'));
    expect(await connections()).toHaveLength(1);
  });

  it('is heard once Postgres is there', async () => {
    const proxy = await tcpProxy(database.ownerUrl);
    await proxy.cut();
    open(through(proxy.url));
    await waitUntil('the failure to be told', () => gaps.length === 1);
    await proxy.restore();
    await heard();
    channel.stop();
    await proxy.close();
  });

  it('keeps no connection over which it cannot listen', async () => {
    open(through(database.ownerUrl), 'not a name');
    await waitUntil('the failure to be told', () => gaps.length === 1);
    expect(channel.isHeard).toBe(false);
    await noConnection();
  });

  it('ends for good, also while it connects, and says nothing of that', async () => {
    open(through(database.ownerUrl));
    await heard();
    channel.stop();
    channel.stop();
    expect(channel.isHeard).toBe(false);
    await noConnection();
    expect(gaps).toHaveLength(1);
    open(through(database.ownerUrl));
    channel.stop();
    await noConnection();
    expect([channel.isHeard, gaps.length]).toEqual([false, 1]);
  });

  describe('that has no way to Postgres', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
    afterEach(() => jest.useRealTimers());

    it('asks for one every half second, and no more once it was stopped', () => {
      const config = jest.fn(() => undefined);
      open(config);
      jest.advanceTimersByTime(499);
      expect(config).toHaveBeenCalledTimes(1);
      jest.advanceTimersByTime(501);
      expect(config).toHaveBeenCalledTimes(3);
      channel.stop();
      expect(jest.getTimerCount()).toBe(0);
    });

    it.each(['when it is told of the loss', 'later'])(
      'is not tried again where it is stopped %s',
      async (when) => {
        const port = await freePort();
        const lost = new Promise<void>((resolve) => {
          open(
            () => ({ host: '127.0.0.1', port }),
            NAME,
            () => {
              if (when !== 'later') channel.stop();
              resolve();
            },
          );
        });
        await lost;
        if (when === 'later') channel.stop();
        expect(jest.getTimerCount()).toBe(0);
      },
    );
  });
});
