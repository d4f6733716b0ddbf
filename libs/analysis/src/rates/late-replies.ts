import { CHANNELS, MATURITY_DAYS, type Channel } from '@outcomes/contracts';
import { fitLateReplies, type LateReplies } from '@outcomes/statistics';
import type { CohortTable } from '../cohorts/cohort-table';
import type { SettledShare } from './settled-share';

/** Messages are sent throughout their day. */
const HALF_A_DAY = 0.5;

/**
 * How the replies of a channel arrive of which a notable share comes after its messages have settled.
 * @param channel - index into CHANNELS
 * @returns null where they come in time
 */
export function lateRepliesOf(table: CohortTable, channel: number): LateReplies | null {
  const messages: number[] = [];
  for (let row = 0; row < table.size; row += 1) {
    if (table.channel[row] !== channel || !table.isMature(row)) continue;
    const age = table.ageOf(row);
    messages[age] = (messages[age] ?? 0) + (table.touches[row] ?? 0);
  }
  return fitLateReplies({
    matureDays: MATURITY_DAYS[CHANNELS[channel] as Channel],
    repliesByDelay: table.matureDelays[channel] ?? [],
    messagesByAge: messages,
  });
}

/** @param age - whole days between the send day and the newest one, >= 0 */
export function arrivedAt(late: LateReplies, age: number): number {
  return late.arrivedBy(age + HALF_A_DAY);
}

/**
 * Share of all replies of a message that may be expected to have come, those included that come after it has settled.
 * @param settledShare - of the replies that come before
 */
export function shareOfAllReplies(table: CohortTable, settledShare: SettledShare): SettledShare {
  const channels = CHANNELS.map((name, channel) => ({
    late: lateRepliesOf(table, channel),
    days: MATURITY_DAYS[name],
  }));
  return (channel, age) => {
    const { late, days } = channels[channel] as (typeof channels)[number];
    if (late === null) return settledShare(channel, age);
    return age < days ? settledShare(channel, age) * late.arrivedBy(days) : arrivedAt(late, age);
  };
}
