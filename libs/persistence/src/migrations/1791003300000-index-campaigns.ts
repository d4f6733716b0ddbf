import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Finds the first and the last message of a campaign without reading those of their days. It is built beside the traffic,
 * which cannot be done within a transaction: see buildIndex.
 */
export class IndexCampaigns1791003300000 implements MigrationInterface {
  name = 'IndexCampaigns1791003300000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'touches_of_campaign',
      `touches (company_id, campaign_id, sent_day, sent_at)
       WHERE campaign_id IS NOT NULL`,
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS touches_by_campaign');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS touches_by_campaign ON touches (company_id, campaign_id, sent_day)
         WHERE campaign_id IS NOT NULL`,
    );
    await runner.query('DROP INDEX IF EXISTS touches_of_campaign');
  }
}
