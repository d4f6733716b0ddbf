import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many runs have written the state of a channel, by which a run knows that another has come between. Services of the
 * version before leave the number as it is.
 */
export class NumberChannelStates1791004000000 implements MigrationInterface {
  name = 'NumberChannelStates1791004000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE channel_states ADD COLUMN writes integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE channel_states DROP COLUMN writes');
  }
}
