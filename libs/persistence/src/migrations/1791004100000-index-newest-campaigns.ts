import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds the campaigns that sent last, of however many. It is built beside the traffic, which cannot be done within a
 * transaction: see buildIndex.
 */
export class IndexNewestCampaigns1791004100000 implements MigrationInterface {
  name = 'IndexNewestCampaigns1791004100000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'campaign_outcomes_newest',
      'campaign_outcomes (company_id, fortnight, campaign)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS campaign_outcomes_newest');
  }
}
