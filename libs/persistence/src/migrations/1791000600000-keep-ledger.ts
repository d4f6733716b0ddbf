import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/** The ledger of changes of reply rates, and what each channel remembers between runs. */
export class KeepLedger1791000600000 implements MigrationInterface {
  name = 'KeepLedger1791000600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['channel_states', 'rate_changes']) await runner.query(`DROP TABLE ${table}`);
  }
}

const secured = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON ${table}
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
];

const UP = [
  // One row per accepted change. Nobody may change or delete a row: where deleted or imported messages make the ledger
  // come out otherwise, it is written once more under the next generation, and the earlier ones stay on record.
  `CREATE TABLE rate_changes (
    company_id uuid NOT NULL,
    channel smallint NOT NULL,
    generation integer NOT NULL,
    settled_on date NOT NULL,
    since date NOT NULL,
    told_on date NOT NULL,
    is_up boolean NOT NULL,
    ratio float8 NOT NULL,
    statistic float8 NOT NULL,
    rate_before float8[] NOT NULL,
    rate_after float8[] NOT NULL,
    scope_kind text NOT NULL,
    scope_value text,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (company_id, channel, generation, settled_on)
  )`,
  ...secured('rate_changes'),
  `GRANT SELECT, INSERT ON rate_changes TO outcomes_worker`,
  `GRANT SELECT ON rate_changes TO outcomes_reader`,
  // looked_through is the last settled day that was looked at; memory the state of the arms' memory after it, of the
  // make that wrote it. Whoever changes counts notes the first day whose messages (recount_from) or replies alone
  // (rescore_from) changed; revision is another one after every such note.
  `CREATE TABLE channel_states (
    company_id uuid NOT NULL,
    channel smallint NOT NULL,
    generation integer NOT NULL DEFAULT 1,
    looked_through date,
    memory bytea,
    make integer,
    recounted_at timestamptz,
    recount_from date,
    rescore_from date,
    revision uuid NOT NULL DEFAULT gen_random_uuid(),
    PRIMARY KEY (company_id, channel)
  )`,
  `ALTER TABLE channel_states ALTER memory SET STORAGE EXTERNAL`,
  ...secured('channel_states'),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON channel_states TO outcomes_ingest, outcomes_worker`,
];
