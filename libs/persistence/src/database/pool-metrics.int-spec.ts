import { Management } from '@outcomes/platform';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source';
import { observePool } from './pool-metrics';

describe('what operators see of the pool', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  const management = new Management('outcomes-a-service');

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = createDataSource({
      url: await database.loginAs('outcomes_ingest'),
      applicationName: 'pool-test',
      poolSize: 2,
      statementTimeoutMs: 5_000,
      connectTimeoutMs: 20_000,
    });
    observePool(management, dataSource, 2);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const seen = async () => {
    const text = await management.registry.metrics();
    const value = (name: string, label = '') =>
      Number(new RegExp(`^outcomes_database_${name}\\{${label}[^}]*\\} (\\d+)$`, 'm').exec(text)?.[1]);
    return {
      inUse: value('connections', 'state="in_use"'),
      idle: value('connections', 'state="idle"'),
      waiting: value('waiting'),
      limit: value('connections_limit'),
    };
  };

  it('is nothing before Postgres is there, then what is in use, idle and waited for', async () => {
    expect(await seen()).toEqual({ inUse: 0, idle: 0, waiting: 0, limit: 2 });
    await dataSource.initialize();
    const pool = (dataSource.driver as unknown as { master: Pool }).master;
    const held = [await pool.connect(), await pool.connect()];
    const third = pool.connect();
    expect(await seen()).toEqual({ inUse: 2, idle: 0, waiting: 1, limit: 2 });
    held[0]?.release();
    (await third).release();
    expect(await seen()).toEqual({ inUse: 1, idle: 1, waiting: 0, limit: 2 });
    held[1]?.release();
  });
});
