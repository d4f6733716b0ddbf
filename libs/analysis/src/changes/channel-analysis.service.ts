import { CHANNELS, MATURITY_DAYS, type Channel } from '@outcomes/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import type { CohortTable } from '../cohorts/cohort-table';
import { lateRepliesOf } from '../rates/late-replies';
import type { SettledShare } from '../rates/settled-share';
import { analyseChannel, type ChannelFindings } from './analyse-channel';
import { ChannelHistoryRepository } from './channel-history.repository';

/** Fewer replies say too little of how many come late. */
const FEWEST_REPLIES = 20;

/** Looks through the channels that a company has messages on. */
@Injectable()
export class ChannelAnalysis {
  constructor(
    @Inject(ChannelHistoryRepository) private readonly histories: ChannelHistoryRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param options.looks - whether days that have settled since the last run are looked at; else only the estimates
   * follow what has come since
   * @returns findings in the order of CHANNELS
   */
  async analyse(
    scope: TenantScope,
    table: CohortTable,
    settledShare: SettledShare,
    { looks }: { readonly looks: boolean },
  ): Promise<ChannelFindings[]> {
    const { observedUntil, sentUntil } = table;
    const inTime = (channel: number) => shareInTime(table, channel);
    const inputs = { observedUntil, sentUntil, settledShare, inTime, now: this.clock.now(), looks };
    return this.histories.read(scope, table, async (channels) => {
      const findings: ChannelFindings[] = [];
      for (const channel of channels) findings.push(await analyseChannel(channel, inputs));
      return findings;
    });
  }
}

/** Share of a mature cohort's replies that came before it was mature. */
function shareInTime(table: CohortTable, channel: number): number {
  const days = MATURITY_DAYS[CHANNELS[channel] as Channel];
  // Where many come late, those are more than have come so far.
  const late = lateRepliesOf(table, channel);
  if (late !== null) return late.arrivedBy(days);
  const delays = table.matureDelays[channel] ?? new Float64Array(0);
  const all = delays.reduce((sum, replies) => sum + replies, 0);
  if (all < FEWEST_REPLIES) return 1;
  return delays.subarray(0, days).reduce((sum, replies) => sum + replies, 0) / all;
}
