import { createHash } from 'node:crypto';
import { CHANNELS, LEVEL_COUNT, LEVELS, MATURITY_DAYS } from '@outcomes/contracts';
import { ENGINE_VERSION } from '@outcomes/statistics';
import { CohortColumns } from './cohort-columns';
import { TOTALS, type CohortTotals } from './cohort-row';
import { dayOfTime } from './days';
import { NumberReader, NumberWriter } from '@outcomes/persistence';
import { LevelSums } from './stratum-levels';
import { addCounts, DELAY_DAYS, noTotals, type WeekCounts } from './week-counts';

/** Changes with the form of a digest or of sums. */
const FORM = 2;

/** What digests and sums of today are made with; those of another make are made anew. */
export const DIGEST_MAKE = createHash('sha256')
  .update(JSON.stringify([FORM, ENGINE_VERSION, LEVELS, CHANNELS, MATURITY_DAYS]))
  .digest('hex')
  .slice(0, 32);

/** Weeks whose cohorts are all mature, summed as far as no estimate needs to see more. It holds counts alone. */
export interface WeekDigest {
  readonly rows: CohortColumns;
  readonly totals: CohortTotals;
  readonly levelRandomized: Float64Array;
  readonly hourTouches: Float64Array;
  readonly hourReplies: Float64Array;
  /** per channel */
  readonly delays: readonly Float64Array[];
  readonly levels: LevelSums;
}

export function digestOf(week: WeekCounts): WeekDigest {
  const levels = new LevelSums();
  for (let row = 0; row < week.size; row += 1) {
    const { channel, step, position } = week.cellsAt(row);
    const { touches, replies } = week.levelsAt(row);
    const sums = levels.of(channel, step, position);
    addCounts(sums.touches, touches, 0, LEVEL_COUNT);
    addCounts(sums.replies, replies, 0, LEVEL_COUNT);
  }
  return {
    rows: week,
    totals: week.totals,
    levelRandomized: week.levelRandomized,
    hourTouches: week.hourTouches,
    hourReplies: week.hourReplies,
    delays: week.replyDelays.map((days) => {
      const sums = new Float64Array(DELAY_DAYS);
      for (const delays of days.values()) addCounts(sums, delays, 0, DELAY_DAYS);
      return sums;
    }),
    levels,
  };
}

export function encodeDigest(digest: WeekDigest): Buffer {
  const { rows } = digest;
  const writer = new NumberWriter();
  writer.count(observedUntilOf(rows));
  writer.doubles(rows.lastOutcomeAt.subarray(0, rows.size));
  writer.counts(TOTALS.map((name) => digest.totals[name]));
  for (const counts of [digest.levelRandomized, digest.hourTouches, digest.hourReplies, ...digest.delays])
    writer.counts(counts);
  for (const column of columnsOf(rows)) writer.counts(column.subarray(0, rows.size));
  const strata = digest.levels.list();
  writer.counts(strata.flatMap(({ channel, step, position }) => [channel, step, position]));
  for (const { touches, replies } of strata) {
    writer.counts(touches);
    writer.counts(replies);
  }
  return writer.finish();
}

/** Day of the newest message or outcome of an encoded digest. */
export function observedUntilOfDigest(encoded: Buffer): number {
  return new NumberReader(encoded).count();
}

export function decodeDigest(encoded: Buffer): WeekDigest {
  const reader = new NumberReader(encoded);
  reader.count();
  const lastOutcomeAt = reader.doubles();
  const totals = noTotals();
  reader.counts().forEach((count, i) => (totals[TOTALS[i] ?? 'touches'] = count));
  const [levelRandomized, hourTouches, hourReplies] = [reader.counts(), reader.counts(), reader.counts()];
  const delays = CHANNELS.map(() => reader.counts());
  const rows = new CohortColumns();
  rows.day = new Int32Array(reader.counts());
  rows.channel = new Uint8Array(reader.counts());
  rows.step = new Uint8Array(reader.counts());
  rows.position = new Uint8Array(reader.counts());
  rows.touches = new Int32Array(reader.counts());
  rows.replies = new Int32Array(reader.counts());
  rows.streamed = new Int32Array(reader.counts());
  rows.lastOutcomeAt = lastOutcomeAt;
  rows.size = lastOutcomeAt.length;
  const levels = new LevelSums();
  const strata = reader.counts();
  for (let i = 0; i < strata.length; i += 3) {
    const stratum = levels.of(strata[i] ?? 0, strata[i + 1] ?? 0, strata[i + 2] ?? 0);
    stratum.touches.set(reader.counts());
    stratum.replies.set(reader.counts());
  }
  return { rows, totals, levelRandomized, hourTouches, hourReplies, delays, levels };
}

function columnsOf(rows: CohortColumns) {
  const { day, channel, step, position, touches, replies, streamed } = rows;
  return [day, channel, step, position, touches, replies, streamed];
}

function observedUntilOf({ size, day, lastOutcomeAt }: CohortColumns): number {
  let until = 0;
  for (let row = 0; row < size; row += 1) {
    const outcomeAt = lastOutcomeAt[row] ?? Number.NaN;
    until = Math.max(until, day[row] ?? 0, Number.isNaN(outcomeAt) ? 0 : dayOfTime(outcomeAt));
  }
  return until;
}
