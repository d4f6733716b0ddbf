import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/**
 * What segments of recipients, borrowed priors and the language model need: industries for those who read profiles,
 * the two numbers that a company lends to the platform, and how many messages a day went to the model.
 */
export class AddSegmentsAndPriors1790500000000 implements MigrationInterface {
  name = 'AddSegmentsAndPriors1790500000000';

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
  // Profiles are read page by page in order of the address.
  `CREATE INDEX touches_answered_by_address ON touches (company_id, recipient_hash)
    WHERE outcome = 1 AND recipient_hash IS NOT NULL`,
  // A profile's segment may follow from the industry and the message that it came with.
  `GRANT SELECT (industry, touch_id) ON outcome_events TO outcomes_reader`,
  // Mean reply rate and concentration of a company's arms: never its counts.
  `CREATE TABLE lent_priors (
    company_id uuid PRIMARY KEY,
    mean double precision NOT NULL CHECK (mean > 0 AND mean < 1),
    concentration double precision NOT NULL CHECK (concentration > 0),
    weight double precision NOT NULL CHECK (weight > 0),
    updated_at timestamptz NOT NULL
  )`,
  ...secured('lent_priors'),
  // The prior of all companies is formed from everybody's two numbers, in a transaction that says so.
  `CREATE POLICY form_prior ON lent_priors FOR SELECT TO outcomes_worker
    USING (current_setting('app.forms_prior', true) = 'on')`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON lent_priors TO outcomes_worker`,
  `GRANT SELECT, DELETE ON lent_priors TO outcomes_admin`,
  `CREATE TABLE llm_usage (
    company_id uuid NOT NULL,
    day date NOT NULL,
    messages integer NOT NULL CHECK (messages >= 0),
    PRIMARY KEY (company_id, day)
  )`,
  ...secured('llm_usage'),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON llm_usage TO outcomes_worker`,
  `GRANT SELECT, DELETE ON llm_usage TO outcomes_admin`,
];

const DOWN = [
  `DROP TABLE llm_usage`,
  `DROP TABLE lent_priors`,
  `REVOKE SELECT (industry, touch_id) ON outcome_events FROM outcomes_reader`,
  `DROP INDEX touches_answered_by_address`,
];
