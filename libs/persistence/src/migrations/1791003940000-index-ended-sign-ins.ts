import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

const INDEXES = {
  sign_in_attempts_by_age: 'sign_in_attempts (began_at)',
  user_sessions_by_age: 'user_sessions (signed_in_at)',
};

/**
 * Finds attempts and sessions that are over. They are built beside the traffic, which cannot be done within a transaction:
 * see buildIndex.
 */
export class IndexEndedSignIns1791003940000 implements MigrationInterface {
  name = 'IndexEndedSignIns1791003940000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await buildIndex(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}
