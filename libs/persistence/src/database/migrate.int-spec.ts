import { createTestDatabaseWith, waitUntil, type TestDatabase } from '@outcomes/testing';
import { Client } from 'pg';
import { bringUpTo, migrateDatabase, migrationNames } from './migrate';

describe('migrations beside traffic', () => {
  let database: TestDatabase;
  const names = migrationNames();
  // The newest that change analysis_plans, which is read here meanwhile.
  const before = names.slice(0, names.indexOf('NoteAnalyses1791001600000'));

  beforeAll(async () => {
    database = await createTestDatabaseWith((url) => bringUpTo(url, before));
  });
  afterAll(() => database.drop());

  const connected = async () => {
    const client = new Client({ connectionString: database.ownerUrl });
    await client.connect();
    return client;
  };

  it('let everybody pass while somebody reads for long, and run when he is done', async () => {
    const [reader, passer] = [await connected(), await connected()];
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM analysis_plans');
    const migrating = migrateDatabase(database.ownerUrl);
    await waitUntil('a migration that waits for its lock', async () => {
      const [row] = await database.query<{ waits: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'analysis_plans'::regclass AND NOT granted) AS waits`,
      );
      return row?.waits === true;
    });
    // Mutation: without a limit of the wait this would be answered after the reader's end only, which waits for it.
    const passed = await passer.query('SELECT count(*) AS plans FROM analysis_plans');
    expect(passed.rows).toEqual([{ plans: '0' }]);
    await reader.query('COMMIT');
    expect(await migrating).toEqual(names.slice(before.length));
    expect(await migrateDatabase(database.ownerUrl)).toEqual([]);
    await Promise.all([reader.end(), passer.end()]);
  });
});
