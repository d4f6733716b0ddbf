import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Counts of each campaign by send day and outcome: what answers about campaigns rest on, which read every message of a
 * campaign before. They are filled by the walk that folds stored history once more, and kept in step by whoever folds.
 */
export class CountOutcomes1791003000000 implements MigrationInterface {
  name = 'CountOutcomes1791003000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const BEFORE = ['campaigns', 'campaign_days', 'campaign_cells', 'campaign_texts'];
const TRIGGERS = ['insert', 'update', 'delete'] as const;

/** As in CountCampaigns1791000500000, over the tables that are counted. */
const voiding = (tables: readonly string[]) => `CREATE OR REPLACE FUNCTION void_campaign_counts()
  RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE company uuid := ${COMPANY};
    BEGIN
      IF company IS NULL THEN RETURN NULL; END IF;
      INSERT INTO campaign_generations AS known (company_id, generation) VALUES (company, 2)
      ON CONFLICT (company_id) DO UPDATE SET generation = known.generation + 1;
      ${tables.map((table) => `DELETE FROM ${table} WHERE company_id = company;`).join('\n      ')}
      INSERT INTO touch_rebuilds (company_id) VALUES (company)
      ON CONFLICT (company_id) DO UPDATE SET after_recipient = '';
      RETURN NULL;
    END $$`;

/** Whoever writes touches says which counts it keeps in step; services of the version before say `yes`. */
const watching = (counts: string) =>
  TRIGGERS.flatMap((event) => [
    `DROP TRIGGER campaigns_uncounted_${event} ON touches`,
    `CREATE TRIGGER campaigns_uncounted_${event} AFTER ${event} ON touches FOR EACH STATEMENT
      WHEN (current_setting('app.counts_campaigns', true) IS DISTINCT FROM '${counts}')
      EXECUTE FUNCTION void_campaign_counts()`,
  ]);

const REBUILD = `INSERT INTO touch_rebuilds (company_id) SELECT company_id FROM companies
  ON CONFLICT (company_id) DO UPDATE SET after_recipient = ''`;

const UP = [
  `CREATE TABLE campaign_outcomes (
    company_id uuid NOT NULL,
    campaign bigint NOT NULL,
    fortnight integer NOT NULL,
    counts bytea NOT NULL,
    PRIMARY KEY (company_id, campaign, fortnight)
  )`,
  // Packed numbers (libs/persistence, campaign-counts): they do not compress, and are read and written as a whole.
  `ALTER TABLE campaign_outcomes ALTER counts SET STORAGE EXTERNAL`,
  // As in VacuumCounts1791002400000: few rows that change with every batch.
  `ALTER TABLE campaign_outcomes SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0)`,
  `ALTER TABLE campaign_outcomes ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE campaign_outcomes FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON campaign_outcomes
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON campaign_outcomes TO outcomes_ingest, outcomes_worker`,
  `GRANT SELECT ON campaign_outcomes TO outcomes_reader`,
  // Until a company's history is folded once more its messages are counted when they are asked for.
  `GRANT SELECT ON touch_rebuilds TO outcomes_reader`,
  voiding([...BEFORE, 'campaign_outcomes']),
  ...watching('outcomes'),
  REBUILD,
];

const DOWN = [
  ...watching('yes'),
  voiding(BEFORE),
  `REVOKE SELECT ON touch_rebuilds FROM outcomes_reader`,
  `DROP TABLE campaign_outcomes`,
];
