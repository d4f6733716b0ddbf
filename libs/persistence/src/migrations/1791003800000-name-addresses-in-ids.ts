import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of answers without recipient_email whose recipient_id is an e-mail address: its hash, so that an opt-out under an address
 * holds for everybody who is written to at it. Of opt-outs and bounces that are stored, the worker notes it with the next
 * batch of their company, or with its daily run.
 */
export class NameAddressesInIds1791003800000 implements MigrationInterface {
  name = 'NameAddressesInIds1791003800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE outcome_events ADD COLUMN id_address_hash text`,
  `GRANT SELECT (id_address_hash) ON outcome_events TO outcomes_reader`,
  // Whether the list was held against everything since such addresses are known.
  `ALTER TABLE suppression_list_checks ADD COLUMN names_addresses boolean NOT NULL DEFAULT false`,
];

const DOWN = [
  `ALTER TABLE suppression_list_checks DROP COLUMN names_addresses`,
  `ALTER TABLE outcome_events DROP COLUMN id_address_hash`,
];
