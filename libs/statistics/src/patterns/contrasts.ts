import type { StratifiedOddsRatio } from './mantel-haenszel';
import type { CodeSpec, Cohort, StratumKey, TwoByTwo } from './pattern-types';
import { BLOCK_SENDS } from './block-cutter';
import { type BlockTables, closeBlocks, type CountTables, weekTables } from './tables';

/** Columns of a table that make up the two sides of a code's contrast. */
export interface Sides {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** All codes whose strata are formed and cut in the same way, with the levels that they need and no others. */
export interface CodeGroup {
  readonly indexes: readonly number[];
  readonly sides: readonly Sides[];
  readonly levels: readonly number[];
  readonly drops: keyof StratumKey | undefined;
  readonly blockSends: number;
}

/** Groups the codes by their way of forming strata, so that each way is gone once. */
export function codeGroups(codes: readonly CodeSpec[]): CodeGroup[] {
  const groups = new Map<string, number[]>();
  codes.forEach(({ stratumDrops, blocks }, i) => {
    const key = `${stratumDrops ?? ''} ${blocks ?? 'sends'}`;
    const members = groups.get(key);
    if (members) members.push(i);
    else groups.set(key, [i]);
  });
  return [...groups.values()].map((indexes) => {
    const { stratumDrops: drops, blocks } = codes[indexes[0] as number] as CodeSpec;
    const levels = [...new Set(indexes.flatMap((i) => (codes[i] as CodeSpec).dimensionLevels))];
    const column = new Map(levels.map((level, c) => [level, c]));
    const sides = indexes.map((i) => {
      const { levels: own, dimensionLevels } = codes[i] as CodeSpec;
      const columns = (wanted: readonly number[]): number[] =>
        wanted.map((level) => column.get(level) as number);
      return { a: columns(own), b: columns(dimensionLevels.filter((level) => !own.includes(level))) };
    });
    return { indexes, sides, levels, drops, blockSends: blocks === 'week' ? Infinity : BLOCK_SENDS };
  });
}

/** Tables of a group, all at once: what a simulation replays. */
export function groupTables(
  { levels, drops, blockSends }: CodeGroup,
  cohorts: readonly Cohort[],
  asOfDay: number,
): { readonly blocks: BlockTables; readonly weeks: CountTables } {
  return {
    blocks: closeBlocks(cohorts, levels, drops, asOfDay, blockSends),
    weeks: weekTables(cohorts, levels, drops),
  };
}

/** Two-by-two counts of one row of counts per level. */
export function sidesOf(n: Float64Array, y: Float64Array, row: number, { a, b }: Sides): TwoByTwo {
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
  return { na, ya, nb, yb };
}

/** Calls `use` with the two-by-two counts of every table. */
export function forEachTable(
  tables: CountTables,
  sides: Sides,
  use: (table: number, na: number, ya: number, nb: number, yb: number) => void,
): void {
  const { count, width, n, y } = tables;
  for (let t = 0; t < count; t++) {
    const { na, ya, nb, yb } = sidesOf(n, y, t * width, sides);
    use(t, na, ya, nb, yb);
  }
}

export interface ContrastEstimate extends StratifiedOddsRatio {
  readonly totals: TwoByTwo;
}
