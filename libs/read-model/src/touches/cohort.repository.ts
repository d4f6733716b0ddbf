import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, POSITIONS, type Channel, type Position } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { dueOf, type SettledDays } from '../runs/settled-days';
import { addDays, type Day } from './day';

/** Settled messages of the whole company in one stratum. */
export interface CompanyCell {
  readonly channel: Channel;
  /** Index into STEP_BUCKETS. */
  readonly stepBucket: number;
  readonly position: Position;
  readonly messages: number;
  /** As that of a campaign's cell. */
  readonly due?: number | undefined;
  readonly replies: number;
}

/** Settled messages of one channel in one of two neighbouring periods. */
export interface PeriodCell {
  readonly channel: Channel;
  readonly recent: boolean;
  readonly from: Day;
  readonly to: Day;
  readonly messages: number;
  /** As that of a campaign's cell. */
  readonly due?: number | undefined;
  readonly replies: number;
}

/** How far before the recent period the reference period reaches, in days. */
const REFERENCE_DAYS = 365;

/** Sums over the sufficient statistics: their cost follows the days, not the messages. */
@Injectable()
export class CohortRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Settled messages that were sent from `from` on, and since replies on their channel last changed.
   * @param settled - per channel, in the order of CHANNELS
   */
  async settled(scope: TenantScope, from: Day, settled: readonly SettledDays[]): Promise<CompanyCell[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<
        Omit<CompanyCell, 'channel' | 'position' | 'due'> & ByDay & { position: number }
      >({
        text: `SELECT channel, step_bucket AS "stepBucket", position, ${daysBefore('$5', '$3')},
            sum(touches)::integer AS messages, sum(replies)::integer AS replies
          FROM cohort_counts
          WHERE company_id = $1 AND sent_day >= greatest($2::date, ($4::date[])[channel + 1])
            AND sent_day <= ($3::date[])[channel + 1]
          GROUP BY channel, step_bucket, position, "daysBefore"`,
        values: [
          companyId,
          from,
          settled.map(({ through }) => through),
          settled.map(({ since }) => since ?? null),
          settled.map(({ arrived }) => arrived !== undefined),
        ],
      });
      return found.rows.map((row) => ({
        ...weighed(row, settled),
        position: POSITIONS[row.position] ?? 'unknown',
      }));
    });
  }

  /**
   * The newest settled days of each channel, and at most a year before them. No period holds a change of the channel's
   * replies: where the last one is among the recent days these begin with it, else the days before them do.
   * @param settled - per channel, in the order of CHANNELS
   */
  async periods(
    scope: TenantScope,
    recentDays: number,
    settled: readonly SettledDays[],
  ): Promise<PeriodCell[]> {
    const recentFrom = settled.map(({ through, since = '' }) => {
      const from = addDays(through, 1 - recentDays);
      return since > from ? since : from;
    });
    const referenceFrom = settled.map(({ since = '', sinceBefore = '' }, place) => {
      const recent = recentFrom[place] ?? '';
      const from = addDays(recent, -REFERENCE_DAYS);
      const regime = since < recent ? since : sinceBefore;
      return regime > from ? regime : from;
    });
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<Omit<PeriodCell, 'channel' | 'due'> & ByDay>({
        text: `SELECT channel, sent_day >= ($2::date[])[channel + 1] AS recent, ${daysBefore('$5', '$4')},
            min(sent_day)::text AS from,
            max(sent_day)::text AS to, sum(touches)::integer AS messages, sum(replies)::integer AS replies
          FROM cohort_counts
          WHERE company_id = $1 AND sent_day >= ($3::date[])[channel + 1] AND sent_day <= ($4::date[])[channel + 1]
          GROUP BY 1, 2, 3`,
        values: [
          companyId,
          recentFrom,
          referenceFrom,
          settled.map(({ through }) => through),
          settled.map(({ arrived }) => arrived !== undefined),
        ],
      });
      return found.rows.map((row) => weighed(row, settled));
    });
  }
}

/** Days are told apart where their messages have not all of their replies. */
interface ByDay {
  /** index into CHANNELS */
  readonly channel: number;
  /** Days before the last settled one; 0 where days are not told apart. */
  readonly daysBefore: number;
  readonly messages: number;
}

function daysBefore(isLate: string, through: string): string {
  return `CASE WHEN (${isLate}::boolean[])[channel + 1] THEN (${through}::date[])[channel + 1] - sent_day ELSE 0 END
    AS "daysBefore"`;
}

function weighed<Row extends ByDay>({ daysBefore: days, ...row }: Row, settled: readonly SettledDays[]) {
  const own = settled[row.channel];
  const due = own && dueOf(row.messages, days, own);
  return { ...row, channel: CHANNELS[row.channel] ?? 'email', ...(due !== undefined && { due }) };
}
