import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/** What campaigns amount to as evidence about messages, kept between runs, and the record of what was claimed. */
export class KeepEvidence1791000700000 implements MigrationInterface {
  name = 'KeepEvidence1791000700000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['claims', 'campaign_evidence']) await runner.query(`DROP TABLE ${table}`);
  }
}

const secured = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY own_company ON ${table}
    USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
];

const UP = [
  // Made of the counts of one campaign, of that revision, by a program of that make; valid from the day on which the
  // newest of its matured fortnights did mature up to the day on which the next one does. It may be lost: from the
  // counts the same bytes come out.
  `CREATE TABLE campaign_evidence (
    company_id uuid NOT NULL,
    campaign bigint NOT NULL,
    revision uuid NOT NULL,
    make text NOT NULL,
    matured_on date,
    matures_next date,
    evidence bytea NOT NULL,
    strata bytea,
    PRIMARY KEY (company_id, campaign)
  )`,
  // Packed numbers: they do not compress.
  `ALTER TABLE campaign_evidence ALTER evidence SET STORAGE EXTERNAL, ALTER strata SET STORAGE EXTERNAL`,
  ...secured('campaign_evidence'),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON campaign_evidence TO outcomes_worker`,
  // One row per change of what is claimed of a code, numbered per code; a row holds until the next. Nobody may change or
  // delete one. \`since\` is the state of the data that it was found in.
  `CREATE TABLE claims (
    company_id uuid NOT NULL,
    code text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    tier text NOT NULL CHECK (tier IN ('confirmed', 'likely', 'directional', 'none')),
    is_up boolean,
    since timestamptz NOT NULL,
    reason text NOT NULL,
    goes_with text,
    e_value float8 NOT NULL,
    odds_ratio float8 NOT NULL,
    odds_ratio_low float8 NOT NULL,
    odds_ratio_high float8 NOT NULL,
    PRIMARY KEY (company_id, code, number),
    CHECK ((tier = 'none') = (is_up IS NULL))
  )`,
  ...secured('claims'),
  `GRANT SELECT, INSERT ON claims TO outcomes_worker`,
  `GRANT SELECT ON claims TO outcomes_reader`,
];
