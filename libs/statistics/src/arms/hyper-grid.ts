import { exp } from '../numerics/exp';
import { logGammaUnchecked } from '../numerics/log-gamma';
import { expit } from '../numerics/logistic';
import type { ArmCounts, ArmHyperprior } from './arm-types';

/** Side of the served grid over (logit mu, log k). */
export const GRID_SIZE = 25;
/** Side of the scouting grids that find where the posterior lives. */
const SCOUT_SIZE = 9;
/** Half-width of the prior's box, in prior standard deviations. */
const PRIOR_REACH = 5;
/** The same towards large concentrations: arms that are all alike pull far beyond what the prior expects. */
const ALIKE_REACH = 8;
/** Half-width of a box, in posterior standard deviations, and in steps of the grid that found it. */
const POSTERIOR_REACH = 5.8;
const LEAST_REACH = 1.25;
const MAX_ZOOMS = 4;
/** A mean whose spread is this much of a step of the grid is found. */
const RESOLVED = 0.4;
/** A box this much of the one before is close enough. */
const SETTLED = 0.6;

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

interface Box {
  readonly low: number;
  readonly high: number;
}

function buildAxis({ low, high }: Box, size: number): Axis {
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
    const kj = exp(logK);
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
  for (let g = 0; g < weight.length; g++) total += weight[g] = exp((weight[g] as number) - highest);
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
 * The 25 x 25 posterior over (mu, k). Grids of 9 x 9 points first find the posterior's place and width, each inside
 * the one before: on the prior's own box the posterior of a company with many sends falls between two lines, and one
 * step towards it is too short for a company whose arms are all alike.
 */
export function hyperPosterior(arms: readonly ArmCounts[], prior: ArmHyperprior): HyperGrid {
  const muBox = boxAround(prior.logitMean, PRIOR_REACH * prior.logitSd, PRIOR_REACH * prior.logitSd);
  const kBox = boxAround(prior.logKMean, PRIOR_REACH * prior.logKSd, ALIKE_REACH * prior.logKSd);
  let [mu, k] = [muBox, kBox];
  for (let zoom = 0; zoom < MAX_ZOOMS; zoom++) {
    const [muScout, kScout] = [buildAxis(mu, SCOUT_SIZE), buildAxis(k, SCOUT_SIZE)];
    const { weight } = weigh(arms, prior, muScout, kScout, SCOUT_SIZE);
    const [wideMu, wideK] = [mu, k];
    const found = spread(weight, muScout, SCOUT_SIZE, true);
    mu = zoomed(muScout, found, muBox);
    // Beside the true mean alike arms look scattered: the concentration is sought once the mean is found.
    if (found.sd > RESOLVED * muScout.step)
      k = zoomed(kScout, spread(weight, kScout, SCOUT_SIZE, false), kBox);
    if (width(mu) > SETTLED * width(wideMu) && width(k) > SETTLED * width(wideK)) break;
  }
  return weigh(arms, prior, buildAxis(mu, GRID_SIZE), buildAxis(k, GRID_SIZE), GRID_SIZE);
}

const boxAround = (centre: number, below: number, above: number): Box => ({
  low: centre - below,
  high: centre + above,
});

const width = ({ low, high }: Box): number => high - low;

/** The box that a scouting grid has found. It cannot see a width below its own step. */
function zoomed(scout: Axis, { mean, sd }: { mean: number; sd: number }, box: Box): Box {
  const reach = Math.max(POSTERIOR_REACH * sd, LEAST_REACH * scout.step);
  return { low: Math.max(box.low, mean - reach), high: Math.min(box.high, mean + reach) };
}
