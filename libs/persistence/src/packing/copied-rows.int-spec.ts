import { createTestDatabaseWith, type TestDatabase } from '@outcomes/testing';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../database/data-source';
import { bigintOf, copiedRows } from './copied-rows';

describe('rows that are copied as bytes', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let client: PoolClient;
  let release: () => Promise<void>;

  beforeAll(async () => {
    database = await createTestDatabaseWith(async () => undefined);
    const options = { applicationName: 'copied', poolSize: 1, statementTimeoutMs: 5_000 };
    dataSource = await createDataSource({
      ...{ url: database.ownerUrl, ...options, connectTimeoutMs: 2_000 },
    }).initialize();
    const runner = dataSource.createQueryRunner();
    client = (await runner.connect()) as PoolClient;
    release = () => runner.release();
    await client.query('CREATE TABLE packed (id bigint, part int, counts bytea)');
    await client.query(
      `INSERT INTO packed SELECT 281474976710655 - n, n - 2, CASE WHEN n % 5 > 0 THEN decode(repeat(to_hex(16 + n % 200), n * 40), 'hex') END
       FROM generate_series(0, 300) AS n`,
    );
  });
  afterAll(async () => {
    await release();
    await dataSource.destroy();
    await database.drop();
  });

  beforeEach(() => client.query('BEGIN'));
  afterEach(() => client.query('ROLLBACK'));

  it('are what the driver reads as text, however many parts they come in', async () => {
    const query =
      'SELECT id, part, counts FROM packed WHERE $1::text IS NOT NULL AND part > $2::int ORDER BY id';
    const values = ['company', 3] as const;
    const { rows } = await client.query<{ id: string; part: number; counts: Buffer | null }>(query, [
      ...values,
    ]);
    const copied = await copiedRows(client, query, values);
    expect(rows.length).toBe(295);
    expect(
      copied.map(([id, part, counts]) =>
        [bigintOf(id as Buffer), (part as Buffer).readInt32BE(), counts?.toString('base64')].join(' '),
      ),
    ).toEqual(rows.map(({ id, part, counts }) => [id, part, counts?.toString('base64')].join(' ')));
  });

  it('take whole numbers, lists of them, and words, whatever stands in these', async () => {
    const query = 'SELECT id FROM packed WHERE part = ANY ($3::int[]) AND $1 = $2::text ORDER BY id DESC';
    const word = `it's \\ "all" $2 {}`;
    const found = await copiedRows(client, query, [word, word, [-1, 5]]);
    expect(found.map(([id]) => 281_474_976_710_655 - bigintOf(id as Buffer))).toEqual([1, 7]);
    expect(await copiedRows(client, query, [word, word, []])).toEqual([]);
    expect(await copiedRows(client, query, [word, 'another', [-1]])).toEqual([]);
    await expect(copiedRows(client, query, [word, 1, 2, 3, 4, 5])).rejects.toThrow(RangeError);
  });

  it('hold what was read before while others are read', async () => {
    const query = 'SELECT counts FROM packed WHERE part BETWEEN $2::int AND $2::int + 20 ORDER BY id';
    const first = await copiedRows(client, query, ['', 100]);
    const kept = first.map(([counts]) => counts?.toString('hex'));
    const [second, third] = await Promise.all([
      copiedRows(client, query, ['', 200]),
      copiedRows(client, query, ['', 10]),
    ]);
    expect(first.map(([counts]) => counts?.toString('hex'))).toEqual(kept);
    const hexOf = (rows: typeof first) => rows.map(([counts]) => counts?.toString('hex'));
    expect(hexOf(second)).not.toEqual(hexOf(third));
    expect(hexOf(third)).toEqual(hexOf(await copiedRows(client, query, ['', 10])));
  });

  it('fail as statements do, and leave the connection as it was', async () => {
    await client.query('SAVEPOINT before');
    await expect(copiedRows(client, 'SELECT 1 / (part - 5) FROM packed', [''])).rejects.toMatchObject({
      code: '22012',
    });
    await client.query('ROLLBACK TO before');
    const [copied, { rows }] = await Promise.all([
      copiedRows(client, 'SELECT part FROM packed WHERE part = $2::int', ['', 7]),
      client.query('SELECT 8 AS part'),
    ]);
    expect([copied.map(([part]) => part?.readInt32BE()), rows]).toEqual([[7], [{ part: 8 }]]);
  });
});
