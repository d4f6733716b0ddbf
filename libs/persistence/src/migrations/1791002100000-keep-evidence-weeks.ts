import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/** How the evidence about every code stood week by week, and how many messages a claim was about. */
export class KeepEvidenceWeeks1791002100000 implements MigrationInterface {
  name = 'KeepEvidenceWeeks1791002100000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE evidence_weeks');
    await runner.query('ALTER TABLE claims DROP COLUMN messages');
  }
}

const UP = [
  // Null in rows of versions that did not count them.
  `ALTER TABLE claims ADD COLUMN messages integer`,
  // As the last run of the week (by its Monday) found it. Weeks of \`folded_later\` were no week's run: what a company
  // brought as history was folded week by week afterwards, as if there had been runs.
  `CREATE TABLE evidence_weeks (
    company_id uuid NOT NULL,
    code text COLLATE "C" NOT NULL,
    week date NOT NULL,
    folded_later boolean NOT NULL,
    tier text NOT NULL CHECK (tier IN ('confirmed', 'likely', 'directional', 'none')),
    log_e float8 NOT NULL,
    log_limit float8 NOT NULL,
    odds_ratio float8 NOT NULL,
    odds_ratio_low float8 NOT NULL,
    odds_ratio_high float8 NOT NULL,
    messages integer NOT NULL,
    PRIMARY KEY (company_id, code, week, folded_later)
  )`,
  `ALTER TABLE evidence_weeks ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE evidence_weeks FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON evidence_weeks
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON evidence_weeks TO outcomes_worker`,
  `GRANT SELECT ON evidence_weeks TO outcomes_reader`,
];
