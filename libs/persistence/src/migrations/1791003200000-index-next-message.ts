import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds what was sent to somebody after a moment without reading what was sent before: of each decision that is looked at
 * it is asked whether a message has followed. It is built beside the traffic, which cannot be done within a transaction: see
 * buildIndex.
 */
export class IndexNextMessage1791003200000 implements MigrationInterface {
  name = 'IndexNextMessage1791003200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'touches_of_recipient', 'touches (company_id, recipient_id, sent_at)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS touches_by_recipient');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX IF NOT EXISTS touches_by_recipient ON touches (company_id, recipient_id)',
    );
    await runner.query('DROP INDEX IF EXISTS touches_of_recipient');
  }
}
