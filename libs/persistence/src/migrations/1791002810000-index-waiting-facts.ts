import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * What waits for its message, by source; opt-outs and bounces (2, 3) hold without one. It is built beside the traffic,
 * which cannot be done within a transaction: see buildIndex.
 */
export class IndexWaitingFacts1791002810000 implements MigrationInterface {
  name = 'IndexWaitingFacts1791002810000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'outcome_events_waiting',
      `outcome_events (company_id, source_id)
       WHERE touch_id IS NULL AND source_id IS NOT NULL AND outcome NOT IN (2, 3)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS outcome_events_waiting');
  }
}
