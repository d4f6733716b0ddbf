import { betaQuantile } from '../numerics/beta-quantile';
import { exp } from '../numerics/exp';
import { incompleteBeta } from '../numerics/incomplete-beta';
import { log } from '../numerics/log';
import { logBetaUnchecked } from '../numerics/log-beta';
import { isShape, requireDomain } from '../numerics/stats-domain-error';

export interface BetaComponent {
  readonly alpha: number;
  readonly beta: number;
  /** > 0; need not sum to one */
  readonly weight: number;
}

export interface MixturePosterior {
  readonly components: readonly BetaComponent[];
  readonly mean: number;
  readonly variance: number;
  /** equal-tailed interval of the mixture itself */
  readonly low: number;
  readonly high: number;
  /** Beta with the same mean and variance */
  readonly alpha: number;
  readonly beta: number;
}

/** Sends' worth of information that a borrowed prior may carry at most. */
export const MAX_PRIOR_SENDS = 20;
const BORROWED_WEIGHT = 0.8;
/** The sceptic's part: mean 5 %, worth ten sends, wide enough for any market. */
const VAGUE = { alpha: 0.5, beta: 9.5 } as const;

/**
 * Robust prior of a new company's reply rate: 80 % a borrowed mean worth at most 20 sends, 20 % a vague
 * Beta(0.5, 9.5) that takes over where the borrowed mean turns out wrong.
 *
 * Shapes: scalars in, two components out.
 * @param mean - borrowed mean rate, in (0, 1)
 * @param sends - what it is worth in sends, > 0; capped at 20
 * @returns the borrowed component and the vague one, weights 0.8 and 0.2
 * @throws StatsDomainError with code `mass` or `shape`
 *
 * Reference: Schmidli et al. (2014), Biometrics 70, 1023-1032.
 *
 * @example
 * robustPrior(0.034, 100)[0]; // { alpha: 0.68, beta: 19.32, weight: 0.8 }
 */
export function robustPrior(mean: number, sends: number): BetaComponent[] {
  requireDomain(mean > 0 && mean < 1, 'mass', 'a borrowed mean must be in (0, 1)');
  requireDomain(isShape(sends), 'shape', 'a borrowed prior must be worth a positive number of sends');
  const size = Math.min(MAX_PRIOR_SENDS, sends);
  return [
    { alpha: mean * size, beta: (1 - mean) * size, weight: BORROWED_WEIGHT },
    { ...VAGUE, weight: 1 - BORROWED_WEIGHT },
  ];
}

function quantile(components: readonly BetaComponent[], p: number): number {
  const ends = components.map(({ alpha, beta }) => betaQuantile(p, alpha, beta));
  let low = Math.min(...ends);
  let high = Math.max(...ends);
  for (let i = 0; i < 80 && high - low > 1e-13 * high; i++) {
    const middle = (low + high) / 2;
    const below = components.reduce((sum, c) => sum + c.weight * incompleteBeta(middle, c.alpha, c.beta), 0);
    if (below < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Posterior of a reply rate under a mixture of Beta priors; weights move by marginal likelihood.
 *
 * Shapes: C components and two scalars in, one posterior out.
 * @param prior - components with finite shapes > 0 and weights > 0
 * @param n - sends, >= 0 (fractions allowed)
 * @param y - replies, 0 <= y <= n
 * @param mass - inside the interval, in (0, 1); default 0.95
 * @returns mean, variance, equal-tailed interval and moment-matched Beta, all of the rate in [0, 1]
 * @throws StatsDomainError with code `shape`, `count`, `mass` or `size`
 *
 * Reference: Schmidli et al. (2014), Biometrics 70, 1023-1032.
 * Oracle: identities in priors.spec.ts; coverage and RMSE in verify:statistics.
 *
 * @example
 * mixturePosterior([{ alpha: 1, beta: 1, weight: 1 }], 8, 2).mean; // 0.3
 */
export function mixturePosterior(
  prior: readonly BetaComponent[],
  n: number,
  y: number,
  mass = 0.95,
): MixturePosterior {
  requireDomain(prior.length > 0, 'size', 'a mixture needs at least one component');
  requireDomain(
    n >= 0 && y >= 0 && y <= n && n < Infinity,
    'count',
    'replies must lie between zero and the sends',
  );
  requireDomain(mass > 0 && mass < 1, 'mass', 'an interval needs a mass in (0, 1)');
  const logs = prior.map(({ alpha, beta, weight }) => {
    requireDomain(
      isShape(alpha) && isShape(beta) && isShape(weight),
      'shape',
      'components need positive finite numbers',
    );
    return log(weight) + logBetaUnchecked(alpha + y, beta + n - y) - logBetaUnchecked(alpha, beta);
  });
  const highest = Math.max(...logs);
  const raw = logs.map((logWeight) => exp(logWeight - highest));
  const total = raw.reduce((a, b) => a + b, 0);
  const components = prior.map(({ alpha, beta }, i) => ({
    alpha: alpha + y,
    beta: beta + n - y,
    weight: (raw[i] as number) / total,
  }));
  let mean = 0;
  let square = 0;
  for (const { alpha, beta, weight } of components) {
    const m = alpha / (alpha + beta);
    mean += weight * m;
    square += weight * (m * m + (m * (1 - m)) / (alpha + beta + 1));
  }
  const variance = square - mean * mean;
  const size = (mean * (1 - mean)) / variance - 1;
  return {
    components,
    mean,
    variance,
    low: quantile(components, (1 - mass) / 2),
    high: quantile(components, (1 + mass) / 2),
    alpha: mean * size,
    beta: (1 - mean) * size,
  };
}
