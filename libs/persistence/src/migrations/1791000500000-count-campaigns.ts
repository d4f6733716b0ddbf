import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Counts by campaign: what evidence about messages and changes of reply rates rest on. They are filled by the walk that
 * folds stored history once more (touch_rebuilds), and kept in step by whoever folds.
 */
export class CountCampaigns1791000500000 implements MigrationInterface {
  name = 'CountCampaigns1791000500000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** What counts campaigns, and what each row of it is about. */
const COUNTS = {
  campaign_days: 'channel smallint NOT NULL, sent_day date NOT NULL, counts bytea NOT NULL',
  campaign_cells: 'campaign bigint NOT NULL, fortnight integer NOT NULL, counts bytea NOT NULL',
  campaign_texts: 'campaign bigint NOT NULL, shard smallint NOT NULL, counts bytea NOT NULL',
} as const;
const KEYS = {
  campaign_days: 'channel, sent_day',
  campaign_cells: 'campaign, fortnight',
  campaign_texts: 'campaign, shard',
} as const;
const TABLES = Object.keys(COUNTS) as (keyof typeof COUNTS)[];

const secured = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON ${table}
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO outcomes_ingest, outcomes_worker`,
  `GRANT SELECT ON ${table} TO outcomes_reader`,
];

const TRIGGERS = ['insert', 'update', 'delete'] as const;

const UP = [
  // text_id is a hash over the words of the message; counted_in the generation of the company's counts by campaign
  // that the touch is in, null where it is in none.
  `ALTER TABLE touches ADD COLUMN text_id integer, ADD COLUMN counted_in integer`,
  // campaign is the first 48 bits of the SHA-256 of campaign_id, 0 for messages that name none. The revision is another
  // one after every change of the campaign's counts.
  `CREATE TABLE campaigns (
    company_id uuid NOT NULL,
    campaign bigint NOT NULL,
    campaign_id text,
    touches integer NOT NULL,
    revision uuid NOT NULL DEFAULT gen_random_uuid(),
    PRIMARY KEY (company_id, campaign)
  )`,
  ...secured('campaigns'),
  // Packed numbers (libs/persistence, campaign-counts): they do not compress, and are read and written as a whole.
  ...TABLES.flatMap((table) => [
    `CREATE TABLE ${table} (company_id uuid NOT NULL, ${COUNTS[table]}, PRIMARY KEY (company_id, ${KEYS[table]}))`,
    `ALTER TABLE ${table} ALTER counts SET STORAGE EXTERNAL`,
    ...secured(table),
  ]),
  // Which generation of the counts by campaign is in force; the first where there is no row.
  `CREATE TABLE campaign_generations (company_id uuid PRIMARY KEY, generation integer NOT NULL)`,
  ...secured('campaign_generations'),
  // Whoever writes touches without keeping these counts makes them void: they begin anew, from the events. Services of
  // an earlier version do so while they are replaced.
  `GRANT INSERT ON touch_rebuilds TO outcomes_worker`,
  `GRANT INSERT, UPDATE ON touch_rebuilds TO outcomes_ingest`,
  `CREATE FUNCTION void_campaign_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE company uuid := ${COMPANY};
    BEGIN
      IF company IS NULL THEN RETURN NULL; END IF;
      INSERT INTO campaign_generations AS known (company_id, generation) VALUES (company, 2)
      ON CONFLICT (company_id) DO UPDATE SET generation = known.generation + 1;
      ${['campaigns', ...TABLES].map((table) => `DELETE FROM ${table} WHERE company_id = company;`).join('\n      ')}
      INSERT INTO touch_rebuilds (company_id) VALUES (company)
      ON CONFLICT (company_id) DO UPDATE SET after_recipient = '';
      RETURN NULL;
    END $$`,
  ...TRIGGERS.map(
    (event) => `CREATE TRIGGER campaigns_uncounted_${event} AFTER ${event} ON touches FOR EACH STATEMENT
      WHEN (current_setting('app.counts_campaigns', true) IS DISTINCT FROM 'yes')
      EXECUTE FUNCTION void_campaign_counts()`,
  ),
  `INSERT INTO touch_rebuilds (company_id) SELECT company_id FROM companies
    ON CONFLICT (company_id) DO UPDATE SET after_recipient = ''`,
];

const DOWN = [
  ...TRIGGERS.map((event) => `DROP TRIGGER campaigns_uncounted_${event} ON touches`),
  `DROP FUNCTION void_campaign_counts()`,
  `REVOKE INSERT, UPDATE ON touch_rebuilds FROM outcomes_ingest`,
  `REVOKE INSERT ON touch_rebuilds FROM outcomes_worker`,
  `DROP TABLE campaign_generations`,
  ...TABLES.toReversed().map((table) => `DROP TABLE ${table}`),
  `DROP TABLE campaigns`,
  `ALTER TABLE touches DROP COLUMN text_id, DROP COLUMN counted_in`,
];
