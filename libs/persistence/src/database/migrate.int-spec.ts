import { createTestDatabaseWith, waitUntil, waitingForLock, type TestDatabase } from '@outcomes/testing';
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
    await waitUntil(
      'a migration that waits for its lock',
      async () => (await waitingForLock(database, 'relation')).length > 0,
    );
    // Mutation: without a limit of the wait this would be answered after the reader's end only, which waits for it.
    const passed = await passer.query('SELECT count(*) AS plans FROM analysis_plans');
    expect(passed.rows).toEqual([{ plans: '0' }]);
    await reader.query('COMMIT');
    expect(await migrating).toEqual(names.slice(before.length));
    expect(await migrateDatabase(database.ownerUrl)).toEqual([]);
    await Promise.all([reader.end(), passer.end()]);
  });
});

describe('indexes that are built beside traffic', () => {
  let database: TestDatabase;
  const names = migrationNames();
  const before = names.slice(0, names.indexOf('IndexNextMessage1791003200000'));

  beforeEach(async () => {
    database = await createTestDatabaseWith((url) => bringUpTo(url, before));
  });
  afterEach(() => database.drop());

  const idOf = async (index: string) => {
    const [row] = await database.query<{ id: number | null }>(`SELECT to_regclass($1)::oid AS id`, [index]);
    return row?.id;
  };

  it('stay where they are complete, as those that somebody has built by hand', async () => {
    await database.query('CREATE INDEX touches_of_recipient ON touches (company_id, recipient_id, sent_at)');
    const id = await idOf('touches_of_recipient');
    await migrateDatabase(database.ownerUrl);
    expect(await idOf('touches_of_recipient')).toBe(id);
  });

  it('are built again where a build was broken off, or where something else has their name', async () => {
    await database.query('CREATE INDEX touches_of_recipient ON touches (company_id, recipient_id, sent_at)');
    await database.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'touches_of_recipient'::regclass`,
    );
    await database.query('CREATE INDEX touches_of_campaign ON companies (name)');
    // One that is not unique would let a contact be decided about twice.
    await database.query(
      `CREATE INDEX workflow_decisions_of_message
         ON workflow_decisions (company_id, after_touch_id, decided_at, contact_state)`,
    );
    await migrateDatabase(database.ownerUrl);
    const built = await database.query(
      `SELECT relname AS name, indrelid::regclass::text AS "table", indisvalid, indisunique
       FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname = ANY ($1) ORDER BY name`,
      [['touches_of_recipient', 'touches_of_campaign', 'workflow_decisions_of_message']],
    );
    expect(built).toEqual([
      { name: 'touches_of_campaign', table: 'touches', indisvalid: true, indisunique: false },
      { name: 'touches_of_recipient', table: 'touches', indisvalid: true, indisunique: false },
      {
        name: 'workflow_decisions_of_message',
        table: 'workflow_decisions',
        indisvalid: true,
        indisunique: true,
      },
    ]);
  });

  it('may take longer than everything else, which nobody may wait for', async () => {
    await database.query('CREATE TABLE seen (tag text, hours double precision)');
    await database.query(
      `CREATE FUNCTION see() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO seen SELECT TG_TAG, extract(epoch FROM current_setting('statement_timeout')::interval) / 3600;
       END $$`,
    );
    await database.query(
      `CREATE EVENT TRIGGER see ON ddl_command_start WHEN TAG IN ('CREATE INDEX', 'ALTER TABLE')
         EXECUTE FUNCTION see()`,
    );
    await migrateDatabase(database.ownerUrl);
    const seen = await database.query<{ tag: string; least: number; most: number }>(
      `SELECT tag, min(hours) AS least, max(hours) AS most FROM seen
       GROUP BY tag ORDER BY tag`,
    );
    expect(seen).toEqual([
      { tag: 'ALTER TABLE', least: 0.5, most: 0.5 },
      { tag: 'CREATE INDEX', least: 24 * 7, most: 24 * 7 },
    ]);
  });
});
