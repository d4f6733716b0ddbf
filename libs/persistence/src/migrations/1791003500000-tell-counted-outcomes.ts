import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofAllCompanies } from '../schema/all-companies';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * Of each company, whether counts of campaigns by outcome are kept in step. Before a company's history has been folded
 * once more they are not: whoever folds leaves them alone and keeps the others, and answers count messages. Services of
 * the version before keep the others as well, and go on doing so while they are replaced or after a rollback.
 */
export class TellCountedOutcomes1791003500000 implements MigrationInterface {
  name = 'TellCountedOutcomes1791003500000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const COUNTS = ['campaigns', 'campaign_days', 'campaign_cells', 'campaign_texts', 'campaign_outcomes'];

const QUEUED = `INSERT INTO touch_rebuilds (company_id) VALUES (company)
      ON CONFLICT (company_id) DO UPDATE SET after_recipient = '';`;

const KEEPS_ALL_BUT_OUTCOMES = `IF current_setting('app.counts_campaigns', true) = 'yes' THEN
        INSERT INTO campaign_generations AS known (company_id, generation, counts_outcomes) VALUES (company, 1, false)
        ON CONFLICT (company_id) DO UPDATE SET counts_outcomes = false WHERE known.counts_outcomes;
        IF FOUND THEN
          DELETE FROM campaign_outcomes WHERE company_id = company;
          ${QUEUED}
        END IF;
        RETURN NULL;
      END IF;`;

/** As in CountOutcomes1791003000000, which made everything void whoever wrote. */
const voiding = (beforehand: string) => `CREATE OR REPLACE FUNCTION void_campaign_counts()
  RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE company uuid := ${COMPANY};
    BEGIN
      IF company IS NULL THEN RETURN NULL; END IF;
      ${beforehand}
      INSERT INTO campaign_generations AS known (company_id, generation) VALUES (company, 2)
      ON CONFLICT (company_id) DO UPDATE SET generation = known.generation + 1;
      ${COUNTS.map((table) => `DELETE FROM ${table} WHERE company_id = company;`).join('\n      ')}
      ${QUEUED}
      RETURN NULL;
    END $$`;

const UP = [
  `ALTER TABLE campaign_generations ADD COLUMN counts_outcomes boolean NOT NULL DEFAULT true`,
  `CREATE POLICY schedule ON campaign_generations FOR SELECT TO outcomes_worker USING (true)`,
  voiding(KEEPS_ALL_BUT_OUTCOMES),
  ...ofAllCompanies(
    ['companies', 'campaign_generations', 'touch_rebuilds'],
    [
      `INSERT INTO campaign_generations (company_id, generation, counts_outcomes)
        SELECT company_id, 1, false FROM companies ON CONFLICT (company_id) DO UPDATE SET counts_outcomes = false`,
      `INSERT INTO touch_rebuilds (company_id) SELECT company_id FROM companies
        ON CONFLICT (company_id) DO UPDATE SET after_recipient = ''`,
    ],
  ),
  `TRUNCATE campaign_outcomes`,
];

const DOWN = [
  voiding(''),
  `DROP POLICY schedule ON campaign_generations`,
  `ALTER TABLE campaign_generations DROP COLUMN counts_outcomes`,
];
