import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether an attempt to sign in has to end with a new authentication at the provider, because somebody who is signed in
 * began it. Pods of the version before neither ask for one nor check it.
 */
export class MarkReauthentications1791003920000 implements MigrationInterface {
  name = 'MarkReauthentications1791003920000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE sign_in_attempts ADD COLUMN reauthenticates boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_attempts DROP COLUMN reauthenticates');
  }
}
