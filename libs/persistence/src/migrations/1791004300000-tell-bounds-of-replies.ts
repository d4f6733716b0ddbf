import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets who reads standings see how the time of a reply is meant: one that is known only as a bound may not lift a bounce. */
export class TellBoundsOfReplies1791004300000 implements MigrationInterface {
  name = 'TellBoundsOfReplies1791004300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT SELECT (outcome_at_is, sent_at) ON outcome_events TO outcomes_reader');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT (outcome_at_is, sent_at) ON outcome_events FROM outcomes_reader');
  }
}
