import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds decisions by what they advise, newest first, without reading them. It is built beside the traffic, which cannot be
 * done within a transaction: see buildIndex.
 */
export class IndexAction1791003110000 implements MigrationInterface {
  name = 'IndexAction1791003110000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'workflow_decisions_newest_of_action',
      `workflow_decisions
         (company_id, action, decided_at DESC, decision_id DESC)`,
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS workflow_decisions_by_action');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS workflow_decisions_by_action ON workflow_decisions
         (company_id, ((result::jsonb) ->> 'action'), decided_at DESC, decision_id DESC)`,
    );
    await runner.query('DROP INDEX IF EXISTS workflow_decisions_newest_of_action');
  }
}
