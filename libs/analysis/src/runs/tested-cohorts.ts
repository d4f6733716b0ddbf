import type { TenantTransaction } from '@outcomes/tenancy';

/** Cohorts by their key, with the counts that the tests took, in columns. */
export type TestedCohorts = Readonly<
  Record<'day' | 'channel' | 'step' | 'position' | 'touches' | 'replies', readonly number[]>
>;

/**
 * A cohort that changed while the run was under way is not marked: the next run tests it as it is then. The range of
 * days says what the join cannot tell the planner, which would read the whole history instead.
 */
const REMEMBER = `
  UPDATE cohort_counts AS cohort
  SET tested_level_touches = level_touches, tested_level_replies = level_replies, tested_replies = cohort.replies
  FROM unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[])
    AS tested (day, channel, step, "position", touches, replies)
  WHERE cohort.company_id = $1 AND cohort.sent_day = date '1970-01-01' + tested.day
    AND cohort.channel = tested.channel AND cohort.step_bucket = tested.step
    AND cohort.position = tested.position AND cohort.touches = tested.touches AND cohort.replies = tested.replies
    AND cohort.sent_day BETWEEN date '1970-01-01' + $8::int AND date '1970-01-01' + $9::int`;
/** Cohorts per statement: years of imported history come at once, and each statement has a time limit. */
const COHORTS_PER_STATEMENT = 5_000;

/** Stores what the cohorts entered the tests with. */
export async function rememberTested(
  { client, companyId }: TenantTransaction,
  tested: TestedCohorts,
): Promise<void> {
  for (let from = 0; from < tested.day.length; from += COHORTS_PER_STATEMENT) {
    const part = (column: readonly number[]) => column.slice(from, from + COHORTS_PER_STATEMENT);
    const days = part(tested.day);
    await client.query(REMEMBER, [
      companyId,
      days,
      part(tested.channel),
      part(tested.step),
      part(tested.position),
      part(tested.touches),
      part(tested.replies),
      Math.min(...days),
      Math.max(...days),
    ]);
  }
}
