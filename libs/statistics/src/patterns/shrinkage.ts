import { normalCdf } from '../numerics/normal';
import { requireDomain } from '../numerics/stats-domain-error';

export interface Effect {
  readonly logOr: number;
  /** null: the data say nothing about this effect */
  readonly se: number | null;
}

export interface ShrunkEffect {
  readonly mean: number;
  readonly sd: number;
  /** 95 % interval, mean -/+ 1.96 sd */
  readonly low: number;
  readonly high: number;
  readonly probabilityPositive: number;
}

/** Spreads of true effects that are averaged over: from "nothing works" to "odds change 2.5-fold". */
const TAU_GRID = [0.02, 0.05, 0.08, 0.12, 0.17, 0.23, 0.3, 0.4, 0.55, 0.75, 1] as const;
/** Half-normal prior of tau: effects of message features seldom exceed a factor of two. */
const TAU_PRIOR_SD = 0.4;
const NORMAL_975 = 1.959963984540054;

/** Posterior weights of tau given the ensemble: prior density, grid spacing, marginal likelihood. */
function tauWeights(effects: readonly Effect[]): number[] {
  const logs = TAU_GRID.map((tau, t) => {
    const spacing = ((TAU_GRID[t + 1] ?? tau) - (TAU_GRID[t - 1] ?? tau)) / 2;
    let log = Math.log(spacing) - 0.5 * (tau / TAU_PRIOR_SD) ** 2;
    for (const { logOr, se } of effects) {
      if (se === null) continue;
      const variance = se * se + tau * tau;
      log -= 0.5 * (Math.log(variance) + (logOr * logOr) / variance);
    }
    return log;
  });
  const highest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - highest));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / total);
}

/**
 * Shrinks a company's log odds ratios towards zero by N(0, tau), tau averaged over its posterior
 * given the whole ensemble.
 *
 * Shapes: m effects in, m posteriors out, in the same order.
 * @param effects - log odds ratio and standard error (null: no data) of each code
 * @returns per effect a normal posterior: mean, sd, 95 % interval, probability of being positive, all
 * from the same normal, so that the interval excludes zero exactly when the probability passes 0.975
 * @throws StatsDomainError with code `range`
 *
 * Reference: Gelman et al., BDA3, section 5.4.
 * Oracle: identities in patterns.spec.ts.
 *
 * @example
 * shrinkEffects([{ logOr: 0.6, se: 0.2 }, { logOr: 0, se: 0.2 }])[0].mean; // 0.412
 */
export function shrinkEffects(effects: readonly Effect[]): ShrunkEffect[] {
  for (const { logOr, se } of effects) {
    requireDomain(Number.isFinite(logOr), 'range', 'a log odds ratio must be finite');
    requireDomain(
      se === null || (se > 0 && se < Infinity),
      'range',
      'a standard error must be positive or null',
    );
  }
  const weights = tauWeights(effects);
  return effects.map(({ logOr, se }) => {
    let mean = 0;
    let square = 0;
    TAU_GRID.forEach((tau, t) => {
      const w = weights[t] as number;
      const keep = se === null ? 0 : (tau * tau) / (tau * tau + se * se);
      const m = keep * logOr;
      mean += w * m;
      square += w * (m * m + (1 - keep) * tau * tau);
    });
    const sd = Math.sqrt(square - mean * mean);
    return {
      mean,
      sd,
      low: mean - NORMAL_975 * sd,
      high: mean + NORMAL_975 * sd,
      probabilityPositive: normalCdf(mean / sd),
    };
  });
}
