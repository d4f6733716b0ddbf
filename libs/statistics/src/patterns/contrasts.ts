import { EProcess } from './e-process';
import { MantelHaenszelSums, type StratifiedOddsRatio } from './mantel-haenszel';
import type { CodeSpec, Cohort, TwoByTwo } from './pattern-types';
import { BLOCK_SENDS, type BlockTables, closeBlocks, type CountTables, weekTables } from './tables';

/** Columns of a table that make up the two sides of a code's contrast. */
export interface Sides {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** All codes whose strata are formed in the same way, with their shared tables. */
export interface CodeGroup {
  readonly indexes: readonly number[];
  readonly sides: readonly Sides[];
  readonly blocks: BlockTables;
  readonly weeks: CountTables;
}

/** Builds each way of forming strata once, with the levels that its codes need and no others. */
export function groupCodes(
  codes: readonly CodeSpec[],
  cohorts: readonly Cohort[],
  estimateCohorts: readonly Cohort[],
  asOfDay: number,
): CodeGroup[] {
  const groups = new Map<string, number[]>();
  codes.forEach(({ stratumDrops, blocks }, i) => {
    const key = `${stratumDrops ?? ''} ${blocks ?? 'sends'}`;
    const members = groups.get(key);
    if (members) members.push(i);
    else groups.set(key, [i]);
  });
  return [...groups.values()].map((indexes) => {
    const { stratumDrops: drops, blocks } = codes[indexes[0] as number] as CodeSpec;
    const blockSends = blocks === 'week' ? Infinity : BLOCK_SENDS;
    const levels = [...new Set(indexes.flatMap((i) => (codes[i] as CodeSpec).dimensionLevels))];
    const column = new Map(levels.map((level, c) => [level, c]));
    const sides = indexes.map((i) => {
      const { levels: own, dimensionLevels } = codes[i] as CodeSpec;
      const columns = (wanted: readonly number[]): number[] =>
        wanted.map((level) => column.get(level) as number);
      return { a: columns(own), b: columns(dimensionLevels.filter((level) => !own.includes(level))) };
    });
    return {
      indexes,
      sides,
      blocks: closeBlocks(cohorts, levels, drops, asOfDay, blockSends),
      weeks: weekTables(estimateCohorts, levels, drops),
    };
  });
}

/** Calls `use` with the two-by-two counts of every table. */
export function forEachTable(
  tables: CountTables,
  { a, b }: Sides,
  use: (table: number, na: number, ya: number, nb: number, yb: number) => void,
): void {
  const { count, width, n, y } = tables;
  for (let t = 0; t < count; t++) {
    const row = t * width;
    let na = 0;
    let ya = 0;
    let nb = 0;
    let yb = 0;
    for (const column of a) {
      na += n[row + column] as number;
      ya += y[row + column] as number;
    }
    for (const column of b) {
      nb += n[row + column] as number;
      yb += y[row + column] as number;
    }
    use(t, na, ya, nb, yb);
  }
}

/** Log e-value of one contrast over the closed blocks, and the sends that took part in it. */
export function testContrast(blocks: BlockTables, sides: Sides): { logE: number; na: number; nb: number } {
  const process = new EProcess();
  let testedA = 0;
  let testedB = 0;
  forEachTable(blocks, sides, (t, na, ya, nb, yb) => {
    testedA += na;
    testedB += nb;
    process.add(na, ya, nb, yb, blocks.predictedRate[t] as number);
  });
  return { logE: process.logValue(), na: testedA, nb: testedB };
}

export interface ContrastEstimate extends StratifiedOddsRatio {
  readonly totals: TwoByTwo;
}

/** Mantel-Haenszel over stratum x week, and the crude totals. */
export function estimateContrast(weeks: CountTables, sides: Sides): ContrastEstimate {
  const sums = new MantelHaenszelSums();
  const totals = { na: 0, ya: 0, nb: 0, yb: 0 };
  forEachTable(weeks, sides, (_, na, ya, nb, yb) => {
    sums.add(na, ya, nb, yb);
    totals.na += na;
    totals.ya += ya;
    totals.nb += nb;
    totals.yb += yb;
  });
  return { ...sums.result(), totals };
}
