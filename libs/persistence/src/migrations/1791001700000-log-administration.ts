import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;
const SHA256 = (column: string) => `${column} bytea NOT NULL CHECK (octet_length(${column}) = 32)`;

/**
 * What administrators did: each entry is written in the transaction of its deed, and sealed with the one before it.
 * Append-only: whoever writes may insert, and nothing else. Entries of the nil company are about the installation.
 */
export class LogAdministration1791001700000 implements MigrationInterface {
  name = 'LogAdministration1791001700000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE administration_log');
  }
}

const UP = [
  `CREATE TABLE administration_log (
    company_id uuid NOT NULL,
    entry_no integer NOT NULL CHECK (entry_no > 0),
    occurred_at timestamptz(3) NOT NULL,
    actor_type text NOT NULL CHECK (actor_type IN ('operator', 'user', 'api_key', 'service')),
    actor_id text NOT NULL CHECK (char_length(actor_id) BETWEEN 1 AND 128),
    action text NOT NULL CHECK (char_length(action) BETWEEN 3 AND 64),
    subject text CHECK (char_length(subject) <= 128),
    details jsonb NOT NULL CHECK (octet_length(details::text) <= 4096),
    request_id text CHECK (char_length(request_id) <= 128),
    ${SHA256('previous_sha256')},
    ${SHA256('seal_sha256')},
    PRIMARY KEY (company_id, entry_no)
  )`,
  `ALTER TABLE administration_log ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE administration_log FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON administration_log
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT ON administration_log TO outcomes_admin`,
  // Deletions and locks: whoever writes reads where the chain ends, and nothing of what is in it.
  `GRANT INSERT ON administration_log TO outcomes_ingest, outcomes_reader`,
  `GRANT SELECT (company_id, entry_no, seal_sha256) ON administration_log TO outcomes_ingest, outcomes_reader`,
  // Owners and administrators of a company see what was done to it.
  `GRANT SELECT, INSERT ON administration_log TO outcomes_console`,
];
