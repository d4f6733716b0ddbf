import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a person was here before, and when a claim was written down: what is new since the last visit. Of rows that are
 * older neither is known.
 */
export class RememberVisits1791002700000 implements MigrationInterface {
  name = 'RememberVisits1791002700000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE users ADD COLUMN last_seen_at timestamptz`,
  `ALTER TABLE users ADD COLUMN previous_visit_at timestamptz`,
  `ALTER TABLE claims ADD COLUMN recorded_at timestamptz`,
  `ALTER TABLE claims ALTER COLUMN recorded_at SET DEFAULT now()`,
];

const DOWN = [
  `ALTER TABLE claims DROP COLUMN recorded_at`,
  `ALTER TABLE users DROP COLUMN previous_visit_at`,
  `ALTER TABLE users DROP COLUMN last_seen_at`,
];
