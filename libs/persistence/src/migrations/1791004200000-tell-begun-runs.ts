import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets ingestion tell which run began last as the others do, by `begun_at`. */
export class TellBegunRuns1791004200000 implements MigrationInterface {
  name = 'TellBegunRuns1791004200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT SELECT (begun_at) ON analysis_runs TO outcomes_ingest');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT (begun_at) ON analysis_runs FROM outcomes_ingest');
  }
}
