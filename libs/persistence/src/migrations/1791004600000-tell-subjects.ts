import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofAllCompanies } from '../schema/all-companies';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Counts of each campaign by subject, beside those by body: two subject lines under one body are two draws, which the ids of
 * whole messages hardly told apart. Filled by the walk that folds stored history once more, and kept in step by whoever
 * folds. Services of earlier versions keep the other counts, while they are replaced and after a rollback.
 */
export class TellSubjects1791004600000 implements MigrationInterface {
  name = 'TellSubjects1791004600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const TRIGGERS = ['insert', 'update', 'delete'] as const;
const COUNTS = ['campaigns', 'campaign_days', 'campaign_cells', 'campaign_texts', 'campaign_outcomes'];

const QUEUED = `INSERT INTO touch_rebuilds (company_id) VALUES (company)
      ON CONFLICT (company_id) DO UPDATE SET after_recipient = '';`;

/** The version before keeps all counts but those by subject, and the one before that none by outcome either. */
const EARLIER = `IF writer IN ('yes', 'outcomes') THEN
        INSERT INTO campaign_generations AS known (company_id, generation, counts_outcomes, counts_subjects)
        VALUES (company, 1, writer = 'outcomes', false)
        ON CONFLICT (company_id) DO UPDATE SET counts_subjects = false,
          counts_outcomes = known.counts_outcomes AND writer = 'outcomes'
        WHERE known.counts_subjects OR (known.counts_outcomes AND writer = 'yes');
        IF FOUND THEN
          DELETE FROM campaign_subjects WHERE company_id = company;
          IF writer = 'yes' THEN DELETE FROM campaign_outcomes WHERE company_id = company; END IF;
          ${QUEUED}
        END IF;
        RETURN NULL;
      END IF;`;

/** As in TellCountedOutcomes1791003500000. */
const YES = `IF writer = 'yes' THEN
        INSERT INTO campaign_generations AS known (company_id, generation, counts_outcomes) VALUES (company, 1, false)
        ON CONFLICT (company_id) DO UPDATE SET counts_outcomes = false WHERE known.counts_outcomes;
        IF FOUND THEN
          DELETE FROM campaign_outcomes WHERE company_id = company;
          ${QUEUED}
        END IF;
        RETURN NULL;
      END IF;`;

/** The same. */
const voiding = (
  beforehand: string,
  counts: readonly string[],
) => `CREATE OR REPLACE FUNCTION void_campaign_counts()
  RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      company uuid := ${COMPANY};
      writer text := current_setting('app.counts_campaigns', true);
    BEGIN
      IF company IS NULL THEN RETURN NULL; END IF;
      ${beforehand}
      INSERT INTO campaign_generations AS known (company_id, generation) VALUES (company, 2)
      ON CONFLICT (company_id) DO UPDATE SET generation = known.generation + 1;
      ${counts.map((table) => `DELETE FROM ${table} WHERE company_id = company;`).join('\n      ')}
      ${QUEUED}
      RETURN NULL;
    END $$`;

/** Whoever writes touches says which counts it keeps in step. */
const watching = (counts: string) =>
  TRIGGERS.flatMap((event) => [
    `DROP TRIGGER campaigns_uncounted_${event} ON touches`,
    `CREATE TRIGGER campaigns_uncounted_${event} AFTER ${event} ON touches FOR EACH STATEMENT
      WHEN (current_setting('app.counts_campaigns', true) IS DISTINCT FROM '${counts}')
      EXECUTE FUNCTION void_campaign_counts()`,
  ]);

const UP = [
  // A hash over the words of the subject; null of a touch that was folded before.
  `ALTER TABLE touches ADD COLUMN subject_id integer`,
  `CREATE TABLE campaign_subjects (
    company_id uuid NOT NULL,
    campaign bigint NOT NULL,
    shard smallint NOT NULL,
    counts bytea NOT NULL,
    PRIMARY KEY (company_id, campaign, shard)
  )`,
  // Packed numbers, as those by text: they do not compress, and few rows change with every batch.
  `ALTER TABLE campaign_subjects ALTER counts SET STORAGE EXTERNAL`,
  `ALTER TABLE campaign_subjects SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0)`,
  `ALTER TABLE campaign_subjects ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE campaign_subjects FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON campaign_subjects
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON campaign_subjects TO outcomes_ingest, outcomes_worker`,
  `GRANT SELECT ON campaign_subjects TO outcomes_reader`,
  `ALTER TABLE campaign_generations ADD COLUMN counts_subjects boolean NOT NULL DEFAULT true`,
  voiding(EARLIER, [...COUNTS, 'campaign_subjects']),
  ...watching('subjects'),
  ...ofAllCompanies(
    ['companies', 'campaign_generations', 'touch_rebuilds'],
    [
      `INSERT INTO campaign_generations (company_id, generation, counts_subjects)
        SELECT company_id, 1, false FROM companies ON CONFLICT (company_id) DO UPDATE SET counts_subjects = false`,
      `INSERT INTO touch_rebuilds (company_id) SELECT company_id FROM companies
        ON CONFLICT (company_id) DO UPDATE SET after_recipient = ''`,
    ],
  ),
];

const DOWN = [
  ...watching('outcomes'),
  voiding(YES, COUNTS),
  `ALTER TABLE campaign_generations DROP COLUMN counts_subjects`,
  `DROP TABLE campaign_subjects`,
  `ALTER TABLE touches DROP COLUMN subject_id`,
];
