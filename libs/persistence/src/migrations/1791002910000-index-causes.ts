import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds out at once that nothing of a company tells of complaints or hard bounces. They are built beside the traffic,
 * which cannot be done within a transaction: one that was broken off is dropped and built again.
 */
export class IndexCauses1791002910000 implements MigrationInterface {
  name = 'IndexCauses1791002910000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}

const INDEXES = {
  outcome_events_causes: `outcome_events (company_id) WHERE outcome IN (2, 3)
    AND (metadata @> '{"complaint": true}' OR metadata @> '{"bounce": "hard"}')`,
  suppressions_causes: 'suppressions (company_id) WHERE complained OR bounce_is_hard',
} as const;
