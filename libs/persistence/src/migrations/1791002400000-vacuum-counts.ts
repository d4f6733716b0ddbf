import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts are few rows that are written anew with every batch. By default a table is vacuumed once a fifth of it is dead,
 * looked for once a minute, and no sooner than Postgres' pace allows; meanwhile each update of a row needs another page.
 * Room on its page lets a row's next version stand beside it, without a new entry in any index, and be cleaned up by the
 * next reader. Takes a lock that neither readers nor writers wait for.
 */
export class VacuumCounts1791002400000 implements MigrationInterface {
  name = 'VacuumCounts1791002400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} SET (${SETTINGS.join(', ')})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const names = SETTINGS.map((setting) => setting.split(' ')[0]).join(', ');
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} RESET (${names})`);
  }
}

const TABLES = [
  'cohort_counts',
  'cohort_weeks',
  'campaign_days',
  'campaign_cells',
  'campaign_texts',
  'responder_counts',
  'usage_months',
];

const SETTINGS = [
  'fillfactor = 50',
  'autovacuum_vacuum_scale_factor = 0.02',
  'autovacuum_vacuum_threshold = 200',
  'autovacuum_vacuum_cost_delay = 0',
];
