import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;
const SHA256 = (column: string) => `${column} bytea NOT NULL CHECK (octet_length(${column}) = 32)`;

/**
 * Seals over the audit log: each holds the hash of a run of a company's rows and of the seal before it. Like the
 * log itself they are append-only: services may read and insert, and nothing else.
 */
export class AddAuditSeals1790100000000 implements MigrationInterface {
  name = 'AddAuditSeals1790100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE audit_seals (
    company_id uuid NOT NULL,
    seal_no integer NOT NULL CHECK (seal_no > 0),
    from_sequence bigint NOT NULL,
    to_sequence bigint NOT NULL CHECK (to_sequence >= from_sequence),
    row_count integer NOT NULL CHECK (row_count > 0),
    sealed_at timestamptz NOT NULL,
    ${SHA256('root_sha256')},
    ${SHA256('previous_sha256')},
    ${SHA256('seal_sha256')},
    PRIMARY KEY (company_id, seal_no)
  )`,
  `ALTER TABLE audit_seals ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE audit_seals FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON audit_seals
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT ON audit_seals TO outcomes_worker`,
  `GRANT SELECT ON audit_seals TO outcomes_admin`,
  `GRANT SELECT ON audit_log TO outcomes_worker`,
  // The sealer must know whose rows are new. It asks for those beyond a mark, and without a mark sees nobody's.
  `CREATE POLICY beyond_mark ON audit_log FOR SELECT TO outcomes_worker
    USING (sequence > nullif(current_setting('app.audit_beyond', true), '')::bigint)`,
  // How far numbers have been handed out, rows that are still on their way included.
  `GRANT SELECT ON SEQUENCE audit_log_sequence_seq TO outcomes_worker`,
  // Finds a minute's rows of all companies; rows are appended in this order, so a block range index is enough
  // and costs an INSERT next to nothing.
  `CREATE INDEX audit_log_by_age ON audit_log USING brin (sequence)`,
];

const DOWN = [
  `DROP INDEX audit_log_by_age`,
  `REVOKE SELECT ON SEQUENCE audit_log_sequence_seq FROM outcomes_worker`,
  `DROP POLICY beyond_mark ON audit_log`,
  `REVOKE SELECT ON audit_log FROM outcomes_worker`,
  `DROP TABLE audit_seals`,
];
