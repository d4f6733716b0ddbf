import { betaInterval } from '../numerics/beta-interval';
import { exp } from '../numerics/exp';
import { gammaQuantile } from '../numerics/incomplete-gamma';
import { log } from '../numerics/log';
import { logGammaUnchecked } from '../numerics/log-gamma';
import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';

export interface ReplyCounts {
  /** matured replies */
  readonly observed: number;
  /** what the arms expect for the campaign's own mix of channel, position and step */
  readonly expected: number;
}

export interface ReplyRatio {
  /** posterior mean of the true observed / expected ratio, shrunk towards one */
  readonly ratio: number;
  /** 95 % equal-tailed interval */
  readonly low: number;
  readonly high: number;
  /** of the Gamma that is published: so many replies' worth is known */
  readonly shape: number;
  /** weight of the campaign's own replies in the ratio, expected / (expected + a) averaged over a; in [0, 1) */
  readonly ownDataShare: number;
}

/** Precisions of the campaigns' true ratios around one: from "a factor of three" to "hardly any difference". */
const PRECISIONS = [1, 1.8, 3.2, 5.6, 10, 18, 32, 56, 100, 180, 320] as const;
/** Prior of log precision: campaigns usually differ by a third (precision about 9). */
const LOG_PRECISION_MEAN = log(9);
const LOG_PRECISION_SD = 1.2;

/** Posterior weights of the precision given all campaigns of the company (negative binomial marginals). */
function precisionWeights(campaigns: readonly ReplyCounts[]): number[] {
  const logs = PRECISIONS.map((a) => {
    let logPosterior = -0.5 * square((log(a) - LOG_PRECISION_MEAN) / LOG_PRECISION_SD);
    for (const { observed, expected } of campaigns) {
      if (expected <= 0) continue;
      logPosterior +=
        logGammaUnchecked(a + observed) -
        logGammaUnchecked(a) +
        a * log(a / (a + expected)) +
        observed * log(expected / (a + expected));
    }
    return logPosterior;
  });
  const highest = Math.max(...logs);
  const weights = logs.map((logPosterior) => exp(logPosterior - highest));
  const total = weights.reduce((x, y) => x + y, 0);
  return weights.map((w) => w / total);
}

/**
 * Observed over expected replies of each campaign, with Gamma-Poisson shrinkage towards one.
 *
 * O_i ~ Poisson(E_i r_i), r_i ~ Gamma(a, a); a is averaged over its posterior given all campaigns, and
 * the posterior of r_i is published as the Gamma with the same mean and variance.
 *
 * Shapes: C campaigns in, C ratios out, in the same order.
 * @param campaigns - matured replies and their expectation per campaign
 * @returns ratio with its 95 % interval; a campaign without data gets the prior
 * @throws StatsDomainError with code `count`
 *
 * Reference: DuMouchel (1999), The American Statistician 53, 177-190.
 * Oracle: coverage by simulation, verify:statistics.
 *
 * @example
 * replyRatios([{ observed: 20, expected: 10 }, { observed: 9, expected: 10 }])[0].ratio; // 1.559
 */
export function replyRatios(campaigns: readonly ReplyCounts[]): ReplyRatio[] {
  for (const { observed, expected } of campaigns) {
    requireDomain(observed >= 0 && observed < Infinity, 'count', 'observed replies must be finite and >= 0');
    requireDomain(expected >= 0 && expected < Infinity, 'count', 'expected replies must be finite and >= 0');
  }
  const weights = precisionWeights(campaigns);
  return campaigns.map(({ observed, expected }) => {
    let mean = 0;
    let square = 0;
    let own = 0;
    // Replies without any expectation say nothing about the ratio.
    const replies = expected > 0 ? observed : 0;
    PRECISIONS.forEach((a, i) => {
      const shape = a + replies;
      const rate = a + expected;
      const m = shape / rate;
      mean += (weights[i] as number) * m;
      square += (weights[i] as number) * (m * m + shape / (rate * rate));
      own += ((weights[i] as number) * expected) / rate;
    });
    const variance = square - mean * mean;
    const shape = (mean * mean) / variance;
    const scale = variance / mean;
    return {
      ratio: mean,
      low: scale * gammaQuantile(0.025, shape),
      high: scale * gammaQuantile(0.975, shape),
      shape,
      ownDataShare: Math.min(1, own),
    };
  });
}

/**
 * Observed over expected replies of a campaign that is most of its company, or of several together: its own rate over the
 * expected one, which has learned from the same replies and is no belief to shrink to.
 *
 * Shapes: three scalars in, one ratio out.
 * @param observed - matured replies, <= sends
 * @param sends - matured sends, > 0
 * @param expected - replies that the arms expect of them, > 0
 * @returns ratio with its 95 % interval, that of the posterior of the rate under Jeffreys' prior
 * @throws StatsDomainError with code `count`
 *
 * Reference: Brown, Cai and DasGupta (2001), Statistical Science 16, 101-133.
 * Oracle: coverage by simulation, assess-campaign.spec of read-model.
 *
 * @example
 * ownRatio(20, 400, 10).ratio; // 2.045
 */
export function ownRatio(observed: number, sends: number, expected: number): ReplyRatio {
  requireDomain(observed >= 0 && observed <= sends, 'count', 'replies must be >= 0, and no more than sends');
  requireDomain(sends > 0 && sends < Infinity, 'count', 'sends must be finite and > 0');
  requireDomain(expected > 0 && expected < Infinity, 'count', 'expected replies must be finite and > 0');
  const [alpha, beta] = [observed + 0.5, sends - observed + 0.5];
  const { low, high } = betaInterval(alpha, beta, 0.95);
  const scale = sends / expected;
  return {
    ratio: (scale * alpha) / (alpha + beta),
    low: scale * low,
    high: scale * high,
    shape: alpha,
    ownDataShare: sends / (sends + 1),
  };
}
