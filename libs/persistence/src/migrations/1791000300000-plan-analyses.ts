import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/** What has been counted and is in no analysis yet, and when a worker looks at it next. */
export class PlanAnalyses1791000300000 implements MigrationInterface {
  name = 'PlanAnalyses1791000300000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // One row per company. `revision` goes up with every group of batches, in the transaction that counts them; a run
  // notes it before it reads, and takes away what is planned only where it is still the same when the run is
  // published. `growth_at_most` counts events since the newest run, which are never fewer than new messages.
  // The two `newest_` are of the batch that was received last of those counted.
  // `messages` are those of the newest run, null where that is not known. All times are those of the database.
  `CREATE TABLE analysis_plans (
    company_id uuid PRIMARY KEY,
    revision bigint NOT NULL DEFAULT 0,
    counted_at timestamptz,
    newest_received_at timestamptz,
    newest_outcome_at timestamptz,
    unanalysed_since timestamptz,
    growth_at_most integer NOT NULL DEFAULT 0,
    messages integer,
    daily_since timestamptz,
    asked_at timestamptz,
    begun_at timestamptz,
    next_at timestamptz,
    requested_at timestamptz
  )`,
  `CREATE INDEX analysis_plans_due ON analysis_plans (next_at) WHERE next_at IS NOT NULL`,
  `ALTER TABLE analysis_plans ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE analysis_plans FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON analysis_plans
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `CREATE POLICY schedule ON analysis_plans FOR SELECT TO outcomes_worker USING (true)`,
  `GRANT SELECT, INSERT, UPDATE ON analysis_plans TO outcomes_worker`,
  `GRANT SELECT, INSERT, UPDATE (requested_at) ON analysis_plans TO outcomes_ingest`,
  `GRANT SELECT ON analysis_plans TO outcomes_admin`,
  // Companies past their first day stay so. One whose daily runs had nothing to read is still before it.
  `INSERT INTO analysis_plans (company_id, daily_since)
    SELECT company_id, min(finished_at) FROM analysis_runs
    WHERE state = 'succeeded' AND run_key ~ '^\\d{4}-\\d{2}-\\d{2}$' AND EXISTS (
      SELECT FROM snapshots WHERE snapshots.company_id = analysis_runs.company_id
        AND document = 'analysis/general_analysis')
    GROUP BY company_id`,
  // Who asked: a deletion, whose run must not carry anything over, or a caller.
  `ALTER TABLE reanalysis_requests ADD COLUMN reason text NOT NULL DEFAULT 'erasure'
    CHECK (reason IN ('erasure', 'requested'))`,
  // What callers see of runs.
  `GRANT SELECT (company_id, run_id, state, data_as_of, started_at, finished_at, decisions_made_at)
    ON analysis_runs TO outcomes_ingest`,
];

const DOWN = [
  `REVOKE SELECT (company_id, run_id, state, data_as_of, started_at, finished_at, decisions_made_at)
    ON analysis_runs FROM outcomes_ingest`,
  `ALTER TABLE reanalysis_requests DROP COLUMN reason`,
  `DROP TABLE analysis_plans`,
];
