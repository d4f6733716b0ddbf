import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the campaigns that sent last, of however many. It is built beside the traffic, which cannot be done within a
 * transaction: one that was broken off is dropped and built again.
 */
export class IndexNewestCampaigns1791004100000 implements MigrationInterface {
  name = 'IndexNewestCampaigns1791004100000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS campaign_outcomes_newest');
    await runner.query(
      'CREATE INDEX CONCURRENTLY campaign_outcomes_newest ON campaign_outcomes (company_id, fortnight, campaign)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS campaign_outcomes_newest');
  }
}
