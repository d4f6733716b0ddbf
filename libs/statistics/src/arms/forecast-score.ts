import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { logBetaUnchecked } from '../numerics/log-beta';
import { log1p } from '../numerics/log1p';
import { MARKET_HYPERPRIOR } from './arm-types';
import type { BetaShape } from './best-arm';
import type { DiscountedSums } from './discounted-sums';
import { FORWARD_SDS, HALF_LIVES } from './half-lives';
import { widened } from './widen';

/** Scores of every half-life and forward spread, at half-life * FORWARD_SDS.length + spread. */
export const SCORES = HALF_LIVES.length * FORWARD_SDS.length;

/** The market's mean rate, worth twenty sends. */
const PRIOR_REPLIES = 0.68;
const PRIOR_SENDS = 20;
/** Sends in the forecast window that make an arm's replies worth a score. */
const LEAST_SENDS = 5;
/** A forecast allows for a jump, so that no single surprise decides between the half-lives. */
const JUMP_CHANCE = 0.02;
const JUMP_VARIANCE = 1.2 * 1.2;
/** The channel's total counts twice: it is what all arms hang on. */
const CHANNEL_WEIGHT = 2;
const CONCENTRATIONS = [4, 12, 36, 108, 324, 972, 2916] as const;

const LOG_JUMP = log(JUMP_CHANCE);
const LOG_STAY = log1p(-JUMP_CHANCE);

/** Log probability of the replies under a Beta-Binomial, without the binomial coefficient that all forecasts share. */
const logForecast = ({ alpha, beta }: BetaShape, n: number, y: number): number =>
  logBetaUnchecked(alpha + y, beta + n - y) - logBetaUnchecked(alpha, beta);

/** Concentration of the arms around their mean, from all that is remembered without discount. */
function concentration(sums: DiscountedSums): number {
  const from = (HALF_LIVES.length - 1) * sums.positions;
  const n = sums.n.subarray(from);
  const y = sums.y.subarray(from);
  const total = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
  const mean = (total(y) + PRIOR_REPLIES) / (total(n) + PRIOR_SENDS);
  const logs = CONCENTRATIONS.map((k) => {
    const z = (log(k) - MARKET_HYPERPRIOR.logKMean) / MARKET_HYPERPRIOR.logKSd;
    let logWeight = -0.5 * z * z;
    n.forEach((sends, p) => {
      if (sends > 0)
        logWeight += logForecast({ alpha: k * mean, beta: k * (1 - mean) }, sends, y[p] as number);
    });
    return logWeight;
  });
  const highest = Math.max(...logs);
  let [weights, sum] = [0, 0];
  logs.forEach((logWeight, i) => {
    const weight = exp(logWeight - highest);
    weights += weight;
    sum += weight * log(CONCENTRATIONS[i] as number);
  });
  return exp(sum / weights);
}

/** One forecast and what came of it. */
interface ForecastOutcome {
  readonly shape: BetaShape;
  /** variance that the forecast has beside the spread that is scored */
  readonly ownVariance: number;
  readonly n: number;
  readonly y: number;
}

/** Adds the log scores of one forecast under every forward spread. */
function addScores(
  into: Float64Array,
  h: number,
  weight: number,
  { shape, ownVariance, n, y }: ForecastOutcome,
): void {
  const jump = LOG_JUMP + logForecast(widened(shape, JUMP_VARIANCE), n, y);
  FORWARD_SDS.forEach((sd, v) => {
    const stay = LOG_STAY + logForecast(widened(shape, sd * sd + ownVariance), n, y);
    const highest = Math.max(stay, jump);
    const at = h * FORWARD_SDS.length + v;
    into[at] = (into[at] as number) + weight * (highest + log(exp(stay - highest) + exp(jump - highest)));
  });
}

/**
 * Log scores of the forecasts that every half-life and forward spread made of a window's replies, summed over the
 * arms with at least five sends in it and over the channel's total; null without such an arm.
 *
 * @param sums - what was known when the forecast was made
 * @param n - sends of the window per position
 * @param y - replies among them
 */
export function forecastScores(sums: DiscountedSums, n: Float64Array, y: Float64Array): Float64Array | null {
  const { positions } = sums;
  const arms = Array.from(n.keys()).filter((p) => (n[p] as number) >= LEAST_SENDS);
  if (arms.length === 0) return null;
  const scores = new Float64Array(SCORES);
  const k = concentration(sums);
  HALF_LIVES.forEach((_, h) => {
    const N = sums.n.subarray(h * positions, (h + 1) * positions);
    const Y = sums.y.subarray(h * positions, (h + 1) * positions);
    const sends = N.reduce((a, b) => a + b, 0);
    const replies = Y.reduce((a, b) => a + b, 0) + PRIOR_REPLIES;
    const mean = replies / (sends + PRIOR_SENDS);
    const meanVariance = 1 / replies + 1 / (sends + PRIOR_SENDS - replies);
    let [allN, allY, expected] = [0, 0, 0];
    for (const p of arms) {
      const [own, ownReplies] = [N[p] as number, Y[p] as number];
      const [sent, answered] = [n[p] as number, y[p] as number];
      allN += sent;
      allY += answered;
      expected += (sent * (k * mean + ownReplies)) / (k + own);
      const borrowed = k / (k + own);
      addScores(scores, h, 1, {
        shape: { alpha: k * mean + ownReplies, beta: k * (1 - mean) + own - ownReplies },
        // What an arm borrows of the channel's mean is as uncertain as that mean.
        ownVariance: borrowed * borrowed * meanVariance,
        n: sent,
        y: answered,
      });
    }
    const mixRate = expected / allN;
    addScores(scores, h, CHANNEL_WEIGHT, {
      shape: { alpha: replies, beta: (replies * (1 - mixRate)) / mixRate },
      ownVariance: 0,
      n: allN,
      y: allY,
    });
  });
  return scores;
}
