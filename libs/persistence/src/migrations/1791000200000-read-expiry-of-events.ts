import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Services that read may see when an event was ingested, so that what has expired answers nothing. */
export class ReadExpiryOfEvents1791000200000 implements MigrationInterface {
  name = 'ReadExpiryOfEvents1791000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT SELECT (ingested_at) ON outcome_events TO outcomes_reader');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT (ingested_at) ON outcome_events FROM outcomes_reader');
  }
}
