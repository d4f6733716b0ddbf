import type { MigrationInterface, QueryRunner } from 'typeorm';
import { listCompanies } from '../schema/all-companies';
import { inTransaction } from '../schema/transactions';
import {
  CHANGED,
  collected,
  DECLARED,
  followPeople,
  followTouches,
  LOCK_OF_TOUCHES,
  READ,
} from './1791000400000-profile-everyone';

/**
 * The industry of a person whose answers name several is that of the newest one, as the position is, and no longer the last
 * by the alphabet. Profiles of such people are made anew, some of one company at a time under the lock of its touches. One
 * that was broken off may be run again.
 */
export class TakeNewestIndustry1791004700000 implements MigrationInterface {
  name = 'TakeNewestIndustry1791004700000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(followTouches(COLUMNS, NEWEST));
    for (const companyId of await listCompanies(runner)) {
      const recipients = await severalOf(runner, companyId);
      for (let at = 0; at < recipients.length; at += AT_A_TIME)
        await profile(runner, companyId, recipients.slice(at, at + AT_A_TIME));
    }
  }

  /** Profiles stay as they are until their messages change: either rule names an industry of the person. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(followTouches(COLUMNS));
  }
}

const COLUMNS = [...READ, 'campaign_id'];
const NEWEST = followPeople('(array_agg(industry ORDER BY industry IS NULL, sent_at DESC, touch_id))[1]');
const AT_A_TIME = 1_000;

/** Recipients whose answers name more than one industry, by their id or by their address. */
async function severalOf(runner: QueryRunner, companyId: string): Promise<string[]> {
  return inTransaction(runner, async () => {
    await runner.query(OF_COMPANY, [companyId]);
    const recipients = (await runner.query(SEVERAL, [companyId])) as { id: string }[];
    return recipients.map(({ id }) => id);
  });
}

async function profile(runner: QueryRunner, companyId: string, recipients: readonly string[]): Promise<void> {
  await inTransaction(runner, async () => {
    await runner.query(OF_COMPANY, [companyId]);
    await runner.query(`SELECT set_config('app.several', $1::text[]::text, true)`, [recipients]);
    // The company's counting waits for it.
    await runner.query(`SET LOCAL statement_timeout = '30min'`);
    await runner.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOCK_OF_TOUCHES, companyId]);
    await runner.query(FILL);
  });
}

const OF_COMPANY = `SELECT set_config('app.company_id', $1, true)`;

// Somebody known by an address may have answered without one too, under another id: all who have are looked at again.
const SEVERAL = `
  WITH answered AS (
    SELECT recipient_id, recipient_hash, industry FROM touches
    WHERE company_id = $1 AND outcome = 1 AND industry IS NOT NULL
  )
  SELECT recipient_id AS id FROM answered GROUP BY recipient_id HAVING count(DISTINCT industry) > 1
  UNION
  SELECT recipient_id FROM answered WHERE recipient_hash IN (
    SELECT recipient_hash FROM answered GROUP BY recipient_hash HAVING count(DISTINCT industry) > 1
  )
  UNION
  SELECT unnest(recipient_ids) FROM responders
  WHERE company_id = $1 AND industry <> '' AND recipient_hash IN (SELECT recipient_hash FROM answered)`;

const FILL = `
  DO $$
  DECLARE ${DECLARED}
  BEGIN
    FOR one IN ${collected(
      `SELECT ${CHANGED} FROM touches
       WHERE company_id = current_setting('app.company_id')::uuid AND outcome = 1
         AND recipient_id = ANY (current_setting('app.several')::text[])`,
    )} LOOP ${NEWEST}
    END LOOP;
  END $$`;
