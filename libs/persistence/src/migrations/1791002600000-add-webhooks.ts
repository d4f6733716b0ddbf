import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/** What goes out by itself: endpoints, the outbox, and what became of each message at each endpoint. */
export class AddWebhooks1791002600000 implements MigrationInterface {
  name = 'AddWebhooks1791002600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['critical_campaigns', 'webhook_deliveries', 'webhook_messages', 'webhook_endpoints'])
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
  // Secrets encrypted: they are needed as they are, to sign with.
  `CREATE TABLE webhook_endpoints (
    company_id uuid NOT NULL,
    endpoint_id text NOT NULL,
    url text NOT NULL CHECK (char_length(url) <= 4096),
    types text[] NOT NULL,
    signing_secret bytea NOT NULL,
    previous_signing_secret bytea,
    previous_until timestamptz,
    created_at timestamptz NOT NULL,
    disabled_at timestamptz,
    disabled_reason text CHECK (disabled_reason IN ('gone', 'failed')),
    PRIMARY KEY (company_id, endpoint_id)
  )`,
  ...secured('webhook_endpoints'),
  `CREATE TABLE webhook_messages (
    company_id uuid NOT NULL,
    message_id uuid NOT NULL,
    type text NOT NULL CHECK (char_length(type) <= 100),
    body text NOT NULL CHECK (octet_length(body) < 4096),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, message_id)
  )`,
  ...secured('webhook_messages'),
  // notice: given up, its endpoint disabled, and the owner still to be told.
  `CREATE TABLE webhook_deliveries (
    company_id uuid NOT NULL,
    endpoint_id text NOT NULL,
    message_id uuid NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'notice')),
    attempts integer NOT NULL,
    due_at timestamptz,
    attempted_at timestamptz,
    status smallint,
    fault text CHECK (char_length(fault) <= 100),
    PRIMARY KEY (company_id, endpoint_id, message_id)
  )`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL`,
  ...secured('webhook_deliveries'),
  // Workers find what is due before they know whose it is. What is told, and where, stands in the other tables.
  `CREATE POLICY schedule ON webhook_deliveries FOR SELECT TO outcomes_worker
    USING (current_setting('app.finds_webhooks', true) = 'on')`,
  // Campaigns of which it has been told that they are critical.
  `CREATE TABLE critical_campaigns (
    company_id uuid NOT NULL,
    campaign_id text NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (company_id, campaign_id)
  )`,
  ...secured('critical_campaigns'),
  `GRANT SELECT ON webhook_endpoints TO outcomes_worker`,
  `GRANT UPDATE (disabled_at, disabled_reason) ON webhook_endpoints TO outcomes_worker`,
  `GRANT SELECT, INSERT, DELETE ON webhook_messages, critical_campaigns TO outcomes_worker`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO outcomes_worker`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoints TO outcomes_admin`,
  `GRANT SELECT, INSERT, DELETE ON webhook_deliveries, webhook_messages TO outcomes_admin`,
  `GRANT SELECT, DELETE ON critical_campaigns TO outcomes_admin`,
];
