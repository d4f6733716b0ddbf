import { createTestDatabaseWith, tcpProxy, waitUntil, type TestDatabase } from '@outcomes/testing';
import { Client } from 'pg';
import { PipelinedReads, type ReadsConfig } from './pipelined-reads';
import { ReplicaReads } from './replica-reads';

const OWN_PID = { name: 'own_pid', text: 'SELECT pg_backend_pid() AS pid', values: [] };
const LOCK = 7;
/** Answered once the test releases the lock. */
const HELD = { name: 'held', text: 'SELECT pg_advisory_xact_lock_shared($1)', values: [LOCK] };

describe('pipelined reads', () => {
  let database: TestDatabase;
  let reads: PipelinedReads;
  beforeAll(async () => {
    database = await createTestDatabaseWith(() => Promise.resolve());
  });
  afterAll(() => database.drop());
  afterEach(() => reads.stop());

  const configFor = (connectionString: string): ReadsConfig => ({ connectionString });
  const pidOf = async () => (await reads.run<{ pid: number }>(OWN_PID))[0]?.pid;
  const ended = (pid: number | undefined) =>
    waitUntil('the connection to end', async () => {
      const rows = await database.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid]);
      return rows.length === 0;
    });
  /** @returns what is read while a lock is held, and `release` for the lock */
  const heldRead = async () => {
    await database.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const read = reads.run(HELD);
    return { read, release: () => database.query('SELECT pg_advisory_unlock($1)', [LOCK]) };
  };

  describe('over their connection: it', () => {
    it('is one for as long as the configuration is, and answers what is under way when that changes', async () => {
      let config = configFor(database.ownerUrl);
      reads = new PipelinedReads(() => config);
      const first = await pidOf();
      expect(await pidOf()).toBe(first);
      const { read, release } = await heldRead();
      config = configFor(database.ownerUrl);
      const second = await pidOf();
      expect(second).not.toBe(first);
      await release();
      expect(await read).toHaveLength(1);
      await ended(first);
      expect(await pidOf()).toBe(second);
    });

    it('is made with the kind of client that is asked for', async () => {
      const made: Client[] = [];
      class Known extends Client {
        constructor(config?: ReadsConfig) {
          super(config);
          made.push(this);
        }
      }
      reads = new PipelinedReads(() => ({ ...configFor(database.ownerUrl), Client: Known }));
      await pidOf();
      expect(made).toHaveLength(1);
    });

    it('is made anew after it was lost between reads, or could not be opened', async () => {
      const proxy = await tcpProxy(database.ownerUrl);
      const config = configFor(proxy.url);
      reads = new PipelinedReads(() => config);
      const first = await pidOf();
      await proxy.cut();
      await ended(first);
      await expect(pidOf()).rejects.toThrow();
      await expect(pidOf()).rejects.toThrow('ECONNREFUSED');
      await proxy.restore();
      expect(await pidOf()).toEqual(expect.any(Number));
      await reads.stop();
      await proxy.close();
    });

    it('takes a read before those ahead of it are answered', async () => {
      const proxy = await tcpProxy(database.ownerUrl);
      const config = configFor(proxy.url);
      reads = new PipelinedReads(() => config);
      await pidOf();
      proxy.hold();
      const lock = { name: 'lock', text: 'SELECT pg_advisory_lock($1)', values: [LOCK + 1] };
      const answers = Promise.all([reads.run(OWN_PID), reads.run(lock)]);
      await waitUntil('the second to reach the server', async () => {
        const locks = await database.query(
          `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE datname = current_database() AND locktype = 'advisory' AND objid = $1`,
          [LOCK + 1],
        );
        return locks.length > 0;
      });
      await proxy.restore();
      expect(await answers).toHaveLength(2);
      await reads.stop();
      await proxy.close();
    });

    it('ends once what is under way is answered, and takes nothing more', async () => {
      const config = configFor(database.ownerUrl);
      reads = new PipelinedReads(() => config);
      const pid = await pidOf();
      const { read, release } = await heldRead();
      const stopped = reads.stop();
      await expect(pidOf()).rejects.toThrow('closed');
      await release();
      expect(await read).toHaveLength(1);
      await stopped;
      await ended(pid);
      await reads.stop();
    });

    it('needs no end where there is none', async () => {
      reads = new PipelinedReads(() => configFor('postgres://x@127.0.0.1:1/x'));
      await reads.stop();
      reads = new PipelinedReads(() => configFor('postgres://x@127.0.0.1:1/x'));
      const refused = expect(pidOf()).rejects.toThrow('ECONNREFUSED');
      await reads.stop();
      await refused;
    });
  });

  describe('of a replica, beside a real primary,', () => {
    /** A position of the log as Postgres prints it, two hexadecimal halves, in bytes. */
    const bytesOf = (lsn: string) => {
      const [high, low] = lsn.split('/').map((half) => BigInt(`0x${half}`));
      return ((high ?? 0n) << 32n) + (low ?? 0n);
    };
    const flushed = async () => {
      const [row] = await database.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
      return bytesOf(row?.lsn ?? '');
    };
    let config: ReadsConfig;
    beforeEach(() => {
      config = configFor(database.ownerUrl);
    });
    const answers = async (at: bigint) => {
      const standby = {
        run: () => Promise.resolve([{ position: String(at) }] as never[]),
        stop: () => reads.stop(),
      };
      const replica = new ReplicaReads({ config, maxAgeMs: 60_000 }, reads, standby);
      await replica.check();
      return (await replica.run(OWN_PID).finally(() => replica.stop())) !== undefined;
    };

    it('are taken from a standby that has all of its log, and not from one that lacks a byte', async () => {
      reads = new PipelinedReads(() => config);
      const before = await flushed();
      expect(await answers(before - 1n)).toBe(false);
      reads = new PipelinedReads(() => config);
      // Whatever the server writes meanwhile, such as a checkpoint, is less.
      expect(await answers((await flushed()) + 1_000_000n)).toBe(true);
    });

    it('are not taken from a server that is no standby itself', async () => {
      reads = new PipelinedReads(() => config);
      const told: unknown[] = [];
      const onChange = (isUsed: boolean) => told.push(isUsed);
      const replica = new ReplicaReads({ config, maxAgeMs: 60_000, onChange }, reads);
      await replica.check();
      expect(await replica.run(OWN_PID)).toBeUndefined();
      await replica.stop();
      expect(told).toEqual([]);
    });
  });
});
