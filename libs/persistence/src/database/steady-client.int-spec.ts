import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import type { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source';

/** What Postgres says to every connection that it ends: an ErrorResponse of class FATAL. */
const ENDED = errorResponse('SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection');
const MEGABYTE = 1_048_576;
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

describe('a connection to Postgres', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let url: string;
  let server: Server;
  let endsNext = false;
  let isSilent = false;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    database = await createTestDatabase();
    const address = new URL(await database.loginAs('outcomes_ingest'));
    const { hostname, port } = address;
    server = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
      near.pipe(far);
      far.on('data', (bytes) => {
        if (isSilent) return;
        const isEnd = endsNext && bytes.subarray(-READY.length).equals(READY);
        if (isEnd) endsNext = false;
        near.write(isEnd ? Buffer.concat([bytes, ENDED]) : bytes);
        if (isEnd) near.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address.hostname = '127.0.0.1';
    address.port = String((server.address() as AddressInfo).port);
    url = address.toString();
    dataSource = createDataSource({
      ...{ url, applicationName: 'ended', poolSize: 2 },
      ...{ statementTimeoutMs: 5_000, connectTimeoutMs: 20_000 },
    });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
    await database.drop();
  });

  it('that is ended in the moment in which it is ready fails whoever asked for it, and nothing else', async () => {
    const first = dataSource.createQueryRunner();
    await first.query('SELECT 1');
    endsNext = true;
    const second = dataSource.createQueryRunner();
    await expect(second.query('SELECT 1')).rejects.toBeDefined();
    expect(endsNext).toBe(false);
    await first.release();
    await second.release().catch(() => undefined);
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('that says nothing any more is ended when the first answer is overdue, for all that wait behind it', async () => {
    const impatient = createDataSource({
      ...{ url, applicationName: 'silent', poolSize: 1 },
      ...{ statementTimeoutMs: 100, connectTimeoutMs: 20_000 },
    });
    await impatient.initialize();
    const runner = impatient.createQueryRunner();
    const client = (await runner.connect()) as Client;
    await client.query('SELECT 1');
    isSilent = true;
    const asked = performance.now();
    const failures = await Promise.allSettled([client.query('SELECT 1'), client.query('SELECT 2')]);
    // Mutation: nobody looks.
    expect(performance.now() - asked).toBeGreaterThanOrEqual(1_100);
    isSilent = false;
    for (const failure of failures)
      expect(failure).toMatchObject({ status: 'rejected', reason: { message: 'Query read timeout' } });
    await runner.release().catch(() => undefined);
    expect(await impatient.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await impatient.destroy();
  });

  it('leaves parameters and rows of a statement to a collection of the young', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
    const runner = dataSource.createQueryRunner();
    const client = (await runner.connect()) as Client;
    const text = 'SELECT length($1::bytea) AS length';
    const held = async () => {
      collect({ type: 'minor' });
      await new Promise(setImmediate);
      collect({ type: 'minor' });
      return process.memoryUsage().arrayBuffers;
    };
    const left = async () => {
      const before = await held();
      for (let count = 0; count < 20; count += 1)
        await client.query({ name: 'length', text, values: [Buffer.alloc(MEGABYTE)] });
      return (await held()) - before;
    };
    // What is under way when V8 collects of itself may grow old. Mutation: the driver's own time-out. Then all is held,
    // every time.
    expect(Math.min(await left(), await left(), await left())).toBeLessThan(5 * MEGABYTE);
    await runner.release();
  });
});

function errorResponse(...fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
