import type { TenantTransaction } from '@outcomes/tenancy';

/** What a run finds counted before it reads. */
export interface PlanMark {
  /** Number of what was counted; a larger one later means that more was. */
  readonly revision: string;
  /** By the clock of the database. */
  readonly begunAt: Date;
}

/**
 * When an analysis follows if nothing more is counted. Citus wants nothing of an update to depend on settings, as a
 * timestamptz with an interval added does.
 */
const QUIET_AFTER_RUN = `(excluded.analysed_at AT TIME ZONE 'UTC' + interval '5 seconds') AT TIME ZONE 'UTC'`;

/** Key of a daily run: its date. */
const DAILY_KEY = /^\d{4}-\d{2}-\d{2}$/;

/** Notes that a run of the company begins. What it reads is at least what the mark stands for. */
export async function beginPlanned({ client, companyId }: TenantTransaction): Promise<PlanMark> {
  const { rows } = await client.query<PlanMark>(
    `INSERT INTO analysis_plans AS plan (company_id, begun_at) VALUES ($1, clock_timestamp())
     ON CONFLICT (company_id) DO UPDATE SET begun_at = excluded.begun_at
     RETURNING revision, begun_at AS "begunAt"`,
    [companyId],
  );
  return rows[0] ?? { revision: '0', begunAt: new Date(0) };
}

/**
 * Settles what was planned, in the transaction that publishes the run: nothing is due any more, unless something was
 * counted since it began. The first daily run that read any messages ends a company's first day; one that read none does
 * not keep the next one waiting, either.
 * @param messages - that the run read
 */
export async function settlePlan(
  { client, companyId }: TenantTransaction,
  runKey: string,
  { revision, begunAt }: PlanMark,
  messages: number,
): Promise<void> {
  await client.query(
    `INSERT INTO analysis_plans AS plan (company_id, messages, daily_since, analysed_at)
     VALUES ($1, $2, CASE WHEN $3 THEN clock_timestamp() END, clock_timestamp())
     ON CONFLICT (company_id) DO UPDATE SET messages = excluded.messages, analysed_at = excluded.analysed_at,
       daily_since = coalesce(plan.daily_since, excluded.daily_since),
       unanalysed_since = CASE WHEN plan.revision > $4::bigint THEN greatest(plan.unanalysed_since, $5) END,
       growth_at_most = CASE WHEN plan.revision > $4::bigint THEN plan.growth_at_most ELSE 0 END,
       next_at = CASE WHEN plan.revision > $4::bigint THEN
         CASE WHEN $2 = 0 THEN least(plan.next_at, ${QUIET_AFTER_RUN}) ELSE plan.next_at END END`,
    [companyId, messages, DAILY_KEY.test(runKey) && messages > 0, revision, begunAt],
  );
}
