import { randomUUID } from 'node:crypto';
import { createTestDatabaseWith, type TestDatabase } from '@outcomes/testing';
import { bringUpTo, migrationNames } from '../database/migrate';

/** More messages than are filled in at a time. */
const MESSAGES = 4_500;
const NAME = 'AddResponderCounts1790700000000';
const before = migrationNames().slice(0, migrationNames().indexOf(NAME));

describe('messages that were there before industries and people were kept', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabaseWith((url) => bringUpTo(url, before));
  });
  afterAll(() => database.drop());

  /** Every third names no industry, every fifth was answered. */
  const send = async () => {
    const company = randomUUID();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example')`, [company]);
    await database.query(
      `WITH sent AS (
         INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time, sent_at,
           outcome_at, recipient_id, thread_id, recipient_hash, industry)
         SELECT $1, gen_random_uuid(), gen_random_uuid(), 1, 0, (n % 5 = 0)::int, true, '2026-01-05', '2026-01-06', 'r' || n, 't',
           'h' || n, CASE WHEN n % 3 > 0 THEN ' Energy ' END
         FROM generate_series(1, $2::int) AS n RETURNING *
       )
       INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome, streamed,
         sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
       SELECT company_id, touch_id, 1, 0, 2, 0.9, outcome, true, '2026-01-05', sent_at, outcome_at, '{}', recipient_id, 't',
         recipient_hash FROM sent`,
      [company, MESSAGES],
    );
    return company;
  };
  const known = async (company: string) => {
    const [row] = await database.query(
      `SELECT (SELECT count(*)::int FROM touches WHERE company_id = $1 AND industry = 'energy') AS energy,
         (SELECT count(*)::int FROM responders WHERE company_id = $1) AS people,
         (SELECT sum(people)::int FROM responder_counts WHERE company_id = $1 AND industry = 'energy') AS counted`,
      [company],
    );
    return row;
  };

  it('know them after the migration, which may be broken off and run again', async () => {
    const [first, second] = [await send(), await send()];
    await database.query(`
      CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken off'; END $$;
      CREATE TRIGGER break_off BEFORE UPDATE ON touches FOR EACH ROW
        WHEN (NEW.company_id = '${second}' AND NEW.recipient_id = 'r1000') EXECUTE FUNCTION break_off()`);
    const upgrade = () => bringUpTo(database.ownerUrl, [...before, NAME]);
    await expect(upgrade()).rejects.toThrow('broken off');
    await database.query('DROP TRIGGER break_off ON touches; DROP FUNCTION break_off()');
    await upgrade();
    // Two of three messages, and of them one in five, as of all.
    const expected = { energy: (MESSAGES * 2) / 3, people: MESSAGES / 5, counted: (MESSAGES * 2) / 15 };
    expect(await known(first)).toEqual(expected);
    expect(await known(second)).toEqual(expected);
  });
});
