import { requireDomain } from '../numerics/stats-domain-error';
import { addLevels, BLOCK_SENDS, BlockCutter, type ClosedBlock, stratumNumber } from './block-cutter';
import type { Cohort, StratumKey } from './pattern-types';

/** Estimates compare within a stratum and a week of whole days since the epoch. */
export const DAYS_PER_WEEK = 7;

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

/** Cuts each stratum's send days into blocks by sends and days alone, so that appending data moves no cut. */
export function closeBlocks(
  cohorts: readonly Cohort[],
  levels: readonly number[],
  drops: keyof StratumKey | undefined,
  asOfDay: number,
  blockSends: number = BLOCK_SENDS,
): BlockTables {
  const closed: ClosedBlock[] = [];
  const cutter = new BlockCutter({ levels, drops, blockSends });
  for (const cohort of cohorts) cutter.add(cohort, (block) => closed.push(block));
  cutter.closeThrough(asOfDay, (block) => closed.push(block));
  const width = levels.length;
  const strata = new Map<number, number>();
  const tables = {
    count: closed.length,
    width,
    n: new Float64Array(closed.length * width),
    y: new Float64Array(closed.length * width),
    stratum: new Int32Array(closed.length),
    closeDay: Int32Array.from(closed, ({ closeDay }) => closeDay),
    predictedRate: Float64Array.from(closed, ({ predictedRate }) => predictedRate),
  };
  closed.forEach(({ key, n, y }, i) => {
    let index = strata.get(key);
    if (index === undefined) strata.set(key, (index = strata.size));
    tables.n.set(n, i * width);
    tables.y.set(y, i * width);
    tables.stratum[i] = index;
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
    const week = Math.floor(cohort.day / DAYS_PER_WEEK);
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
    checkCohort(cohort, width, day);
    day = cohort.day;
  }
}

/** @throws StatsDomainError with code `order`, `count`, `size` or `range` */
export function checkCohort(cohort: Cohort, width: number, previousDay: number): void {
  const { channel, step, position } = cohort.stratum;
  requireDomain(
    Number.isInteger(cohort.day) && cohort.day >= previousDay,
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
}

const smallInteger = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 1024;
