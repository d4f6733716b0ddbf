import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds the newest calls of others that asked for a company in the order in which it is told of them, and those of a
 * window, however many there are. It is built beside the traffic, which cannot be done within a transaction: see
 * buildIndex.
 */
export class IndexRequestedCalls1791003600000 implements MigrationInterface {
  name = 'IndexRequestedCalls1791003600000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'audit_log_requested_by_time',
      `audit_log (requested_company_id, occurred_at DESC, sequence DESC)
       WHERE requested_company_id IS NOT NULL`,
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS audit_log_requested');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS audit_log_requested ON audit_log (requested_company_id, sequence DESC)
         WHERE requested_company_id IS NOT NULL`,
    );
    await runner.query('DROP INDEX IF EXISTS audit_log_requested_by_time');
  }
}
