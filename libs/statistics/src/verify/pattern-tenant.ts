import { closeBlocks } from '../patterns/tables';
import { EProcess } from '../patterns/e-process';
import { forEachTable, codeGroups, groupTables } from '../patterns/contrasts';
import { mantelHaenszel } from '../patterns/mantel-haenszel';
import { benjaminiHochberg, eBenjaminiHochberg } from '../patterns/multiple-testing';
import type { Cohort } from '../patterns/pattern-types';
import { chiSquareSurvival } from '../numerics/incomplete-gamma';
import type { CompanyModel } from '../testing/company-model';

/** What daily reruns of one company would have shown, per code. Days count from 1; null: never. */
export interface TenantHistory {
  readonly confirmedOn: readonly (number | null)[];
  readonly likelyOn: readonly (number | null)[];
  readonly finalE: readonly number[];
  /** final Mantel-Haenszel estimates, for bias and sign */
  readonly logOr: readonly number[];
}

/**
 * Replays the daily reruns: an e-value changes only when a block closes, so each block is added once,
 * on its day, and e-BH is asked every day. Same code as `assessPatterns`; its sign condition could only
 * remove claims and is left out.
 */
export function replayTenant(model: CompanyModel, cohorts: readonly Cohort[], days: number): TenantHistory {
  const startDay = cohorts[0]?.day ?? 0;
  const codes = model.codes;
  const steps: {
    day: number;
    index: number;
    na: number;
    ya: number;
    nb: number;
    yb: number;
    rate: number;
  }[] = [];
  const logOr = new Array<number>(codes.length).fill(0);
  for (const group of codeGroups(codes)) {
    const { blocks, weeks } = groupTables(group, cohorts, startDay + days - 1);
    group.indexes.forEach((index, i) => {
      const sides = group.sides[i] as (typeof group.sides)[number];
      forEachTable(blocks, sides, (t, na, ya, nb, yb) => {
        const day = (blocks.closeDay[t] as number) - startDay;
        steps.push({ day, index, na, ya, nb, yb, rate: blocks.predictedRate[t] as number });
      });
      const tables: { na: number; ya: number; nb: number; yb: number }[] = [];
      forEachTable(weeks, sides, (_, na, ya, nb, yb) => tables.push({ na, ya, nb, yb }));
      logOr[index] = mantelHaenszel(tables).logOr;
    });
  }
  steps.sort((a, b) => a.day - b.day);
  const processes = codes.map(() => new EProcess());
  const eValues = new Array<number>(codes.length).fill(1);
  const confirmedOn = new Array<number | null>(codes.length).fill(null);
  const likelyOn = new Array<number | null>(codes.length).fill(null);
  let next = 0;
  for (let day = 0; day < days; day++) {
    const touched = new Set<number>();
    for (; next < steps.length && (steps[next] as (typeof steps)[number]).day <= day; next++) {
      const { index, na, ya, nb, yb, rate } = steps[next] as (typeof steps)[number];
      (processes[index] as EProcess).add(na, ya, nb, yb, rate);
      touched.add(index);
    }
    for (const index of touched) eValues[index] = Math.exp((processes[index] as EProcess).logValue());
    if (touched.size === 0) continue;
    mark(eBenjaminiHochberg(eValues, 0.05), confirmedOn, day + 1);
    mark(eBenjaminiHochberg(eValues, 0.2), likelyOn, day + 1);
  }
  return { confirmedOn, likelyOn, finalE: eValues, logOr };
}

function mark(rejected: readonly boolean[], firstOn: (number | null)[], day: number): void {
  rejected.forEach((yes, i) => {
    if (yes) firstOn[i] ??= day;
  });
}

/** The textbook mistake: pooled two-proportion z-tests on all data so far, asked again every day. */
export function pooledReruns(
  model: CompanyModel,
  cohorts: readonly Cohort[],
  days: number,
): { anyNominal: boolean; anyBh: boolean } {
  const startDay = cohorts[0]?.day ?? 0;
  const n = new Float64Array(model.width);
  const y = new Float64Array(model.width);
  let next = 0;
  let anyNominal = false;
  let anyBh = false;
  for (let day = 0; day < days && !(anyNominal && anyBh); day++) {
    for (; next < cohorts.length && (cohorts[next] as Cohort).day - startDay <= day; next++) {
      const cohort = cohorts[next] as Cohort;
      for (let level = 0; level < model.width; level++) {
        n[level] = (n[level] as number) + (cohort.n[level] as number);
        y[level] = (y[level] as number) + (cohort.y[level] as number);
      }
    }
    const pValues = model.codes.map(({ levels, dimensionLevels }) => {
      const sum = (counts: Float64Array, wanted: readonly number[]): number =>
        wanted.reduce((total, level) => total + (counts[level] as number), 0);
      const [na, ya, all, replies] = [
        sum(n, levels),
        sum(y, levels),
        sum(n, dimensionLevels),
        sum(y, dimensionLevels),
      ];
      const rate = replies / all;
      const variance = rate * (1 - rate) * (1 / na + 1 / (all - na));
      if (!(variance > 0 && variance < Infinity) || replies < 10) return 1;
      return chiSquareSurvival((ya / na - (replies - ya) / (all - na)) ** 2 / variance, 1);
    });
    anyNominal ||= pValues.some((p) => p < 0.05);
    anyBh ||= benjaminiHochberg(pValues).some((q) => q < 0.05);
  }
  return { anyNominal, anyBh };
}

/** Number of blocks that a company's cohorts close: a check that simulations exercise the blocks at all. */
export const blockCount = (cohorts: readonly Cohort[], asOfDay: number): number =>
  closeBlocks(cohorts, [], undefined, asOfDay).count;
