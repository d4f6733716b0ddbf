import type { MigrationInterface, QueryRunner } from 'typeorm';
import { alterTogether, inTransaction } from '../schema/transactions';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * What an analysis knows of recipients without reading touches again: who answered, counted by position and industry,
 * and days of mature messages summed by industry. All of it follows the touches in the transaction that changes them.
 * What was there before is filled in by and by, some messages of one company at a time, so that nobody waits for a table.
 * One that was broken off may be run again.
 */
export class AddResponderCounts1790700000000 implements MigrationInterface {
  name = 'AddResponderCounts1790700000000';

  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasTable('responders'))) await alterTogether(runner, UP);
    const companies = (await runner.query('SELECT company_id AS id FROM companies')) as readonly Company[];
    for (const { id } of companies) {
      let after: string | null = '';
      while (after !== null) after = await fillNext(runner, id, after);
      await inCompany(runner, id, () => runner.query(FILL_RESPONDERS, [id]));
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
const LOCK_OF_TOUCHES = 0x7f01;

function inCompany<Result>(
  runner: QueryRunner,
  companyId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return inTransaction(runner, async () => {
    await runner.query(`SELECT set_config('app.company_id', $1, true)`, [companyId]);
    await runner.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOCK_OF_TOUCHES, companyId]);
    return work();
  });
}

/** @returns up to which recipient the messages know their industry now; null where there was none left */
function fillNext(runner: QueryRunner, companyId: string, after: string): Promise<string | null> {
  return inCompany(runner, companyId, async () => {
    const [next] = (await runner.query(NEXT_RECIPIENT, [companyId, after])) as { upTo: string | null }[];
    const upTo = next?.upTo ?? null;
    if (upTo !== null) await runner.query(FILL_INDUSTRIES, [companyId, after, upTo]);
    return upTo;
  });
}

const secured = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON ${table}
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
];

/** What of a touch is in the tables below. */
const read = (row: string) =>
  `(${[
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
  ]
    .map((column) => `${row}.${column}`)
    .join(', ')})`;

// A profile is of a person whose address is known; the position is that of the newest answered message of which one is
// known. Whoever has no answered message left has no row.
const PEOPLE = `
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

const FOLLOW = `
  asked AS (SELECT DISTINCT company_id, recipient_hash FROM changed WHERE outcome = 1 AND recipient_hash IS NOT NULL),
  changed_days AS (
    DELETE FROM industry_days USING (SELECT DISTINCT company_id, sent_day FROM changed) AS day
    WHERE industry_days.company_id = day.company_id AND industry_days.sent_day = day.sent_day
  ), ${PEOPLE}`;

const COUNT = (changes: string) => `
  INSERT INTO responder_counts AS known (company_id, position, industry, people, confident, responses, confidence)
  SELECT company_id, position, industry, sum(sign), 
    coalesce(sum(sign) FILTER (WHERE confidence >= 0.8), 0), sum(sign * responses), sum(sign * confidence)
  FROM (${changes}) AS change
  GROUP BY company_id, position, industry ORDER BY company_id, position, industry
  ON CONFLICT (company_id, position, industry) DO UPDATE SET people = known.people + excluded.people,
    confident = known.confident + excluded.confident, responses = known.responses + excluded.responses,
    confidence = known.confidence + excluded.confidence`;
const change = (rows: string, sign: 1 | -1) =>
  `SELECT company_id, position, industry, responses, confidence, ${sign} AS sign FROM ${rows}`;

const statementTriggers = (table: string, prefix: string, procedure: string) => [
  `CREATE TRIGGER ${prefix}_inserted AFTER INSERT ON ${table}
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION ${procedure}()`,
  `CREATE TRIGGER ${prefix}_deleted AFTER DELETE ON ${table}
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION ${procedure}()`,
  `CREATE TRIGGER ${prefix}_updated AFTER UPDATE ON ${table}
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION ${procedure}()`,
];

const changed = (rows: string) =>
  `changed AS (SELECT company_id, recipient_hash, outcome, sent_day FROM ${rows})`;

const UP = [
  // In lower case, without blanks around it, at most 60 characters; null where none was sent.
  `ALTER TABLE touches ADD COLUMN industry text COLLATE "C"`,
  `CREATE TABLE responders (
    company_id uuid NOT NULL,
    recipient_hash text NOT NULL,
    position smallint NOT NULL,
    confidence numeric NOT NULL,
    responses integer NOT NULL,
    industry text COLLATE "C" NOT NULL,
    PRIMARY KEY (company_id, recipient_hash)
  )`,
  // Sums over responders; an empty industry stands for none.
  `CREATE TABLE responder_counts (
    company_id uuid NOT NULL,
    position smallint NOT NULL,
    industry text COLLATE "C" NOT NULL,
    people integer NOT NULL,
    confident integer NOT NULL,
    responses integer NOT NULL,
    confidence numeric NOT NULL,
    PRIMARY KEY (company_id, position, industry)
  )`,
  // Messages and replies of a day by industry, stratum and level. A day that changes loses its row.
  `CREATE TABLE industry_days (
    company_id uuid NOT NULL,
    sent_day date NOT NULL,
    make text NOT NULL,
    digest bytea NOT NULL,
    PRIMARY KEY (company_id, sent_day)
  )`,
  `ALTER TABLE industry_days ALTER digest SET STORAGE EXTERNAL`,
  ...['responders', 'responder_counts', 'industry_days'].flatMap(secured),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON responders, responder_counts, industry_days
    TO outcomes_ingest, outcomes_worker`,
  `CREATE FUNCTION count_responders() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${COUNT(change('after', 1))};
      ELSIF TG_OP = 'DELETE' THEN ${COUNT(change('before', -1))};
      ELSE ${COUNT(`${change('after', 1)} UNION ALL ${change('before', -1)}`)};
      END IF;
      IF TG_OP <> 'INSERT' THEN
        DELETE FROM responder_counts USING (SELECT DISTINCT company_id, position, industry FROM before) AS left_by
        WHERE responder_counts.company_id = left_by.company_id AND responder_counts.position = left_by.position
          AND responder_counts.industry = left_by.industry AND people = 0;
      END IF;
      RETURN NULL;
    END $$`,
  ...statementTriggers('responders', 'count_responders', 'count_responders'),
  `CREATE FUNCTION follow_touches() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        WITH ${changed('after')}, ${FOLLOW};
      ELSIF TG_OP = 'DELETE' THEN
        WITH ${changed('before')}, ${FOLLOW};
      ELSE
        WITH differing AS (
          SELECT company_id, before.recipient_hash AS hash_before, before.outcome AS outcome_before,
            before.sent_day AS day_before, after.recipient_hash, after.outcome, after.sent_day
          FROM before FULL JOIN after USING (company_id, touch_id)
          WHERE ${read('before')} IS DISTINCT FROM ${read('after')}
        ), changed AS (
          SELECT company_id, recipient_hash, outcome, sent_day FROM differing
          UNION ALL SELECT company_id, hash_before, outcome_before, day_before FROM differing
        ), ${FOLLOW};
      END IF;
      RETURN NULL;
    END $$`,
  ...statementTriggers('touches', 'follow_touches', 'follow_touches'),
];

/** Some thousand messages, in the order of an index. */
const NEXT_RECIPIENT = `
  SELECT max(recipient_id) AS "upTo" FROM (
    SELECT recipient_id FROM touches WHERE company_id = $1 AND recipient_id > $2 ORDER BY recipient_id LIMIT 2000
  ) AS next`;

const FILL_INDUSTRIES = `
  UPDATE touches SET industry = sent.industry
  FROM (SELECT recipient_id, touch_id, max(left(lower(btrim(industry)), 60) COLLATE "C") AS industry
    FROM outcome_events
    WHERE company_id = $1 AND recipient_id > $2 AND recipient_id <= $3 AND btrim(industry) <> ''
    GROUP BY recipient_id, touch_id) AS sent
  WHERE touches.company_id = $1 AND touches.recipient_id = sent.recipient_id AND touches.touch_id = sent.touch_id`;

const FILL_RESPONDERS = `
  WITH asked AS (
    SELECT DISTINCT company_id, recipient_hash FROM touches
    WHERE company_id = $1 AND outcome = 1 AND recipient_hash IS NOT NULL
  ), ${PEOPLE}`;

const DOWN = [
  ...['inserted', 'deleted', 'updated'].map((event) => `DROP TRIGGER follow_touches_${event} ON touches`),
  `DROP FUNCTION follow_touches()`,
  `DROP TABLE industry_days`,
  `DROP TABLE responder_counts`,
  `DROP TABLE responders`,
  `DROP FUNCTION count_responders()`,
  `ALTER TABLE touches DROP COLUMN industry`,
];
