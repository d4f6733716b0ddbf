import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofAllCompanies } from '../schema/all-companies';
import { buildIndex } from '../schema/concurrent-indexes';
import { alterTogether } from '../schema/transactions';

/**
 * Lets a contact be decided about once more after the same message in a state that it was in before: where what stopped it
 * no longer stands, it is open again. The index also finds the last decision after a message. It is built beside the
 * traffic, which cannot be done within a transaction: see buildIndex.
 */
export class DecideAgain1791003700000 implements MigrationInterface {
  name = 'DecideAgain1791003700000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'workflow_decisions_of_message',
      `workflow_decisions
         (company_id, after_touch_id, decided_at, contact_state)`,
      { isUnique: true },
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS workflow_decisions_once');
  }

  /** The newest of each state stays: the earlier schema knows one. */
  async down(runner: QueryRunner): Promise<void> {
    await alterTogether(runner, ofAllCompanies(['workflow_decisions'], [FORGET_EARLIER]));
    await runner.query(
      `CREATE UNIQUE INDEX IF NOT EXISTS workflow_decisions_once
         ON workflow_decisions (company_id, after_touch_id, contact_state)`,
    );
    await runner.query('DROP INDEX IF EXISTS workflow_decisions_of_message');
  }
}

const FORGET_EARLIER = `
  DELETE FROM workflow_decisions AS earlier USING workflow_decisions AS later
  WHERE later.company_id = earlier.company_id AND later.after_touch_id = earlier.after_touch_id
    AND later.contact_state = earlier.contact_state AND later.decided_at > earlier.decided_at`;
