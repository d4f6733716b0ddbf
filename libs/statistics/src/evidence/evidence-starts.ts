import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import type { EvidenceSums } from './evidence-sums';
import { logEValue } from './log-e-value';

/** Evidence is counted from several starts at once, this many fortnights apart (84 days). */
const FORTNIGHTS_BETWEEN_STARTS = 6;
const STARTS = 8;
/** Part of the bet that is laid on the oldest start; the others share the rest. */
const OLDEST = 0.5;
const LATER = (1 - OLDEST) / (STARTS - 1);

/** Fortnights from which evidence is counted, ascending, and how much of the bet is laid on each. */
export interface EvidenceStarts {
  readonly from: readonly number[];
  readonly weights: readonly number[];
  /** part of the bet on starts to come; its e-value is one */
  readonly reserve: number;
}

/** The newest fortnight of the grid of starts that is not after one. */
export function gridAt(fortnight: number): number {
  return Math.floor(fortnight / FORTNIGHTS_BETWEEN_STARTS) * FORTNIGHTS_BETWEEN_STARTS;
}

/**
 * Starts that count at a fortnight: the beginning, and a grid of fortnights that does not depend on the data.
 *
 * @param begin - fortnight of the first message, or of the last change
 * @param isChange - a change is a start itself; otherwise the grid covers the beginning
 * @param asOf - last fortnight that counts, >= begin
 */
export function evidenceStarts(begin: number, isChange: boolean, asOf: number): EvidenceStarts {
  const newest = gridAt(asOf);
  const oldest = Math.max(newest - (STARTS - 1) * FORTNIGHTS_BETWEEN_STARTS, gridAt(begin));
  const from: number[] = [];
  for (let start = oldest; start <= newest; start += FORTNIGHTS_BETWEEN_STARTS) {
    if (!isChange || start > begin) from.push(start);
  }
  if (isChange) {
    from.unshift(begin);
    if (from.length > STARTS) from.shift();
  }
  const weights = from.map((_, i) => (i === 0 ? OLDEST : LATER));
  return { from, weights, reserve: (STARTS - from.length) * LATER };
}

/** Log of the average of the e-values of all starts, those to come included. */
export function averageLogE({ weights, reserve }: EvidenceStarts, sums: readonly EvidenceSums[]): number {
  const logs = sums.map((own, i) => log(weights[i] as number) + logEValue(own));
  if (reserve > 0) logs.push(log(reserve));
  const top = Math.max(...logs);
  return top + log(logs.reduce((total, x) => total + exp(x - top), 0));
}
