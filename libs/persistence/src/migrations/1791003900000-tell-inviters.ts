import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who sent an invitation, so that it goes with whoever sent it, and what it is withdrawn by. Pods of the version before
 * name no inviter; of theirs the administration log tells.
 */
export class TellInviters1791003900000 implements MigrationInterface {
  name = 'TellInviters1791003900000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE invitations ADD COLUMN invited_by uuid`,
  // Postgres writes the table anew for it, which holds a few rows per company.
  `ALTER TABLE invitations ADD COLUMN invitation_id uuid NOT NULL DEFAULT gen_random_uuid()`,
];

const DOWN = [
  `ALTER TABLE invitations DROP COLUMN invitation_id`,
  `ALTER TABLE invitations DROP COLUMN invited_by`,
];
