import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sums of all weeks up to a checkpoint, beside the state of the tests there: counts alone, made from `cohort_counts`,
 * and they may be lost. `sums_of` names the weeks that they sum, each as it was.
 */
export class AddSettledSums1790900000000 implements MigrationInterface {
  name = 'AddSettledSums1790900000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE analysis_checkpoints ADD COLUMN sums bytea, ADD COLUMN sums_of bytea`,
  // Sums are packed already.
  `ALTER TABLE analysis_checkpoints ALTER sums SET STORAGE EXTERNAL`,
];

const DOWN = [`ALTER TABLE analysis_checkpoints DROP COLUMN sums, DROP COLUMN sums_of`];
