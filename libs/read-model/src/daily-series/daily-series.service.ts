import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, type Channel, type DailySeries } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { RunRepository } from '../runs/run.repository';
import { lastDayOf, settledDays } from '../runs/settled-days';
import { addDays } from '../touches/day';
import { sentDays } from './sent-day.repository';

/** Days that are told, back from the newest outcome. */
const DAYS = 365;

/** The sums of send days that changes are looked for in, channel by channel. */
@Injectable()
export class DailySeriesService {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Days on which a channel sent; which of them have settled is the newest run's word, as in answers about drift. */
  async of(scope: TenantScope): Promise<DailySeries> {
    const { frame, freshness } = await this.runs.read(scope);
    const last = lastDayOf(freshness, frame, this.clock.now());
    const from = addDays(last, -DAYS);
    const rows = await this.database.transaction(scope, (transaction) => sentDays(transaction, from));
    const days = Map.groupBy(rows, ({ channel }): Channel => CHANNELS[channel] ?? 'email');
    return {
      from,
      channels: settledDays(frame, last)
        .filter(({ channel }) => days.has(channel))
        .map(({ channel, through }) => ({
          ...{ channel, settledThrough: through },
          days: (days.get(channel) ?? []).map(({ day, messages, replies }) => ({ day, messages, replies })),
        })),
    };
  }
}
