import type { TenantTransaction } from '@outcomes/tenancy';
import type { HistoryNotes } from '../cohorts/read-history';
import { DIGEST_MAKE } from '../cohorts/week-digest';

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

const FORGET_SUMS = `DELETE FROM analysis_checkpoints WHERE company_id = $1 AND NOT (make = $2 AND week IS NOT DISTINCT FROM $3)`;

/** link and state are of earlier versions, which had tests of their own to go on with. */
const KEEP_SUMS = `
  INSERT INTO analysis_checkpoints (company_id, week, make, link, state, sums, sums_of)
  VALUES ($1, $2, $3, '', '', $4, $5)`;

/** Stores what the next run need not read again. */
export async function keepNotes(transaction: TenantTransaction, notes: HistoryNotes): Promise<void> {
  const { client, companyId } = transaction;
  const { digests, emptied, standingSums, sums } = notes;
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
  await client.query(FORGET_SUMS, [companyId, DIGEST_MAKE, standingSums ?? null]);
  if (sums !== undefined) {
    await client.query(KEEP_SUMS, [companyId, sums.week, DIGEST_MAKE, sums.encoded, sums.name]);
  }
}
