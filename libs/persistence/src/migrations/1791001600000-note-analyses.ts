import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each company's newest analysis was finished, where the workers can see it of all companies. */
export class NoteAnalyses1791001600000 implements MigrationInterface {
  name = 'NoteAnalyses1791001600000';

  async up(runner: QueryRunner): Promise<void> {
    // What is there counts as analysed now: a constant, which rewrites no row.
    await runner.query('ALTER TABLE analysis_plans ADD COLUMN analysed_at timestamptz DEFAULT now()');
    await runner.query('ALTER TABLE analysis_plans ALTER COLUMN analysed_at DROP DEFAULT');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analysis_plans DROP COLUMN analysed_at');
  }
}
