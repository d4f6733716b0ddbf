import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Calls of each company by day (UTC), tool and outcome: what answers about the whole audit log rest on, which counted
 * every row before. The worker fills them, from the first row on, whenever it has sealed rows of a company.
 */
export class CountCalls1791003400000 implements MigrationInterface {
  name = 'CountCalls1791003400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_call_counts`);
  }
}

const UP = [
  `CREATE TABLE audit_call_counts (
    company_id uuid NOT NULL,
    day date NOT NULL,
    tool text NOT NULL,
    status text NOT NULL CHECK (status IN ('success', 'error')),
    is_denied boolean NOT NULL,
    calls integer NOT NULL CHECK (calls > 0),
    to_sequence bigint NOT NULL,
    PRIMARY KEY (company_id, day, tool, status, is_denied)
  )`,
  // A company's rows are counted up to the greatest to_sequence that it has. A handful of rows change every minute.
  `ALTER TABLE audit_call_counts SET (fillfactor = 70)`,
  `ALTER TABLE audit_call_counts ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE audit_call_counts FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON audit_call_counts
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT, UPDATE ON audit_call_counts TO outcomes_worker`,
  `GRANT SELECT ON audit_call_counts TO outcomes_reader`,
];
