import {
  CHANNELS,
  DIMENSIONS,
  LEVEL_COUNT,
  levelIndexesOf,
  VOLUME_DAYS,
  type ChannelVolume,
  type VolumeDocument,
} from '@outcomes/contracts';
import type { CohortTable } from '../cohorts/cohort-table';

/**
 * What each channel sends in VOLUME_DAYS days, back from the company's newest send day, and how much of it is of which
 * level. The mix is that of the days that have not matured; where a channel sent nothing on those, that of its history.
 */
export function volumeDocument(table: CohortTable, dataAsOf: string): VolumeDocument {
  return {
    data_as_of: dataAsOf,
    channels: CHANNELS.flatMap((channel, index): ChannelVolume[] => {
      const messages = messagesOf(table, index, (row) => isRecent(table, row));
      if (messages === 0) return [];
      const young = table.youngLevels.filter((day) => day.channel === index);
      const isYoung = young.length > 0;
      const counted = messagesOf(table, index, (row) => table.isMature(row) !== isYoung);
      const sums = sumsOf(isYoung ? young : table.matureLevels.filter((one) => one.channel === index));
      return [{ channel, messages, levels: scaled(sums, messages / counted) }];
    }),
  };
}

/** Whole numbers whose sum over a dimension is rounded once: rounded one by one they may add up to more than all messages. */
function scaled(sums: readonly number[], factor: number): number[] {
  const levels = sums.map(() => 0);
  for (const { name } of DIMENSIONS) {
    let [sum, told] = [0, 0];
    for (const level of levelIndexesOf(name)) {
      sum += sums[level] ?? 0;
      levels[level] = Math.round(sum * factor) - told;
      told += levels[level];
    }
  }
  return levels;
}

function isRecent(table: CohortTable, row: number): boolean {
  return (table.day[row] ?? 0) > (table.newestDay ?? 0) - VOLUME_DAYS;
}

function messagesOf(table: CohortTable, channel: number, counts: (row: number) => boolean): number {
  let messages = 0;
  for (let row = 0; row < table.size; row += 1)
    if (table.channel[row] === channel && counts(row)) messages += table.touches[row] ?? 0;
  return messages;
}

function sumsOf(counts: readonly { readonly touches: Float64Array }[]): number[] {
  return Array.from({ length: LEVEL_COUNT }, (_, level) =>
    counts.reduce((sum, { touches }) => sum + (touches[level] ?? 0), 0),
  );
}
