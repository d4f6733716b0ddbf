import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was judged of a company's fold of evidence: while no campaign's matured counts change, neither does it. */
export class KeepJudgements1791002300000 implements MigrationInterface {
  name = 'KeepJudgements1791002300000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE evidence_folds DROP COLUMN judged_of, DROP COLUMN judgement');
  }
}

const UP = [
  // Which campaigns it is of, each in which state, as a hash; null of folds of an earlier version.
  'ALTER TABLE evidence_folds ADD COLUMN judged_of bytea, ADD COLUMN judgement bytea',
];
