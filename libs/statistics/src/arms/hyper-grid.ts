import { logGammaUnchecked } from '../numerics/log-gamma';
import { expit } from '../numerics/logistic';
import type { ArmCounts, ArmHyperprior } from './arm-types';

/** Side of the served grid over (logit mu, log k). */
export const GRID_SIZE = 25;
/** Side of the scouting grid that finds where the posterior lives. */
const SCOUT_SIZE = 9;
/** Half-width of the prior's box, in prior standard deviations. */
const PRIOR_REACH = 3.6;
/** Half-width of the final box, in posterior standard deviations. */
const POSTERIOR_REACH = 5.8;

/** Normalised weights over a tensor grid; index i * size + j for (mu_i, k_j). */
export interface HyperGrid {
  readonly mu: Float64Array;
  readonly k: Float64Array;
  readonly weight: Float64Array;
}

interface Axis {
  readonly from: number;
  readonly step: number;
}

function buildAxis(low: number, high: number, size: number): Axis {
  return { from: low, step: (high - low) / (size - 1) };
}

/**
 * Log marginal likelihood of the arms plus the log hyper-prior on every grid point, turned into weights.
 * log-gamma of (k + n) depends on k alone, so it is taken once per column, not once per point.
 */
function weigh(
  arms: readonly ArmCounts[],
  prior: ArmHyperprior,
  muAxis: Axis,
  kAxis: Axis,
  size: number,
): HyperGrid {
  const mu = new Float64Array(size);
  const k = new Float64Array(size);
  const weight = new Float64Array(size * size);
  let highest = -Infinity;
  for (let i = 0; i < size; i++) mu[i] = expit(muAxis.from + i * muAxis.step);
  for (let j = 0; j < size; j++) {
    const logK = kAxis.from + j * kAxis.step;
    const kj = Math.exp(logK);
    k[j] = kj;
    const zk = (logK - prior.logKMean) / prior.logKSd;
    let column = -0.5 * zk * zk + arms.length * logGammaUnchecked(kj);
    for (const arm of arms) column -= logGammaUnchecked(kj + arm.n);
    for (let i = 0; i < size; i++) {
      const a = (mu[i] as number) * kj;
      const b = kj - a;
      const zm = (muAxis.from + i * muAxis.step - prior.logitMean) / prior.logitSd;
      let log = column - 0.5 * zm * zm - arms.length * (logGammaUnchecked(a) + logGammaUnchecked(b));
      for (const arm of arms) {
        log += logGammaUnchecked(b + (arm.n - arm.y));
        log += logGammaUnchecked(a + arm.y);
      }
      weight[i * size + j] = log;
      if (log > highest) highest = log;
    }
  }
  let total = 0;
  for (let g = 0; g < weight.length; g++) total += weight[g] = Math.exp((weight[g] as number) - highest);
  for (let g = 0; g < weight.length; g++) weight[g] = (weight[g] as number) / total;
  return { mu, k, weight };
}

/** Mean and standard deviation of one axis' coordinate under the grid's weights. */
function spread(
  weight: Float64Array,
  axis: Axis,
  size: number,
  alongMu: boolean,
): { mean: number; sd: number } {
  let mean = 0;
  let square = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const at = axis.from + (alongMu ? i : j) * axis.step;
      const w = weight[i * size + j] as number;
      mean += w * at;
      square += w * at * at;
    }
  }
  return { mean, sd: Math.sqrt(Math.max(0, square - mean * mean)) };
}

/**
 * The 25 x 25 posterior over (mu, k). A 9 x 9 grid over the whole prior first finds the posterior's
 * place and width: on the prior's own box, the posterior of a company with many sends would fall
 * between two lines of the grid.
 */
export function hyperPosterior(arms: readonly ArmCounts[], prior: ArmHyperprior): HyperGrid {
  const muBox = [
    prior.logitMean - PRIOR_REACH * prior.logitSd,
    prior.logitMean + PRIOR_REACH * prior.logitSd,
  ] as const;
  const kBox = [
    prior.logKMean - PRIOR_REACH * prior.logKSd,
    prior.logKMean + PRIOR_REACH * prior.logKSd,
  ] as const;
  const muScout = buildAxis(muBox[0], muBox[1], SCOUT_SIZE);
  const kScout = buildAxis(kBox[0], kBox[1], SCOUT_SIZE);
  const scout = weigh(arms, prior, muScout, kScout, SCOUT_SIZE).weight;
  const narrow = (axis: Axis, box: readonly [number, number], alongMu: boolean): Axis => {
    const { mean, sd } = spread(scout, axis, SCOUT_SIZE, alongMu);
    // The scouting grid cannot see a width below its own step.
    const reach = POSTERIOR_REACH * Math.max(sd, 0.3 * axis.step);
    return buildAxis(Math.max(box[0], mean - reach), Math.min(box[1], mean + reach), GRID_SIZE);
  };
  return weigh(arms, prior, narrow(muScout, muBox, true), narrow(kScout, kBox, false), GRID_SIZE);
}
