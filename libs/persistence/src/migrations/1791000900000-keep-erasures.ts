import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * The ledger of what was erased, so that a restored backup can be freed of it again, and what services need to tell
 * whether the schema is theirs.
 */
export class KeepErasures1791000900000 implements MigrationInterface {
  name = 'KeepErasures1791000900000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // One row per erasure, written in its transaction. Nobody may change or delete one. The hash is of company and
  // subject together, so that one person's rows in two companies have nothing in common.
  `CREATE TABLE erasures (
    company_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    subject text NOT NULL CHECK (subject IN ('recipient', 'event', 'company')),
    subject_sha256 bytea NOT NULL CHECK (octet_length(subject_sha256) = 32),
    kept_suppression boolean NOT NULL,
    erased_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (company_id, erasure_id)
  )`,
  `ALTER TABLE erasures ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE erasures FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON erasures
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT INSERT ON erasures TO outcomes_ingest`,
  `GRANT SELECT ON erasures TO outcomes_admin`,
  // A process says in readyz whether the schema is as new as it is.
  `GRANT SELECT ON schema_migrations TO outcomes_ingest, outcomes_worker, outcomes_reader`,
  // The audit log goes with its company. No service may delete from it: the owner of the tables does.
  `CREATE POLICY leave_with_company ON audit_log FOR DELETE USING (company_id = ${COMPANY})`,
];

const DOWN = [
  `DROP POLICY leave_with_company ON audit_log`,
  `REVOKE SELECT ON schema_migrations FROM outcomes_ingest, outcomes_worker, outcomes_reader`,
  `DROP TABLE erasures`,
];
