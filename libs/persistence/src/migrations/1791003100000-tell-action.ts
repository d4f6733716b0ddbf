import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a decision advises as a column of its own. Services read under row-level security, where Postgres uses no index over
 * an expression that might tell of a row before its policy is looked at, as reading JSON might: what is advised was looked
 * for in every decision of a company. Writes the table anew under a lock: decisions cannot be read meanwhile.
 */
export class TellAction1791003100000 implements MigrationInterface {
  name = 'TellAction1791003100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE workflow_decisions ADD COLUMN action text GENERATED ALWAYS AS ((result::jsonb) ->> 'action') STORED`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflow_decisions DROP COLUMN action');
  }
}
