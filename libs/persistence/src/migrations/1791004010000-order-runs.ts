import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each run of an analysis was begun by the clock of the database: `started_at` is by the clock of the process, and
 * those differ. The default dates the runs of services of the version before; runs from before have none, which is
 * earlier than any.
 */
export class OrderRuns1791004010000 implements MigrationInterface {
  name = 'OrderRuns1791004010000';

  async up(runner: QueryRunner): Promise<void> {
    // Two statements: with its default at once, every row there is would be written anew.
    await runner.query('ALTER TABLE analysis_runs ADD COLUMN begun_at timestamptz');
    await runner.query('ALTER TABLE analysis_runs ALTER begun_at SET DEFAULT clock_timestamp()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analysis_runs DROP COLUMN begun_at');
  }
}
