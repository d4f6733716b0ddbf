import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofAllCompanies } from '../schema/all-companies';

/**
 * Why somebody must not be written to, as far as it is told: an opt-out that was a complaint, a bounce for good. What
 * outlives its events keeps it, so that the list says the same before and after. It only adds: pods of the version before
 * go on, and write what they know.
 */
export class TellWhySuppressed1791002900000 implements MigrationInterface {
  name = 'TellWhySuppressed1791002900000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const REASON = 'suppression_list_reason_check';

const UP = [
  `ALTER TABLE suppressions ADD COLUMN complained boolean NOT NULL DEFAULT false,
    ADD COLUMN bounce_is_hard boolean NOT NULL DEFAULT false`,
  `ALTER TABLE suppression_list ADD COLUMN bounce text CHECK (bounce IN ('hard', 'soft', 'unknown')),
    DROP CONSTRAINT ${REASON},
    ADD CONSTRAINT ${REASON} CHECK (reason IN ('unsubscribed', 'bounced', 'complaint'))`,
];

const DOWN = [
  ...ofAllCompanies(
    ['suppression_list'],
    [`UPDATE suppression_list SET reason = 'unsubscribed' WHERE reason = 'complaint'`],
  ),
  `ALTER TABLE suppression_list DROP COLUMN bounce, DROP CONSTRAINT ${REASON},
    ADD CONSTRAINT ${REASON} CHECK (reason IN ('unsubscribed', 'bounced'))`,
  `ALTER TABLE suppressions DROP COLUMN bounce_is_hard, DROP COLUMN complained`,
];
