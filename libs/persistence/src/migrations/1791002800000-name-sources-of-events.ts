import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which receiver an event came by: only so can a source be told what of it waits for its message. */
export class NameSourcesOfEvents1791002800000 implements MigrationInterface {
  name = 'NameSourcesOfEvents1791002800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outcome_events ADD COLUMN source_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outcome_events DROP COLUMN source_id');
  }
}
