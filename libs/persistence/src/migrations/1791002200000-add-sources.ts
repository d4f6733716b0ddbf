import type { MigrationInterface, QueryRunner } from 'typeorm';

const setting = (name: string) => `nullif(current_setting('app.${name}', true), '')`;
const COMPANY = `${setting('company_id')}::uuid`;

/**
 * Receivers of what outreach tools deliver: whose they are, how a delivery is proven, what came, and what could not be
 * made an event yet.
 */
export class AddSources1791002200000 implements MigrationInterface {
  name = 'AddSources1791002200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['held_deliveries', 'source_days', 'source_types', 'sources'])
      await runner.query(`DROP TABLE ${table}`);
  }
}

const secured = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
];
const ownCompany = (table: string) =>
  `CREATE POLICY own_company ON ${table}
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`;

const UP = [
  // Tokens as hashes; secrets that tools sign with, encrypted, because they are needed as they are.
  `CREATE TABLE sources (
    company_id uuid NOT NULL,
    source_id text NOT NULL,
    tool text NOT NULL,
    campaign text CHECK (char_length(campaign) <= 256),
    time_zone text CHECK (char_length(time_zone) <= 64),
    steps jsonb NOT NULL DEFAULT '{}' CHECK (octet_length(steps::text) <= 65536),
    token_sha256 bytea CHECK (octet_length(token_sha256) = 32),
    previous_token_sha256 bytea CHECK (octet_length(previous_token_sha256) = 32),
    signing_secret bytea,
    previous_signing_secret bytea,
    previous_until timestamptz,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz,
    last_delivery_at timestamptz,
    PRIMARY KEY (company_id, source_id)
  )`,
  // A delivery names its source before anybody knows the company.
  `CREATE INDEX sources_by_id ON sources (source_id)`,
  ...secured('sources'),
  `CREATE POLICY own_company_or_presented_source ON sources
    USING (company_id = ${COMPANY} OR source_id = ${setting('source_id')})
    WITH CHECK (company_id = ${COMPANY})`,
  `CREATE TABLE source_types (
    company_id uuid NOT NULL,
    source_id text NOT NULL,
    type text NOT NULL CHECK (char_length(type) <= 100),
    records bigint NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, source_id, type)
  )`,
  ...secured('source_types'),
  ownCompany('source_types'),
  // How often a source delivers, which says when it has gone silent.
  `CREATE TABLE source_days (
    company_id uuid NOT NULL,
    source_id text NOT NULL,
    day date NOT NULL,
    deliveries bigint NOT NULL,
    PRIMARY KEY (company_id, source_id, day)
  )`,
  ...secured('source_days'),
  ownCompany('source_days'),
  // What a profile reads and nothing else, addresses as hashes, all of it encrypted; whom it names, by hashes as well.
  `CREATE TABLE held_deliveries (
    company_id uuid NOT NULL,
    source_id text NOT NULL,
    held_id uuid NOT NULL,
    reason text NOT NULL CHECK (char_length(reason) <= 100),
    recipient_shas text[] NOT NULL,
    address_hashes text[] NOT NULL,
    sealed bytea NOT NULL CHECK (octet_length(sealed) <= 262144),
    received_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, source_id, held_id)
  )`,
  ...secured('held_deliveries'),
  ownCompany('held_deliveries'),
  `GRANT SELECT ON sources TO outcomes_ingest`,
  `GRANT UPDATE (last_delivery_at) ON sources TO outcomes_ingest`,
  `GRANT SELECT, INSERT, UPDATE ON source_days, source_types TO outcomes_ingest`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON held_deliveries TO outcomes_ingest`,
  `GRANT SELECT, DELETE ON held_deliveries, source_days TO outcomes_worker`,
  `GRANT SELECT (company_id, source_id, tool, last_delivery_at, revoked_at) ON sources TO outcomes_worker`,
  `GRANT SELECT, INSERT, UPDATE ON sources TO outcomes_admin`,
  `GRANT SELECT ON source_days, source_types, held_deliveries TO outcomes_admin`,
];
