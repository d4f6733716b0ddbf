import type { MigrationInterface, QueryRunner } from 'typeorm';
import { listCompanies } from '../schema/all-companies';
import { inTransaction } from '../schema/transactions';
import {
  CHANGED,
  collected,
  DECLARED,
  FOLLOW_PEOPLE,
  LOCK_OF_TOUCHES,
} from './1791000400000-profile-everyone';

/**
 * Profiles of people whom 1790700000000 and 1791000400000 left out: run by an owner whom row-level security holds, they
 * saw no company. Only who is missing is added, some of one company at a time under the lock of its touches; where nobody
 * is, each company is read once. One that was broken off may be run again.
 */
export class ProfileThoseLeftOut1791004400000 implements MigrationInterface {
  name = 'ProfileThoseLeftOut1791004400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const companyId of await listCompanies(runner)) {
      const recipients = await missingOf(runner, companyId);
      for (let at = 0; at < recipients.length; at += AT_A_TIME)
        await profile(runner, companyId, recipients.slice(at, at + AT_A_TIME));
    }
  }

  /** Nothing to take back: an earlier version keeps the same profiles. */
  async down(): Promise<void> {
    // The rows are what the triggers of the touches would have made.
  }
}

const AT_A_TIME = 1_000;

/** Recipients with an answer that is in nobody's profile. */
async function missingOf(runner: QueryRunner, companyId: string): Promise<string[]> {
  return inTransaction(runner, async () => {
    await runner.query(OF_COMPANY, [companyId]);
    const recipients = (await runner.query(MISSING, [companyId])) as { id: string }[];
    return recipients.map(({ id }) => id);
  });
}

async function profile(runner: QueryRunner, companyId: string, recipients: readonly string[]): Promise<void> {
  await inTransaction(runner, async () => {
    await runner.query(OF_COMPANY, [companyId]);
    await runner.query(`SELECT set_config('app.left_out', $1::text[]::text, true)`, [recipients]);
    // The company's counting waits for it.
    await runner.query(`SET LOCAL statement_timeout = '30min'`);
    await runner.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOCK_OF_TOUCHES, companyId]);
    await runner.query(FILL);
  });
}

const OF_COMPANY = `SELECT set_config('app.company_id', $1, true)`;

const MISSING = `
  SELECT DISTINCT recipient_id AS id FROM touches
  WHERE company_id = $1 AND outcome = 1 AND recipient_hash IS NOT NULL AND NOT EXISTS (
    SELECT FROM responders AS known
    WHERE known.company_id = touches.company_id AND known.recipient_hash = touches.recipient_hash
  )
  UNION
  SELECT recipient_id FROM touches
  WHERE company_id = $1 AND outcome = 1 AND recipient_hash IS NULL AND NOT EXISTS (
    SELECT FROM (SELECT unnest(recipient_ids) AS id FROM responders WHERE company_id = $1) AS known
    WHERE known.id = touches.recipient_id
  )`;

const FILL = `
  DO $$
  DECLARE ${DECLARED}
  BEGIN
    FOR one IN ${collected(
      `SELECT ${CHANGED} FROM touches
       WHERE company_id = current_setting('app.company_id')::uuid AND outcome = 1
         AND recipient_id = ANY (current_setting('app.left_out')::text[])`,
    )} LOOP ${FOLLOW_PEOPLE}
    END LOOP;
  END $$`;
