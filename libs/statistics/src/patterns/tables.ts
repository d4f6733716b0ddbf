import { requireDomain } from '../numerics/stats-domain-error';
import type { Cohort, StratumKey } from './pattern-types';

/** A block closes once it holds this many sends... */
export const BLOCK_SENDS = 50;
/** ...or after this many days; never by its replies. */
export const BLOCK_DAYS = 7;
/** Pseudo-sends by which a stratum's predicted rate leans on the company's rate so far. */
const STRATUM_LEAN = 40;
/** Pseudo-sends and rate of the start, before any reply is known. */
const START_SENDS = 20;
const START_RATE = 0.034;

/** Counts per table and needed level, row-major: table * width + column. */
export interface CountTables {
  readonly count: number;
  readonly width: number;
  readonly n: Float64Array;
  readonly y: Float64Array;
  /** dense stratum number of each table */
  readonly stratum: Int32Array;
}

/** Blocks in the order in which they closed, each with the rate predicted from those before it. */
export interface BlockTables extends CountTables {
  readonly closeDay: Int32Array;
  readonly predictedRate: Float64Array;
}

interface OpenBlock {
  readonly key: number;
  readonly startDay: number;
  lastDay: number;
  sends: number;
  replies: number;
  readonly n: Float64Array;
  readonly y: Float64Array;
}

/** One number per stratum; 2^10 values per part leave the sum exact. */
export function stratumNumber(stratum: StratumKey, drops: keyof StratumKey | undefined): number {
  const channel = drops === 'channel' ? 0 : stratum.channel;
  const step = drops === 'step' ? 0 : stratum.step;
  const position = drops === 'position' ? 0 : stratum.position;
  return (channel * 1024 + step) * 1024 + position;
}

function addLevels(
  cohort: Cohort,
  levels: readonly number[],
  n: Float64Array,
  y: Float64Array,
  at: number,
): void {
  for (let column = 0; column < levels.length; column++) {
    const level = levels[column] as number;
    const sends = cohort.n[level] as number;
    if (sends === 0) continue;
    n[at + column] = (n[at + column] as number) + sends;
    y[at + column] = (y[at + column] as number) + (cohort.y[level] as number);
  }
}

/** Day on which the block is closed, or null while it is still open. */
function closing(block: OpenBlock, asOfDay: number, blockSends: number): number | null {
  if (block.sends >= blockSends) return block.lastDay;
  const lastDay = block.startDay + BLOCK_DAYS - 1;
  return lastDay <= asOfDay ? lastDay : null;
}

/** Cuts each stratum's send days into blocks by sends and days alone, so that appending data moves no cut. */
export function closeBlocks(
  cohorts: readonly Cohort[],
  levels: readonly number[],
  drops: keyof StratumKey | undefined,
  asOfDay: number,
  blockSends: number = BLOCK_SENDS,
): BlockTables {
  const open = new Map<number, OpenBlock>();
  const closed: { block: OpenBlock; day: number }[] = [];
  const close = (block: OpenBlock): void => {
    const day = closing(block, asOfDay, blockSends);
    if (day !== null) closed.push({ block, day });
  };
  for (const cohort of cohorts) {
    const key = stratumNumber(cohort.stratum, drops);
    let block = open.get(key);
    if (block && block.lastDay < cohort.day) {
      if (block.sends >= blockSends || cohort.day >= block.startDay + BLOCK_DAYS) {
        close(block);
        block = undefined;
      }
    }
    if (!block) {
      const width = levels.length;
      block = {
        key,
        startDay: cohort.day,
        lastDay: cohort.day,
        sends: 0,
        replies: 0,
        n: new Float64Array(width),
        y: new Float64Array(width),
      };
      open.set(key, block);
    }
    block.lastDay = cohort.day;
    block.sends += cohort.totalN;
    block.replies += cohort.totalY;
    addLevels(cohort, levels, block.n, block.y, 0);
  }
  for (const block of open.values()) close(block);
  closed.sort(
    (one, two) =>
      one.day - two.day || one.block.key - two.block.key || one.block.startDay - two.block.startDay,
  );
  return predict(closed, levels.length);
}

function predict(closed: readonly { block: OpenBlock; day: number }[], width: number): BlockTables {
  const count = closed.length;
  const tables = {
    count,
    width,
    n: new Float64Array(count * width),
    y: new Float64Array(count * width),
    stratum: new Int32Array(count),
    closeDay: new Int32Array(count),
    predictedRate: new Float64Array(count),
  };
  const past = new Map<number, { index: number; sends: number; replies: number }>();
  let sends = START_SENDS;
  let replies = START_SENDS * START_RATE;
  closed.forEach(({ block, day }, i) => {
    let own = past.get(block.key);
    if (!own) past.set(block.key, (own = { index: past.size, sends: 0, replies: 0 }));
    tables.n.set(block.n, i * width);
    tables.y.set(block.y, i * width);
    tables.stratum[i] = own.index;
    tables.closeDay[i] = day;
    tables.predictedRate[i] = Math.min(
      0.999,
      Math.max(1e-5, (own.replies + (STRATUM_LEAN * replies) / sends) / (own.sends + STRATUM_LEAN)),
    );
    own.sends += block.sends;
    own.replies += block.replies;
    sends += block.sends;
    replies += block.replies;
  });
  return tables;
}

/** Stratum x calendar-week tables (weeks of whole days since the epoch), for the estimates. */
export function weekTables(
  cohorts: readonly Cohort[],
  levels: readonly number[],
  drops: keyof StratumKey | undefined,
): CountTables {
  const width = levels.length;
  const index = new Map<number, number>();
  const strata = new Map<number, number>();
  const rows = new Int32Array(cohorts.length);
  const stratum: number[] = [];
  cohorts.forEach((cohort, i) => {
    const key = stratumNumber(cohort.stratum, drops);
    const week = Math.floor(cohort.day / 7);
    // Weeks stay below 2^18 until the year 5000, and the sum below 2^53.
    const tableKey = key * 262_144 + week;
    let row = index.get(tableKey);
    if (row === undefined) {
      index.set(tableKey, (row = index.size));
      let dense = strata.get(key);
      if (dense === undefined) strata.set(key, (dense = strata.size));
      stratum.push(dense);
    }
    rows[i] = row;
  });
  const n = new Float64Array(index.size * width);
  const y = new Float64Array(index.size * width);
  cohorts.forEach((cohort, i) => addLevels(cohort, levels, n, y, (rows[i] as number) * width));
  return { count: index.size, width, n, y, stratum: Int32Array.from(stratum) };
}

/** @throws StatsDomainError with code `order`, `count`, `size` or `range` */
export function checkCohorts(cohorts: readonly Cohort[]): void {
  const width = cohorts[0]?.n.length ?? 0;
  let day = -Infinity;
  for (const cohort of cohorts) {
    const { channel, step, position } = cohort.stratum;
    requireDomain(
      Number.isInteger(cohort.day) && cohort.day >= day,
      'order',
      'cohorts must be sorted by whole days',
    );
    requireDomain(
      cohort.n.length === width && cohort.y.length === width,
      'size',
      'every cohort needs the same levels',
    );
    requireDomain(
      smallInteger(channel) && smallInteger(step) && smallInteger(position),
      'range',
      'stratum parts must be in 0..1023',
    );
    requireDomain(
      cohort.totalY >= 0 && cohort.totalY <= cohort.totalN,
      'count',
      'replies must lie between zero and the sends',
    );
    for (let level = 0; level < width; level++) {
      const n = cohort.n[level] as number;
      const y = cohort.y[level] as number;
      if (!(y >= 0 && y <= n && n <= cohort.totalN)) {
        requireDomain(false, 'count', 'a level needs 0 <= replies <= sends <= all sends');
      }
    }
    day = cohort.day;
  }
}

const smallInteger = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 1024;
