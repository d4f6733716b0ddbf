import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';
import { alterTogether, inTransaction } from '../schema/transactions';

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
    await buildIndex(
      runner,
      'touches_answered_unaddressed',
      `touches (company_id, recipient_id)
       WHERE outcome = 1 AND recipient_hash IS NULL`,
    );
    await alterTogether(runner, UP);
    const companies = (await runner.query('SELECT company_id AS id FROM companies')) as readonly Company[];
    for (const { id } of companies) {
      await inTransaction(runner, async () => {
        await runner.query(`SELECT set_config('app.company_id', $1, true)`, [id]);
        await runner.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOCK_OF_TOUCHES, id]);
        await runner.query(FILL);
      });
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterTogether(runner, DOWN);
  }
}

interface Company {
  readonly id: string;
}

/** As lockTouches takes it. */
export const LOCK_OF_TOUCHES = 0x7f01;

/** What of a touch is in the tables that follow it. */
export const READ: readonly string[] = [
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
const read = (row: string, columns: readonly string[]) =>
  `(${columns.map((column) => `${row}.${column}`).join(', ')})`;

// The first 16 hex digits of a SHA-256, as long as those of an address. The text before the id keeps apart the person
// whose id is an address and the person of that address.
const personOf = (id: string) =>
  `left(encode(sha256(convert_to('recipient_id:' || ${id}, 'UTF8')), 'hex'), 16)`;

const SIDE = 'recipient_id, recipient_hash, outcome, sent_day';
export const CHANGED = `company_id, ${SIDE}`;
const sideOf = (row: string) => SIDE.replaceAll(/\w+/g, `${row}.$&`);
const differing = (columns: readonly string[]) => `
  SELECT ${CHANGED} FROM (
    SELECT company_id, side.* FROM before FULL JOIN after USING (company_id, touch_id)
      CROSS JOIN LATERAL (VALUES (${sideOf('before')}), (${sideOf('after')})) AS side (${SIDE})
    WHERE ${read('before', columns)} IS DISTINCT FROM ${read('after', columns)}
  ) AS differing`;

// Of one company: its days, the people who answered with an address, the recipients who answered without one, and the
// recipients whose messages name an address, beside that address.
export const collected = (changed: string) => `
  SELECT company_id, array_agg(DISTINCT sent_day) AS days,
    array_agg(DISTINCT recipient_hash) FILTER (WHERE outcome = 1) AS people,
    array_agg(DISTINCT recipient_id) FILTER (WHERE outcome = 1 AND recipient_hash IS NULL) AS unaddressed,
    array_agg(recipient_id) FILTER (WHERE recipient_hash IS NOT NULL) AS addressed,
    array_agg(recipient_hash) FILTER (WHERE recipient_hash IS NOT NULL) AS addresses
  FROM (${changed}) AS changed GROUP BY company_id ORDER BY company_id`;

/** Adds the addresses that other messages of these recipients name. */
const learn = (recipients: string) => `
  SELECT named || array_agg(recipient_id), names || array_agg(recipient_hash) INTO named, names FROM (
    SELECT DISTINCT recipient_id, recipient_hash FROM touches
    WHERE company_id = one.company_id AND recipient_hash IS NOT NULL AND recipient_id = ANY (${recipients})
  ) AS known;`;

/** A look-up of its own for each of a list, so that no estimate of sizes can make it one of the whole company. */
const each = (list: string, columns: string, condition: string) => `
  ${list} CROSS JOIN LATERAL (
    SELECT ${columns} FROM touches WHERE company_id = one.company_id AND outcome = 1 AND ${condition} OFFSET 0
  ) AS answer`;
const ANSWER = 'position, position_confidence, sent_at, touch_id, industry';

// A message that names no address is its recipient's, of whom others may name one; the first, where several do. So an
// answer without an address concerns everybody whom its recipient was or has become, and so does an address that comes
// to such a recipient or leaves it. Nobody else is looked up: most companies know every address.
export const followPeople = (industry: string) => `
  people := one.people;
  unaddressed := one.unaddressed;
  others := NULL;
  named := NULL;
  names := NULL;
  IF unaddressed IS NOT NULL
    OR EXISTS (SELECT FROM touches WHERE company_id = one.company_id AND outcome = 1 AND recipient_hash IS NULL)
  THEN
    SELECT unaddressed || array_agg(id) INTO unaddressed FROM (SELECT DISTINCT unnest(one.addressed)) AS known (id)
    WHERE (SELECT true FROM touches WHERE company_id = one.company_id AND recipient_id = id AND outcome = 1
      AND recipient_hash IS NULL LIMIT 1);
    IF cardinality(unaddressed) > 0 THEN
      ${learn('unaddressed')}
      SELECT people || names || array_agg(${personOf('id')}) INTO people FROM unnest(unaddressed) AS id;
      SELECT people || array_agg(address) INTO people
      FROM unnest(one.addressed, one.addresses) AS known (id, address) WHERE id = ANY (unaddressed);
    END IF;
    SELECT array_agg(id) INTO others FROM responders, unnest(recipient_ids) AS id
    WHERE company_id = one.company_id AND recipient_hash = ANY (people) AND (id = ANY (unaddressed)) IS NOT TRUE;
    IF cardinality(others) > 0 THEN
      ${learn('others')}
    END IF;
  END IF;
  IF people IS NULL THEN CONTINUE; END IF;
  WITH asked AS MATERIALIZED (SELECT DISTINCT person FROM unnest(people) AS person WHERE person IS NOT NULL),
  own AS MATERIALIZED (
    SELECT id, coalesce(min(name COLLATE "C"), ${personOf('id')}) AS person
    FROM unnest(unaddressed || others) AS id LEFT JOIN unnest(named, names) AS known (known_id, name) ON known_id = id
    WHERE id IS NOT NULL GROUP BY id
  ), fresh AS MATERIALIZED (
    -- The position is that of the newest answered message of which one is known.
    SELECT person, (array_agg(position ORDER BY position = 0, sent_at DESC, touch_id))[1] AS position,
      (array_agg(position_confidence::numeric ORDER BY position = 0, sent_at DESC, touch_id))[1] AS confidence,
      count(*)::int AS responses, coalesce(${industry}, '') AS industry,
      array_agg(DISTINCT id) FILTER (WHERE id IS NOT NULL) AS recipient_ids
    FROM (
      SELECT person, NULL AS id, answer.* FROM ${each('asked', ANSWER, 'recipient_hash = person')}
      UNION ALL
      SELECT person, id, answer.* FROM ${each(
        '(SELECT * FROM own WHERE person IN (SELECT person FROM asked)) AS own',
        ANSWER,
        'recipient_hash IS NULL AND recipient_id = id',
      )}
    ) AS answered
    GROUP BY person
  ), gone AS (
    DELETE FROM responders
    WHERE company_id = one.company_id AND recipient_hash = ANY (people)
      AND recipient_hash NOT IN (SELECT person FROM fresh)
  )
  INSERT INTO responders AS known
    (company_id, recipient_hash, recipient_ids, position, confidence, responses, industry)
  SELECT one.company_id, person, recipient_ids, position, confidence, responses, industry
  FROM fresh ORDER BY person
  ON CONFLICT (company_id, recipient_hash) DO UPDATE SET recipient_ids = excluded.recipient_ids,
    position = excluded.position, confidence = excluded.confidence, responses = excluded.responses,
    industry = excluded.industry
  WHERE (known.recipient_ids, known.position, known.confidence, known.responses, known.industry)
    IS DISTINCT FROM (excluded.recipient_ids, excluded.position, excluded.confidence, excluded.responses,
      excluded.industry);`;

export const FOLLOW_PEOPLE = followPeople('max(industry)');

export const DECLARED = `
  one record;
  unaddressed text[];
  others text[];
  people text[];
  named text[];
  names text[];`;

const follow = (changed: string, people: string) => `
  FOR one IN ${collected(changed)} LOOP
    DELETE FROM industry_days WHERE company_id = one.company_id AND sent_day = ANY (one.days);
    ${people}
  END LOOP;`;

/** @param columns - of a touch: where one of them changes, the tables follow */
export const followTouches = (columns: readonly string[], people = FOLLOW_PEOPLE) => `
  CREATE OR REPLACE FUNCTION follow_touches() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE ${DECLARED}
  BEGIN
    IF TG_OP = 'INSERT' THEN ${follow(`SELECT ${CHANGED} FROM after`, people)}
    ELSIF TG_OP = 'DELETE' THEN ${follow(`SELECT ${CHANGED} FROM before`, people)}
    ELSE ${follow(differing(columns), people)}
    END IF;
    RETURN NULL;
  END $$`;

/** Everybody of the transaction's company who answered a message that names no address. */
const FILL = `
  DO $$
  DECLARE ${DECLARED}
  BEGIN
    FOR one IN ${collected(
      `SELECT ${CHANGED} FROM touches
       WHERE company_id = current_setting('app.company_id')::uuid AND outcome = 1 AND recipient_hash IS NULL`,
    )} LOOP ${FOLLOW_PEOPLE}
    END LOOP;
  END $$`;

const UP = [
  // The recipients whose answers name no address and are this person's; null where each of them names one.
  `ALTER TABLE responders ADD COLUMN IF NOT EXISTS recipient_ids text[]`,
  `GRANT SELECT ON responders TO outcomes_reader`,
  followTouches(READ),
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

const FORGET_DAYS = `
  changed_days AS (
    DELETE FROM industry_days USING (SELECT DISTINCT company_id, sent_day FROM changed) AS day
    WHERE industry_days.company_id = day.company_id AND industry_days.sent_day = day.sent_day
  )`;
const addressed = (changed: string) => `WITH changed AS (${changed}), ${FORGET_DAYS}, ${ADDRESSED};`;

const DOWN = [
  `CREATE OR REPLACE FUNCTION follow_touches() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${addressed(`SELECT ${CHANGED} FROM after`)}
      ELSIF TG_OP = 'DELETE' THEN ${addressed(`SELECT ${CHANGED} FROM before`)}
      ELSE ${addressed(differing(READ))}
      END IF;
      RETURN NULL;
    END $$`,
  `DELETE FROM responders`,
  `WITH changed AS (SELECT company_id, recipient_hash, outcome FROM touches), ${ADDRESSED}`,
  `REVOKE SELECT ON responders FROM outcomes_reader`,
  `ALTER TABLE responders DROP COLUMN recipient_ids`,
  `DROP INDEX touches_answered_unaddressed`,
];
