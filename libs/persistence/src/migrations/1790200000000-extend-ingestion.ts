import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Around ingestion: re-analyses that a deletion asked for, how a message was assigned to its variant, repetitions of
 * expired events, and a way for administrators to see batches that failed and to let them be tried again.
 */
export class ExtendIngestion1790200000000 implements MigrationInterface {
  name = 'ExtendIngestion1790200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // Written with the deletion itself and removed when the run that bears its id has succeeded. A further deletion
  // gives it another id, so that a run which began before does not count for it.
  `CREATE TABLE reanalysis_requests (
    company_id uuid PRIMARY KEY,
    request_id uuid NOT NULL,
    requested_at timestamptz NOT NULL
  )`,
  `ALTER TABLE reanalysis_requests ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE reanalysis_requests FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON reanalysis_requests
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `CREATE POLICY schedule ON reanalysis_requests FOR SELECT TO outcomes_worker USING (true)`,
  `GRANT SELECT, INSERT, UPDATE ON reanalysis_requests TO outcomes_ingest`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON reanalysis_requests TO outcomes_worker`,
  `GRANT SELECT ON reanalysis_requests TO outcomes_admin`,
  // How a message was assigned, as its sender says: the probability of the variant that it got (between 0 and 1,
  // both excluded), and the name of the variant. Either one says that the assignment was random.
  `ALTER TABLE touches ADD COLUMN propensity real CHECK (propensity > 0 AND propensity < 1),
    ADD COLUMN variant_id text`,
  // Of level_touches, those that were assigned at random; by level, a missing tail means zeros.
  `ALTER TABLE cohort_counts ADD COLUMN level_randomized integer[] NOT NULL DEFAULT '{}'`,
  // Breaks a statement off, with all that it has done. Its caller knows the code.
  `CREATE FUNCTION refuse_expired() RETURNS text LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'an event repeats one that has expired' USING ERRCODE = 'OE001';
    END $$`,
  `ALTER POLICY schedule ON ingest_batches TO outcomes_worker, outcomes_admin`,
  `GRANT UPDATE (failed_attempts) ON ingest_batches TO outcomes_admin`,
];

const DOWN = [
  `REVOKE UPDATE (failed_attempts) ON ingest_batches FROM outcomes_admin`,
  `ALTER POLICY schedule ON ingest_batches TO outcomes_worker`,
  `DROP FUNCTION refuse_expired()`,
  `ALTER TABLE cohort_counts DROP COLUMN level_randomized`,
  `ALTER TABLE touches DROP COLUMN variant_id, DROP COLUMN propensity`,
  `DROP TABLE reanalysis_requests`,
];
