import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Who must not be written to, as a list that others follow: one row per recipient and per address, with the number of
 * its last change. Numbers are given under the company's lock of the touches, so that they are committed in order.
 */
export class ListSuppressions1791001800000 implements MigrationInterface {
  name = 'ListSuppressions1791001800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['suppression_list_checks', 'suppression_list'])
      await runner.query(`DROP TABLE ${table}`);
  }
}

const secured = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON ${table}
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
];

const UP = [
  // Of somebody who was erased nothing is left but the id of the row and its last change.
  `CREATE TABLE suppression_list (
    company_id uuid NOT NULL,
    suppression_id uuid NOT NULL,
    change_no bigint NOT NULL CHECK (change_no > 0),
    change text NOT NULL CHECK (change IN ('added', 'removed')),
    reason text NOT NULL CHECK (reason IN ('unsubscribed', 'bounced')),
    recipient_id text,
    recipient_sha text,
    recipient_hash text,
    channel smallint,
    since timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, suppression_id)
  )`,
  `CREATE UNIQUE INDEX suppression_list_by_change ON suppression_list (company_id, change_no)`,
  `CREATE UNIQUE INDEX suppression_list_by_recipient ON suppression_list (company_id, recipient_sha)
    WHERE recipient_sha IS NOT NULL`,
  `CREATE UNIQUE INDEX suppression_list_by_address ON suppression_list (company_id, recipient_hash)
    WHERE recipient_hash IS NOT NULL`,
  ...secured('suppression_list'),
  // When the list was last held against everything that is stored. A company without a row has no list yet.
  `CREATE TABLE suppression_list_checks (
    company_id uuid NOT NULL PRIMARY KEY,
    checked_at timestamptz NOT NULL
  )`,
  ...secured('suppression_list_checks'),
  `GRANT SELECT, INSERT, UPDATE ON suppression_list TO outcomes_worker`,
  `GRANT SELECT, INSERT, UPDATE ON suppression_list_checks TO outcomes_worker`,
  // Deletions take people off it.
  `GRANT SELECT, INSERT, UPDATE ON suppression_list TO outcomes_ingest`,
  `GRANT SELECT ON suppression_list, suppression_list_checks TO outcomes_reader, outcomes_admin`,
];
