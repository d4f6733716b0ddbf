import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Whom to write to about an API key, and who was told of which deprecation. Addresses stand in a table of their own,
 * because every service may read companies and keys.
 */
export class AddAnnouncements1790600000000 implements MigrationInterface {
  name = 'AddAnnouncements1790600000000';

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

const UP = [
  // The row with an empty key_id is for the keys that have none of their own.
  `CREATE TABLE key_contacts (
    company_id uuid NOT NULL,
    key_id text NOT NULL,
    email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, key_id)
  )`,
  ...secured('key_contacts'),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON key_contacts TO outcomes_admin`,
  `GRANT SELECT, DELETE ON key_contacts TO outcomes_worker`,
  // Whose keys are active, and nothing that proves one.
  `GRANT SELECT (company_id, key_id, expires_at, revoked_at) ON api_keys TO outcomes_worker`,
  // One row per contact and deprecation, made before the first attempt. No address is in it.
  `CREATE TABLE announcements (
    company_id uuid NOT NULL,
    deprecation_id text NOT NULL,
    contact_sha256 bytea NOT NULL CHECK (octet_length(contact_sha256) = 32),
    sunset_on date NOT NULL,
    attempts integer NOT NULL CHECK (attempts > 0),
    next_attempt_at timestamptz NOT NULL,
    sent_at timestamptz,
    PRIMARY KEY (company_id, deprecation_id, contact_sha256)
  )`,
  ...secured('announcements'),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON announcements TO outcomes_worker`,
  `GRANT SELECT, DELETE ON announcements TO outcomes_admin`,
];

const DOWN = [
  `DROP TABLE announcements`,
  `REVOKE SELECT (company_id, key_id, expires_at, revoked_at) ON api_keys FROM outcomes_worker`,
  `DROP TABLE key_contacts`,
];
