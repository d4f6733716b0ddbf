import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A message was counted as assigned at random where it named its variant; now its probability alone says so. The worker
 * folds what is stored once more.
 */
export class CountLots1791001490000 implements MigrationInterface {
  name = 'CountLots1791001490000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO touch_rebuilds (company_id) SELECT company_id FROM companies
      ON CONFLICT (company_id) DO UPDATE SET after_recipient = ''`);
  }

  async down(): Promise<void> {
    // What is folded stays: an earlier version reads it as it is.
  }
}
