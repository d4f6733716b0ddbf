import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source';
import { migrateDatabase } from './migrate';

/** What Postgres says to every connection that it ends: an ErrorResponse of class FATAL. */
const ENDED = errorResponse('SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection');
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

describe('a connection that Postgres ends in the moment in which it is ready', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let server: Server;
  let endsNext = false;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    const url = new URL(await database.loginAs('outcomes_ingest'));
    const { hostname, port } = url;
    server = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
      near.pipe(far);
      far.on('data', (bytes) => {
        const isEnd = endsNext && bytes.subarray(-READY.length).equals(READY);
        if (isEnd) endsNext = false;
        near.write(isEnd ? Buffer.concat([bytes, ENDED]) : bytes);
        if (isEnd) near.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    dataSource = createDataSource({
      ...{ url: url.toString(), applicationName: 'ended', poolSize: 2 },
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

  it('fails whoever asked for it, and nothing else', async () => {
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
});

function errorResponse(...fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
