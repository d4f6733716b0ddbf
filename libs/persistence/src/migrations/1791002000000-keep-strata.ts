import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/** Messages by pairs of levels, kept like the cells that they divide: by themselves, whatever is made of them. */
export class KeepStrata1791002000000 implements MigrationInterface {
  name = 'KeepStrata1791002000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE campaign_strata');
  }
}

const UP = [
  // Counted from the messages of one campaign, of that revision of its counts, by the vocabulary of that make; of the
  // fortnights that have matured from one day up to another. It may be lost: the next run counts again.
  `CREATE TABLE campaign_strata (
    company_id uuid NOT NULL,
    campaign bigint NOT NULL,
    revision uuid NOT NULL,
    make text NOT NULL,
    matured_on date,
    matures_next date,
    strata bytea NOT NULL,
    PRIMARY KEY (company_id, campaign)
  )`,
  // Packed numbers: they do not compress.
  `ALTER TABLE campaign_strata ALTER strata SET STORAGE EXTERNAL`,
  `ALTER TABLE campaign_strata ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE campaign_strata FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON campaign_strata
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON campaign_strata TO outcomes_worker`,
  // They stood beside the evidence. Nobody reads them there any more, and they must not outlive a message that they
  // count; workers of the version before still write the column.
  `ALTER TABLE campaign_evidence DROP COLUMN strata, ADD COLUMN strata bytea`,
];
