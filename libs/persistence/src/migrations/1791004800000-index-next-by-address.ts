import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds the newest message to an address, and the first after a moment, without reading the others: of each decision that is
 * looked at both are asked, and all that was ever sent to the address was read for them. Built beside the traffic: see
 * buildIndex.
 */
export class IndexNextByAddress1791004800000 implements MigrationInterface {
  name = 'IndexNextByAddress1791004800000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const on = 'touches (company_id, recipient_hash, sent_at) WHERE recipient_hash IS NOT NULL';
    await buildIndex(runner, 'touches_of_address', on);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS touches_by_address');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS touches_by_address ON touches (company_id, recipient_hash)
       WHERE recipient_hash IS NOT NULL`,
    );
    await runner.query('DROP INDEX IF EXISTS touches_of_address');
  }
}
