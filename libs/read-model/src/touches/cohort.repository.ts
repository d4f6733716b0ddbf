import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, POSITIONS, type Channel, type Position } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { SettledDays } from '../runs/settled-days';
import { addDays, type Day } from './day';

/** Settled messages of the whole company in one stratum. */
export interface CompanyCell {
  readonly channel: Channel;
  /** Index into STEP_BUCKETS. */
  readonly stepBucket: number;
  readonly position: Position;
  readonly messages: number;
  readonly replies: number;
}

/** Settled messages of one channel in one of two neighbouring periods. */
export interface PeriodCell {
  readonly channel: Channel;
  readonly recent: boolean;
  readonly from: Day;
  readonly to: Day;
  readonly messages: number;
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
        Omit<CompanyCell, 'channel' | 'position'> & { channel: number; position: number }
      >({
        text: `SELECT channel, step_bucket AS "stepBucket", position, sum(touches)::integer AS messages,
            sum(replies)::integer AS replies
          FROM cohort_counts
          WHERE company_id = $1 AND sent_day >= greatest($2::date, ($4::date[])[channel + 1])
            AND sent_day <= ($3::date[])[channel + 1]
          GROUP BY channel, step_bucket, position`,
        values: [
          companyId,
          from,
          settled.map(({ through }) => through),
          settled.map(({ since }) => since ?? null),
        ],
      });
      return found.rows.map((row) => ({
        ...row,
        channel: CHANNELS[row.channel] ?? 'email',
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
      const found = await client.query<Omit<PeriodCell, 'channel'> & { channel: number }>({
        text: `SELECT channel, sent_day >= ($2::date[])[channel + 1] AS recent, min(sent_day)::text AS from,
            max(sent_day)::text AS to, sum(touches)::integer AS messages, sum(replies)::integer AS replies
          FROM cohort_counts
          WHERE company_id = $1 AND sent_day >= ($3::date[])[channel + 1] AND sent_day <= ($4::date[])[channel + 1]
          GROUP BY 1, 2`,
        values: [companyId, recentFrom, referenceFrom, settled.map(({ through }) => through)],
      });
      return found.rows.map((row) => ({ ...row, channel: CHANNELS[row.channel] ?? 'email' }));
    });
  }
}
