import { CHANNELS, LEVEL_COUNT, POSITIONS } from '@outcomes/contracts';
import type { CohortTable } from '../cohorts/cohort-table';
import type { GroupCounts } from './rate-estimates';
import type { SettledShare } from './settled-share';

type Sums = { -readonly [Field in keyof GroupCounts]: GroupCounts[Field] };

const zero = (): Sums => ({ messages: 0, replies: 0, settled: 0, answered: 0 });

/** Messages and replies per level of LEVELS. */
export function countsByLevel(table: CohortTable, settledShare: SettledShare): GroupCounts[] {
  const sums = Array.from({ length: LEVEL_COUNT }, zero);
  const add = (touches: Float64Array, replies: Float64Array, share: number) => {
    sums.forEach((sum, level) => {
      const messages = touches[level] ?? 0;
      sum.messages += messages;
      sum.settled += messages * share;
      sum.replies += replies[level] ?? 0;
      if (share > 0) sum.answered += replies[level] ?? 0;
    });
  };
  const shares = matureShares(table, settledShare);
  for (const { channel, touches, replies } of table.matureLevels) add(touches, replies, shares[channel] ?? 1);
  for (const { channel, day, touches, replies } of table.youngLevels) {
    add(touches, replies, settledShare(channel, table.observedUntil - day));
  }
  return sums;
}

/** Of each channel's mature messages on average: how old those of a level are is not kept. */
function matureShares(table: CohortTable, settledShare: SettledShare): number[] {
  const sums = CHANNELS.map(() => ({ messages: 0, settled: 0 }));
  for (let row = 0; row < table.size; row += 1) {
    const sum = sums[table.channel[row] ?? 0];
    if (sum === undefined || !table.isMature(row)) continue;
    const messages = table.touches[row] ?? 0;
    sum.messages += messages;
    sum.settled += messages * settledShare(table.channel[row] ?? 0, table.ageOf(row));
  }
  return sums.map(({ messages, settled }) => (messages > 0 ? settled / messages : 1));
}

/**
 * Messages and replies per position of POSITIONS.
 * @param from - first send day that counts, by index of the channel; all of them by default
 */
export function countsByPosition(
  table: CohortTable,
  settledShare: SettledShare,
  from: (channel: number) => number = () => -Infinity,
): GroupCounts[] {
  const sums = POSITIONS.map(zero);
  for (let row = 0; row < table.size; row += 1) {
    if ((table.day[row] ?? 0) < from(table.channel[row] ?? 0)) continue;
    const sum = sums[table.position[row] ?? 0];
    if (sum === undefined) continue;
    const [messages, replies] = [table.touches[row] ?? 0, table.replies[row] ?? 0];
    const share = settledShare(table.channel[row] ?? 0, table.ageOf(row));
    sum.messages += messages;
    sum.settled += messages * share;
    sum.replies += replies;
    if (share > 0) sum.answered += replies;
  }
  return sums;
}
