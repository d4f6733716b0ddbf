import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds decisions by what they advise, newest first. It is built beside the traffic, which cannot be done within a
 * transaction: one that was broken off is dropped and built again.
 */
export class IndexDecisionsByAction1791001500000 implements MigrationInterface {
  name = 'IndexDecisionsByAction1791001500000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS workflow_decisions_by_action');
    // The result is frozen as canonical JSON, without any text of a tenant.
    await runner.query(
      `CREATE INDEX CONCURRENTLY workflow_decisions_by_action ON workflow_decisions
         (company_id, ((result::jsonb) ->> 'action'), decided_at DESC, decision_id DESC)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS workflow_decisions_by_action');
  }
}
