import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/** What all campaigns of a company together amount to as evidence, so that a run reads only those that have changed. */
export class FoldEvidence1791000800000 implements MigrationInterface {
  name = 'FoldEvidence1791000800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE evidence_folds');
    await runner.query('ALTER TABLE campaign_evidence DROP COLUMN variants');
  }
}

const UP = [
  // Sums over the campaigns that it names, each in the state that it names, by a program of that make. It may be lost:
  // from the counts the same bytes come out.
  `CREATE TABLE evidence_folds (
    company_id uuid NOT NULL,
    make text NOT NULL,
    fold bytea NOT NULL,
    PRIMARY KEY (company_id)
  )`,
  // Packed numbers: they do not compress.
  `ALTER TABLE evidence_folds ALTER fold SET STORAGE EXTERNAL`,
  `ALTER TABLE evidence_folds ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE evidence_folds FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON evidence_folds
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON evidence_folds TO outcomes_worker`,
  // Variants are read of all campaigns that have any; the rest of a campaign's evidence only when it changes.
  `ALTER TABLE campaign_evidence ADD COLUMN variants bytea`,
];
