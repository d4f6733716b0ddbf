import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Facts of a message side by side, events that find their message later, opt-outs that outlive their events, and how
 * far touches and counts of earlier versions have been rebuilt. It only adds, so that pods of the version before go on.
 */
export class AddFacts1791000000000 implements MigrationInterface {
  name = 'AddFacts1791000000000';

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
  // `outcome` is an index into EVENT_KINDS: the four outcomes, then the facts. Without sent_at an event waits for its
  // message, and has no touch_id before it is found. message_ref holds the first 16 bytes of a SHA-256.
  `ALTER TABLE outcome_events ALTER touch_id DROP NOT NULL, ALTER sent_at DROP NOT NULL,
    ADD COLUMN outcome_at_is smallint NOT NULL DEFAULT 0, ADD COLUMN message_ref bytea`,
  `GRANT SELECT (outcome, outcome_at) ON outcome_events TO outcomes_reader`,
  // Each fact with its earliest time. `outcome` stays what counts partition by; opened and meeting_booked stay beside
  // their times for pods of the version before.
  `ALTER TABLE touches ADD COLUMN replied_at timestamptz, ADD COLUMN unsubscribed_at timestamptz,
    ADD COLUMN bounced_at timestamptz, ADD COLUMN silent_at timestamptz, ADD COLUMN opened_at timestamptz,
    ADD COLUMN clicked_at timestamptz, ADD COLUMN auto_replied_at timestamptz,
    ADD COLUMN meeting_booked_at timestamptz, ADD COLUMN outcome_is_exact boolean NOT NULL DEFAULT true`,
  // What an opt-out leaves behind when its events expire, or when a recipient is erased who must not be written to
  // again: hashes and dates. recipient_sha is the hexadecimal SHA-256 of the recipient_id; recipient_hash is that of
  // the address as in touches, empty where none was known.
  `CREATE TABLE suppressions (
    company_id uuid NOT NULL,
    recipient_sha text NOT NULL,
    recipient_hash text NOT NULL,
    unsubscribed_at timestamptz,
    bounced_at timestamptz,
    replied_at timestamptz,
    PRIMARY KEY (company_id, recipient_sha, recipient_hash)
  )`,
  `CREATE INDEX suppressions_by_address ON suppressions (company_id, recipient_hash) WHERE recipient_hash <> ''`,
  ...secured('suppressions'),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON suppressions TO outcomes_ingest, outcomes_worker`,
  `GRANT SELECT ON suppressions TO outcomes_reader, outcomes_admin`,
  // One row per company whose touches were folded by an earlier version; it goes when they are all rebuilt. Recipients
  // up to after_recipient are done.
  `CREATE TABLE touch_rebuilds (
    company_id uuid PRIMARY KEY,
    after_recipient text NOT NULL DEFAULT '',
    requested_at timestamptz NOT NULL DEFAULT now()
  )`,
  `INSERT INTO touch_rebuilds (company_id) SELECT company_id FROM companies`,
  ...secured('touch_rebuilds'),
  `CREATE POLICY schedule ON touch_rebuilds FOR SELECT TO outcomes_worker, outcomes_admin USING (true)`,
  `GRANT SELECT, UPDATE, DELETE ON touch_rebuilds TO outcomes_worker`,
  `GRANT SELECT ON touch_rebuilds TO outcomes_ingest, outcomes_admin`,
  // A worker of the version before folds without the facts. Its batches stay pending until one of this version has
  // folded them: it does not name the version, and so does not mark them.
  `ALTER TABLE ingest_batches ADD COLUMN fold_version smallint`,
  `CREATE FUNCTION keep_unfolded_batches() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.fold_version IS NULL THEN RETURN NULL; END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER keep_unfolded_batches BEFORE UPDATE OF processed_at ON ingest_batches
    FOR EACH ROW WHEN (OLD.processed_at IS NULL AND NEW.processed_at IS NOT NULL)
    EXECUTE FUNCTION keep_unfolded_batches()`,
];

const DOWN = [
  `DROP TRIGGER keep_unfolded_batches ON ingest_batches`,
  `DROP FUNCTION keep_unfolded_batches()`,
  `ALTER TABLE ingest_batches DROP COLUMN fold_version`,
  `DROP TABLE touch_rebuilds`,
  `DROP TABLE suppressions`,
  `ALTER TABLE touches DROP COLUMN replied_at, DROP COLUMN unsubscribed_at, DROP COLUMN bounced_at,
    DROP COLUMN silent_at, DROP COLUMN opened_at, DROP COLUMN clicked_at, DROP COLUMN auto_replied_at,
    DROP COLUMN meeting_booked_at, DROP COLUMN outcome_is_exact`,
  `REVOKE SELECT (outcome, outcome_at) ON outcome_events FROM outcomes_reader`,
  // What waits for its message, and facts, are nothing that the version before could read.
  `DELETE FROM outcome_events WHERE touch_id IS NULL OR sent_at IS NULL OR outcome > 3`,
  `ALTER TABLE outcome_events DROP COLUMN message_ref, DROP COLUMN outcome_at_is,
    ALTER sent_at SET NOT NULL, ALTER touch_id SET NOT NULL`,
];
