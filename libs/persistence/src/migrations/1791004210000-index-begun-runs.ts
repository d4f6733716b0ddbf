import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/** Finds the run of a company that began last. It is built beside the traffic: see buildIndex. */
export class IndexBegunRuns1791004210000 implements MigrationInterface {
  name = 'IndexBegunRuns1791004210000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'analysis_runs_begun_last',
      'analysis_runs (company_id, begun_at DESC NULLS LAST, started_at DESC)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS analysis_runs_begun_last');
  }
}
