import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What waits for its message, by source; opt-outs and bounces (2, 3) hold without one. It is built beside the traffic,
 * which cannot be done within a transaction: one that was broken off is dropped and built again.
 */
export class IndexWaitingFacts1791002810000 implements MigrationInterface {
  name = 'IndexWaitingFacts1791002810000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS outcome_events_waiting');
    await runner.query(
      `CREATE INDEX CONCURRENTLY outcome_events_waiting ON outcome_events (company_id, source_id)
       WHERE touch_id IS NULL AND source_id IS NOT NULL AND outcome NOT IN (2, 3)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS outcome_events_waiting');
  }
}
