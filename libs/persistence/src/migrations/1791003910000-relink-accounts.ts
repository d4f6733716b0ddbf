import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether an invitation gives the account of its address to another identity at the provider, as an operator said. Pods of
 * the version before neither write nor read it: theirs give no account away.
 */
export class RelinkAccounts1791003910000 implements MigrationInterface {
  name = 'RelinkAccounts1791003910000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invitations ADD COLUMN relinks boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invitations DROP COLUMN relinks');
  }
}
