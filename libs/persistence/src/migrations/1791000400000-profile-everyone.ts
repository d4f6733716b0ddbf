import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Profiles of people without an address. Whoever answered is known by the hash of the address, or where none was ever
 * sent, by one of the recipient_id. Those who answered before are added company by company, each under the lock of its
 * touches, so that no large transaction stands in anybody's way. One that was broken off may be run again.
 */
export class ProfileEveryone1791000400000 implements MigrationInterface {
  name = 'ProfileEveryone1791000400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Small, and the newest: where sizes are not known yet, Postgres takes it before an index of a whole company.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS touches_answered_unaddressed');
    await runner.query(
      `CREATE INDEX CONCURRENTLY touches_answered_unaddressed ON touches (company_id, recipient_id)
       WHERE outcome = 1 AND recipient_hash IS NULL`,
    );
    await together(runner, UP);
    const companies = (await runner.query('SELECT company_id AS id FROM companies')) as readonly Company[];
    for (const { id } of companies) {
      await runner.startTransaction();
      await runner.query(`SELECT set_config('app.company_id', $1, true)`, [id]);
      await runner.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOCK_OF_TOUCHES, id]);
      await runner.query(FILL, [id]);
      await runner.commitTransaction();
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await together(runner, DOWN);
  }
}

interface Company {
  readonly id: string;
}

/** As lockTouches takes it. */
const LOCK_OF_TOUCHES = 0x7f01;

async function together(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  await runner.startTransaction();
  for (const statement of statements) await runner.query(statement);
  await runner.commitTransaction();
}

/** What of a touch is in the tables that follow it. */
const READ = [
  'recipient_hash',
  'outcome',
  'position',
  'position_confidence',
  'industry',
  'sent_at',
  'sent_day',
  'channel',
  'sequence_step',
  'levels',
];
const read = (row: string) => `(${READ.map((column) => `${row}.${column}`).join(', ')})`;

// The first 16 hex digits of a SHA-256, as long as those of an address. The text before the id keeps apart the person
// whose id is an address and the person of that address.
const personOf = (id: string) =>
  `left(encode(sha256(convert_to('recipient_id:' || ${id}, 'UTF8')), 'hex'), 16)`;

// Messages that name no address are their recipient's, of whom others may name one; the first, where several are named.
// Each look-up is of one person or one recipient, so that no estimate of sizes can turn it into a product of tables.
const UNADDRESSED = (company: string, recipient: string) =>
  `company_id = ${company} AND recipient_id = ${recipient} AND outcome = 1 AND recipient_hash IS NULL`;
const OWN_RECIPIENTS = `ARRAY(
    SELECT own.id FROM unnest(ARRAY(
      SELECT asked.recipient_id WHERE asked.recipient_id IS NOT NULL
      UNION SELECT recipient_id FROM touches WHERE company_id = asked.company_id AND recipient_hash = asked.person
    )) AS own (id)
    WHERE (SELECT true FROM touches WHERE ${UNADDRESSED('asked.company_id', 'own.id')} LIMIT 1)
      AND asked.person = coalesce(
        (SELECT min(recipient_hash COLLATE "C") FROM touches
          WHERE company_id = asked.company_id AND recipient_id = own.id AND recipient_hash IS NOT NULL),
        ${personOf('own.id')})
  )`;
const OF_ANSWER = 'position, position_confidence, sent_at, touch_id, industry';

// The position is that of the newest answered message of which one is known. Whoever has no answered message left has
// no row.
const PEOPLE = `
  fresh AS (
    SELECT company_id, person AS recipient_hash, answers.* FROM asked CROSS JOIN LATERAL (
      SELECT (array_agg(position ORDER BY position = 0, sent_at DESC, touch_id))[1] AS position,
        (array_agg(position_confidence::numeric ORDER BY position = 0, sent_at DESC, touch_id))[1] AS confidence,
        count(*)::int AS responses, coalesce(max(industry), '') AS industry,
        array_agg(DISTINCT recipient_id) FILTER (WHERE recipient_id IS NOT NULL) AS recipient_ids
      FROM (
        SELECT ${OF_ANSWER}, NULL AS recipient_id FROM touches
        WHERE company_id = asked.company_id AND recipient_hash = asked.person AND outcome = 1
        UNION ALL SELECT ${OF_ANSWER}, own.id FROM unnest(${OWN_RECIPIENTS}) AS own (id) CROSS JOIN LATERAL (
          SELECT * FROM touches WHERE ${UNADDRESSED('asked.company_id', 'own.id')} OFFSET 0
        ) AS unaddressed
      ) AS answered
    ) AS answers
  ), gone AS (
    DELETE FROM responders USING fresh
    WHERE responders.company_id = fresh.company_id AND responders.recipient_hash = fresh.recipient_hash
      AND fresh.responses = 0
  )
  INSERT INTO responders AS known
    (company_id, recipient_hash, recipient_ids, position, confidence, responses, industry)
  SELECT company_id, recipient_hash, recipient_ids, position, confidence, responses, industry
  FROM fresh WHERE responses > 0
  ORDER BY company_id, recipient_hash
  ON CONFLICT (company_id, recipient_hash) DO UPDATE SET recipient_ids = excluded.recipient_ids,
    position = excluded.position, confidence = excluded.confidence, responses = excluded.responses,
    industry = excluded.industry
  WHERE (known.recipient_ids, known.position, known.confidence, known.responses, known.industry)
    IS DISTINCT FROM (excluded.recipient_ids, excluded.position, excluded.confidence, excluded.responses,
      excluded.industry)`;

const FORGET_DAYS = `
  changed_days AS (
    DELETE FROM industry_days USING (SELECT DISTINCT company_id, sent_day FROM changed) AS day
    WHERE industry_days.company_id = day.company_id AND industry_days.sent_day = day.sent_day
  )`;

// An answer that names no address concerns everybody whom its recipient was or has become, and so does an address that
// comes to such a recipient or leaves it.
const FOLLOW = `
  unaddressed AS (
    SELECT DISTINCT company_id, recipient_id FROM changed
    WHERE CASE WHEN recipient_hash IS NULL THEN outcome = 1 ELSE (
      SELECT true FROM touches WHERE ${UNADDRESSED('changed.company_id', 'changed.recipient_id')} LIMIT 1
    ) END
  ), asked AS (
    SELECT company_id, recipient_hash AS person, NULL AS recipient_id FROM changed
    WHERE outcome = 1 AND recipient_hash IS NOT NULL
    UNION SELECT company_id, ${personOf('recipient_id')}, recipient_id FROM unaddressed
    UNION SELECT company_id, recipient_hash, NULL FROM changed JOIN unaddressed USING (company_id, recipient_id)
    WHERE recipient_hash IS NOT NULL
    UNION SELECT company_id, known.person, NULL FROM unaddressed CROSS JOIN LATERAL unnest(ARRAY(
      SELECT DISTINCT recipient_hash FROM touches
      WHERE company_id = unaddressed.company_id AND recipient_id = unaddressed.recipient_id
        AND recipient_hash IS NOT NULL
    )) AS known (person)
  ), ${FORGET_DAYS}, ${PEOPLE}`;

const changed = (rows: string) =>
  `changed AS (SELECT company_id, recipient_id, recipient_hash, outcome, sent_day FROM ${rows})`;

const DIFFERING = `
  differing AS (
    SELECT company_id, before.recipient_id AS id_before, before.recipient_hash AS hash_before,
      before.outcome AS outcome_before, before.sent_day AS day_before, after.recipient_id, after.recipient_hash,
      after.outcome, after.sent_day
    FROM before FULL JOIN after USING (company_id, touch_id)
    WHERE ${read('before')} IS DISTINCT FROM ${read('after')}
  ), changed AS (
    SELECT company_id, recipient_id, recipient_hash, outcome, sent_day FROM differing
    UNION ALL SELECT company_id, id_before, hash_before, outcome_before, day_before FROM differing
  )`;

/** Of company $1, everybody who answered a message that names no address. */
const FILL = `
  WITH changed AS (
    SELECT company_id, recipient_id, recipient_hash, outcome FROM touches
    WHERE company_id = $1 AND outcome = 1 AND recipient_hash IS NULL
  ), ${FOLLOW.replace(`${FORGET_DAYS}, `, '')}`;

const functionOf = (inserted: string, deleted: string, updated: string) =>
  `CREATE OR REPLACE FUNCTION follow_touches() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${inserted};
      ELSIF TG_OP = 'DELETE' THEN ${deleted};
      ELSE ${updated};
      END IF;
      RETURN NULL;
    END $$`;

const UP = [
  // The recipients whose answers name no address and are this person's; null where each of them names one.
  `ALTER TABLE responders ADD COLUMN IF NOT EXISTS recipient_ids text[]`,
  `GRANT SELECT ON responders TO outcomes_reader`,
  functionOf(
    `WITH ${changed('after')}, ${FOLLOW}`,
    `WITH ${changed('before')}, ${FOLLOW}`,
    `WITH ${DIFFERING}, ${FOLLOW}`,
  ),
];

// As 1790700000000 made it: a profile is of a person whose address is known.
const ADDRESSED = `
  asked AS (SELECT DISTINCT company_id, recipient_hash FROM changed WHERE outcome = 1 AND recipient_hash IS NOT NULL),
  fresh AS (
    SELECT company_id, recipient_hash, person.* FROM asked CROSS JOIN LATERAL (
      SELECT (array_agg(position ORDER BY position = 0, sent_at DESC, touch_id))[1] AS position,
        (array_agg(position_confidence::numeric ORDER BY position = 0, sent_at DESC, touch_id))[1] AS confidence,
        count(*)::int AS responses, coalesce(max(industry), '') AS industry
      FROM touches
      WHERE company_id = asked.company_id AND recipient_hash = asked.recipient_hash AND outcome = 1
    ) AS person
  ), gone AS (
    DELETE FROM responders USING fresh
    WHERE responders.company_id = fresh.company_id AND responders.recipient_hash = fresh.recipient_hash
      AND fresh.responses = 0
  )
  INSERT INTO responders AS known (company_id, recipient_hash, position, confidence, responses, industry)
  SELECT company_id, recipient_hash, position, confidence, responses, industry FROM fresh WHERE responses > 0
  ORDER BY company_id, recipient_hash
  ON CONFLICT (company_id, recipient_hash) DO UPDATE SET position = excluded.position,
    confidence = excluded.confidence, responses = excluded.responses, industry = excluded.industry
  WHERE (known.position, known.confidence, known.responses, known.industry)
    <> (excluded.position, excluded.confidence, excluded.responses, excluded.industry)`;

const DOWN = [
  functionOf(
    `WITH ${changed('after')}, ${FORGET_DAYS}, ${ADDRESSED}`,
    `WITH ${changed('before')}, ${FORGET_DAYS}, ${ADDRESSED}`,
    `WITH ${DIFFERING}, ${FORGET_DAYS}, ${ADDRESSED}`,
  ),
  `DELETE FROM responders`,
  `WITH changed AS (SELECT company_id, recipient_hash, outcome FROM touches), ${ADDRESSED}`,
  `REVOKE SELECT ON responders FROM outcomes_reader`,
  `ALTER TABLE responders DROP COLUMN recipient_ids`,
  `DROP INDEX touches_answered_unaddressed`,
];
