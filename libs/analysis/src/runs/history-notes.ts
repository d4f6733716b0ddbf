import type { TenantTransaction } from '@outcomes/tenancy';
import type { HistoryNotes } from '../cohorts/read-history';
import { DIGEST_MAKE } from '../cohorts/week-digest';
import { rememberTested } from './tested-cohorts';

/**
 * A week that has changed since it was read keeps no digest of what it was: its revision is another. One that is
 * changing at this moment is passed over, so that nobody who writes counts is waited for.
 */
const KEEP_DIGESTS = `
  WITH unchanged AS (
    SELECT week, given.digest
    FROM unnest($2::int[], $3::uuid[], $4::bytea[]) AS given (week, revision, digest)
      JOIN cohort_weeks USING (week, revision)
    WHERE company_id = $1
    FOR UPDATE OF cohort_weeks SKIP LOCKED)
  UPDATE cohort_weeks SET digest = unchanged.digest, make = $5
  FROM unchanged WHERE company_id = $1 AND cohort_weeks.week = unchanged.week`;

const FORGET_EMPTIED = `
  DELETE FROM cohort_weeks WHERE company_id = $1 AND week IN (
    SELECT week FROM unnest($2::int[], $3::uuid[]) AS given (week, revision) JOIN cohort_weeks USING (week, revision)
    WHERE company_id = $1
    FOR UPDATE OF cohort_weeks SKIP LOCKED)`;

const FORGET_CHECKPOINTS = `DELETE FROM analysis_checkpoints WHERE company_id = $1 AND week <> ALL ($2)`;

const KEEP_CHECKPOINTS = `
  INSERT INTO analysis_checkpoints (company_id, week, make, link, state)
  SELECT $1, week, $2, link, state FROM unnest($3::int[], $4::bytea[], $5::bytea[]) AS new (week, link, state)
  ON CONFLICT (company_id, week) DO UPDATE SET make = excluded.make, link = excluded.link, state = excluded.state`;

/** One place is enough: whatever changes earlier weeks makes these sums useless, and the next run makes others. */
const KEEP_SUMS = `
  UPDATE analysis_checkpoints
  SET sums = CASE WHEN week = $2 THEN $3::bytea END, sums_of = CASE WHEN week = $2 THEN $4::bytea END
  WHERE company_id = $1 AND (week = $2 OR sums IS NOT NULL)`;

/** Stores what the next run need not read again. */
export async function keepNotes(transaction: TenantTransaction, notes: HistoryNotes): Promise<void> {
  const { client, companyId } = transaction;
  await rememberTested(transaction, notes.tested);
  const { digests, emptied, checkpoints, validCheckpoints, sums } = notes;
  if (digests.length > 0) {
    await client.query(KEEP_DIGESTS, [
      companyId,
      digests.map(({ week }) => week),
      digests.map(({ revision }) => revision),
      digests.map(({ digest }) => digest),
      DIGEST_MAKE,
    ]);
  }
  if (emptied.length > 0) {
    await client.query(FORGET_EMPTIED, [
      companyId,
      emptied.map(({ week }) => week),
      emptied.map(({ revision }) => revision),
    ]);
  }
  await client.query(FORGET_CHECKPOINTS, [companyId, validCheckpoints]);
  if (checkpoints.length > 0) {
    await client.query(KEEP_CHECKPOINTS, [
      companyId,
      DIGEST_MAKE,
      checkpoints.map(({ week }) => week),
      checkpoints.map(({ link }) => link),
      checkpoints.map(({ state }) => Buffer.from(state.buffer, state.byteOffset, state.byteLength)),
    ]);
  }
  if (sums !== undefined) {
    await client.query(KEEP_SUMS, [companyId, sums.week, sums.encoded, sums.name]);
  }
}
