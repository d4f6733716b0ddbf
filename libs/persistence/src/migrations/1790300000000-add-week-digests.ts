import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * What an analysis need not read again: sums of weeks that have not changed, and the state of its sequential tests.
 * Both hold counts alone, are made from `cohort_counts`, and may be lost: the next analysis makes them anew.
 */
export class AddWeekDigests1790300000000 implements MigrationInterface {
  name = 'AddWeekDigests1790300000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const secured = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON ${table}
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
];

const week = (day: string) => `(${day} - date '1970-01-01') / 7`;

const KEY = ['company_id', 'sent_day', 'channel', 'step_bucket', 'position'].join(', ');
/** What a run reads of a row. What was tested counts where it is not what stands beside it. */
const read = (row: string) => `(${[
  ...['touches', 'replies', 'bounces', 'unsubscribes', 'opens', 'meetings', 'streamed', 'last_outcome_at'],
  ...['level_touches', 'level_replies', 'level_randomized', 'hour_touches', 'hour_replies', 'reply_delays'],
]
  .map((column) => `${row}.${column}`)
  .join(', ')},
  CASE WHEN ${row}.tested_level_touches = ${row}.level_touches THEN ${row}.tested_replies ELSE ${row}.replies END,
  CASE WHEN ${row}.tested_level_touches = ${row}.level_touches THEN ${row}.tested_level_replies
    ELSE ${row}.level_replies END)`;

const MARK = (changed: string) => `
  INSERT INTO cohort_weeks AS known (company_id, week, revision)
  SELECT company_id, week, gen_random_uuid()
  FROM (SELECT DISTINCT company_id, ${week('sent_day')} AS week FROM ${changed}) AS touched
  ORDER BY company_id, week
  ON CONFLICT (company_id, week) DO UPDATE SET revision = excluded.revision, digest = NULL, make = NULL`;

const UP = [
  // One row per company and week (sevens of days since 1970-01-01) that has counts. Whatever changes the counts gives
  // the week another revision and takes its digest away, in the same transaction.
  `CREATE TABLE cohort_weeks (
    company_id uuid NOT NULL,
    week integer NOT NULL,
    revision uuid NOT NULL,
    make text,
    digest bytea,
    PRIMARY KEY (company_id, week)
  )`,
  `CREATE TABLE analysis_checkpoints (
    company_id uuid NOT NULL,
    week integer NOT NULL,
    make text NOT NULL,
    link bytea NOT NULL,
    state bytea NOT NULL,
    PRIMARY KEY (company_id, week)
  )`,
  // Digests are packed already.
  `ALTER TABLE cohort_weeks ALTER digest SET STORAGE EXTERNAL`,
  ...secured('cohort_weeks'),
  ...secured('analysis_checkpoints'),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON cohort_weeks TO outcomes_ingest, outcomes_worker`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON analysis_checkpoints TO outcomes_worker`,
  `CREATE FUNCTION mark_cohort_weeks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        ${MARK(`before FULL JOIN after USING (${KEY}) WHERE ${read('before')} IS DISTINCT FROM ${read('after')}`)};
      ELSE
        ${MARK('changed')};
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER mark_weeks_inserted AFTER INSERT ON cohort_counts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_cohort_weeks()`,
  `CREATE TRIGGER mark_weeks_deleted AFTER DELETE ON cohort_counts
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_cohort_weeks()`,
  `CREATE TRIGGER mark_weeks_updated AFTER UPDATE ON cohort_counts
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION mark_cohort_weeks()`,
  MARK('cohort_counts'),
];

const DOWN = [
  `DROP TRIGGER mark_weeks_inserted ON cohort_counts`,
  `DROP TRIGGER mark_weeks_deleted ON cohort_counts`,
  `DROP TRIGGER mark_weeks_updated ON cohort_counts`,
  `DROP FUNCTION mark_cohort_weeks()`,
  `DROP TABLE analysis_checkpoints`,
  `DROP TABLE cohort_weeks`,
];
