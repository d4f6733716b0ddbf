import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, POSITIONS, type Channel, type Position } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
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
   * Settled messages that were sent from `from` on.
   * @param matureDays - see matureDays
   */
  async settled(scope: TenantScope, from: Day, matureDays: readonly Day[]): Promise<CompanyCell[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<
        Omit<CompanyCell, 'channel' | 'position'> & { channel: number; position: number }
      >({
        text: `SELECT channel, step_bucket AS "stepBucket", position, sum(touches)::integer AS messages,
            sum(replies)::integer AS replies
          FROM cohort_counts
          WHERE company_id = $1 AND sent_day >= $2::date AND sent_day <= ($3::date[])[channel + 1]
          GROUP BY channel, step_bucket, position`,
        values: [companyId, from, matureDays],
      });
      return found.rows.map((row) => ({
        ...row,
        channel: CHANNELS[row.channel] ?? 'email',
        position: POSITIONS[row.position] ?? 'unknown',
      }));
    });
  }

  /** The newest settled days of each channel, and the year before them. */
  async periods(scope: TenantScope, recentDays: number, matureDays: readonly Day[]): Promise<PeriodCell[]> {
    const recentFrom = matureDays.map((day) => addDays(day, 1 - recentDays));
    const referenceFrom = recentFrom.map((day) => addDays(day, -REFERENCE_DAYS));
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<Omit<PeriodCell, 'channel'> & { channel: number }>({
        text: `SELECT channel, sent_day >= ($2::date[])[channel + 1] AS recent, min(sent_day)::text AS from,
            max(sent_day)::text AS to, sum(touches)::integer AS messages, sum(replies)::integer AS replies
          FROM cohort_counts
          WHERE company_id = $1 AND sent_day >= ($3::date[])[channel + 1] AND sent_day <= ($4::date[])[channel + 1]
          GROUP BY 1, 2`,
        values: [companyId, recentFrom, referenceFrom, matureDays],
      });
      return found.rows.map((row) => ({ ...row, channel: CHANNELS[row.channel] ?? 'email' }));
    });
  }
}
