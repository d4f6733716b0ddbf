import { log } from '../numerics/log';
import { square } from '../numerics/square';
import type { WindowResiduals } from './window-residuals';

export interface ScanResult {
  /** largest generalised likelihood ratio over all cuts; 0 where no cut is allowed */
  readonly statistic: number;
  /** index in `day` of the first day after the cut; 0 where no cut is allowed */
  readonly cut: number;
  /** of the logit at the cut; 0 where no cut is allowed */
  readonly step: number;
  /** likelihood ratio of every cut; 0 of those that are not allowed */
  readonly statistics: Float64Array;
}

/** Information, about expected replies, that each side of a cut must have: a lone reply is no change. */
const LEAST_INFORMATION = 4;
const LEAST_STEP_INFORMATION = 1e-9;

/**
 * Log likelihood ratio of a rate that is `ratio` times another, for information I: of a Poisson count above one,
 * of a normal one below where that is smaller, since few replies make a drop look surer than it is.
 */
function likelihoodRatio(information: number, ratio: number): number {
  const poisson = ratio > 0 ? ratio * log(ratio) - ratio + 1 : 1;
  return information * Math.min(poisson, 0.5 * square(ratio - 1));
}

/**
 * Walks the cuts from the newest day to the oldest. Levels of campaigns are random effects of the given variance:
 * R and V are a campaign's totals, R1 and V1 those after the cut, g = 1 / (1 + variance V). Every sum changes only
 * by the cells of the day that changes sides.
 */
export function scanCuts(residuals: WindowResiduals, variance: number): ScanResult {
  const { day, start, campaign, campaigns, residual, information } = residuals;
  const R = new Float64Array(campaigns);
  const V = new Float64Array(campaigns);
  let totalV = 0;
  for (let cell = 0; cell < (start[day.length] as number); cell++) {
    const c = campaign[cell] as number;
    R[c] = (R[c] as number) + (residual[cell] as number);
    V[c] = (V[c] as number) + (information[cell] as number);
    totalV += information[cell] as number;
  }
  const g = V.map((v) => 1 / (1 + variance * v));
  let [levelInformation, levelScore] = [0, 0];
  for (let c = 0; c < campaigns; c++) {
    levelInformation += (V[c] as number) * (g[c] as number);
    levelScore += (R[c] as number) * (g[c] as number);
  }
  const V1 = new Float64Array(campaigns);
  let [shared, own, score, afterV] = [0, 0, 0, 0];
  const statistics = new Float64Array(day.length);
  let best: ScanResult = { statistic: 0, cut: 0, step: 0, statistics };
  for (let d = day.length - 1; d >= 1; d--) {
    for (let cell = start[d] as number; cell < (start[d + 1] as number); cell++) {
      const c = campaign[cell] as number;
      const v = information[cell] as number;
      const gc = g[c] as number;
      const before = V1[c] as number;
      V1[c] = before + v;
      shared += gc * v;
      own += v - variance * gc * v * (2 * before + v);
      score += (residual[cell] as number) - variance * gc * v * (R[c] as number);
      afterV += v;
    }
    if (afterV < LEAST_INFORMATION || totalV - afterV < LEAST_INFORMATION) continue;
    const stepInformation = own - (shared * shared) / levelInformation;
    if (stepInformation <= LEAST_STEP_INFORMATION) continue;
    const u = score - (shared * levelScore) / levelInformation;
    // The smaller side is measured against the larger one, which holds most of the pooled rate.
    const relative = (2 * afterV <= totalV ? u : -u) / stepInformation;
    const statistic = likelihoodRatio(stepInformation, Math.max(0, 1 + relative));
    statistics[d] = statistic;
    if (statistic <= best.statistic) continue;
    best = { statistic, cut: d, step: u / stepInformation, statistics };
  }
  return best;
}
