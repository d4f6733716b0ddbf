import type { MigrationInterface, QueryRunner } from 'typeorm';
import { followTouches, READ } from './1791000400000-profile-everyone';

/**
 * Days of messages by industry are told apart by campaign too, so they are made anew where a message turns out to be of
 * another one. Those of before are of another make, and made anew by the next run.
 */
export class FollowCampaigns1791004500000 implements MigrationInterface {
  name = 'FollowCampaigns1791004500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(followTouches([...READ, 'campaign_id']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(followTouches(READ));
  }
}
