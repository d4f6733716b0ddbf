import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds out at once that nothing of a company tells of complaints or hard bounces. They are built beside the traffic,
 * which cannot be done within a transaction: see buildIndex.
 */
export class IndexCauses1791002910000 implements MigrationInterface {
  name = 'IndexCauses1791002910000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      await buildIndex(runner, name, definition);
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
