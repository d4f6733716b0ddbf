import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Decisions about contacts, and what was known of the company when they were made. Both are frozen: services may
 * read, insert and delete, and nobody may update.
 */
export class AddDecisions1790400000000 implements MigrationInterface {
  name = 'AddDecisions1790400000000';

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
  // One row per run that decided anything: no contact is in it.
  `CREATE TABLE decision_models (
    company_id uuid NOT NULL,
    model_sha256 bytea NOT NULL CHECK (octet_length(model_sha256) = 32),
    data_as_of timestamptz NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (company_id, model_sha256)
  )`,
  // A contact is decided about once per newest message and state; inputs and result are the frozen bytes.
  `CREATE TABLE workflow_decisions (
    company_id uuid NOT NULL,
    decision_id uuid NOT NULL,
    decided_at timestamptz NOT NULL,
    run_id uuid NOT NULL,
    after_touch_id uuid NOT NULL,
    contact_state text NOT NULL CHECK (contact_state IN ('open', 'replied', 'unsubscribed', 'bounced')),
    contact_id text NOT NULL,
    recipient_hash text,
    thread_id text NOT NULL,
    campaign_id text,
    engine_version text NOT NULL,
    model_sha256 bytea NOT NULL,
    inputs text NOT NULL,
    result text NOT NULL,
    PRIMARY KEY (company_id, decision_id)
  )`,
  `CREATE UNIQUE INDEX workflow_decisions_once
    ON workflow_decisions (company_id, after_touch_id, contact_state)`,
  `CREATE INDEX workflow_decisions_newest ON workflow_decisions (company_id, decided_at DESC, decision_id DESC)`,
  `CREATE INDEX workflow_decisions_by_contact
    ON workflow_decisions (company_id, contact_id, decided_at DESC, decision_id DESC)`,
  `CREATE INDEX workflow_decisions_by_address ON workflow_decisions (company_id, recipient_hash)
    WHERE recipient_hash IS NOT NULL`,
  `CREATE INDEX workflow_decisions_by_campaign
    ON workflow_decisions (company_id, campaign_id, decided_at DESC, decision_id DESC)
    WHERE campaign_id IS NOT NULL`,
  ...secured('decision_models'),
  ...secured('workflow_decisions'),
  `GRANT SELECT, INSERT, DELETE ON decision_models, workflow_decisions TO outcomes_worker`,
  `GRANT SELECT, DELETE ON workflow_decisions TO outcomes_ingest`,
  `GRANT SELECT ON decision_models, workflow_decisions TO outcomes_reader, outcomes_admin`,
  // Set when all decisions of a run stand, so that asking for the run again costs nothing.
  `ALTER TABLE analysis_runs ADD COLUMN decisions_made_at timestamptz`,
];

const DOWN = [
  `ALTER TABLE analysis_runs DROP COLUMN decisions_made_at`,
  `DROP TABLE workflow_decisions`,
  `DROP TABLE decision_models`,
];
