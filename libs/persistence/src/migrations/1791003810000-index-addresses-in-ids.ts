import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds answers by the address that their recipient_id is. It is built beside the traffic, which cannot be done within a
 * transaction: see buildIndex.
 */
export class IndexAddressesInIds1791003810000 implements MigrationInterface {
  name = 'IndexAddressesInIds1791003810000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'outcome_events_addresses_in_ids',
      `outcome_events (company_id, id_address_hash)
       WHERE id_address_hash IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS outcome_events_addresses_in_ids');
  }
}
