import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds decisions by what they advise, newest first. It is built beside the traffic, which cannot be done within a
 * transaction: see buildIndex.
 */
export class IndexDecisionsByAction1791001500000 implements MigrationInterface {
  name = 'IndexDecisionsByAction1791001500000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The result is frozen as canonical JSON, without any text of a tenant.
    await buildIndex(
      runner,
      'workflow_decisions_by_action',
      `workflow_decisions
         (company_id, ((result::jsonb) ->> 'action'), decided_at DESC, decision_id DESC)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS workflow_decisions_by_action');
  }
}
