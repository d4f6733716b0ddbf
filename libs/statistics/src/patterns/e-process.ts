import { requireDomain } from '../numerics/stats-domain-error';
import type { TwoByTwo } from './pattern-types';

/** Alternatives over which the e-process averages: log odds ratios from 12 % to a factor of 3.3. */
export const LOG_OR_GRID = [-1.2, -0.9, -0.6, -0.4, -0.25, -0.12, 0.12, 0.25, 0.4, 0.6, 0.9, 1.2] as const;
const GRID = LOG_OR_GRID.length;
const ODDS_RATIOS = Float64Array.from(LOG_OR_GRID, Math.exp);
/** e-values above this say nothing more, and must not overflow. */
const MAX_LOG_E = Math.log(1e300);

/**
 * The reply rate without the feature when the pair (with, without) has this odds ratio and mixes to
 * `rate` over the block's own na and nb. Positive root of a quadratic, in the form that does not cancel.
 */
export function rateWithout(na: number, nb: number, rate: number, oddsRatio: number): number {
  const excess = oddsRatio - 1;
  const target = (na + nb) * rate;
  // nb excess b^2 + linear b - target = 0, and linear > nb + na OR - (na + nb) max(0, excess) > 0
  const linear = na * oddsRatio + nb - target * excess;
  return (2 * target) / (linear + Math.sqrt(Math.max(0, linear * linear + 4 * nb * excess * target)));
}

/**
 * Two-sample e-process of Turner, Ly and Grunwald for one contrast.
 *
 * Each block multiplies, for each odds ratio of the grid, the likelihood of its replies under the pair
 * of rates with that odds ratio over their likelihood under the common rate; the served e-value is the
 * average over the grid of the products. The common rate given with a block must come from earlier
 * data only. Then the expected factor under "no effect" is at most one whatever the true rate is, so
 * P(e >= 1/alpha, ever) <= alpha, under any optional stopping and any drift of the base rate.
 */
export class EProcess {
  /** Log of the product so far, per odds ratio of the grid: all there is to save and to continue from. */
  readonly logS = new Float64Array(LOG_OR_GRID.length);

  /** Adds one closed block; `rate` in (0, 1) is the predicted common reply rate. */
  add(na: number, ya: number, nb: number, yb: number, rate: number): void {
    if (na <= 0 || nb <= 0) return;
    const replies = ya + yb;
    const missesA = na - ya;
    const missesB = nb - yb;
    const base = replies * Math.log(rate) + (missesA + missesB) * Math.log(1 - rate);
    const target = (na + nb) * rate;
    // The body of `rateWithout` is repeated here: this loop is where a daily run spends its time.
    for (let g = 0; g < GRID; g++) {
      const oddsRatio = ODDS_RATIOS[g] as number;
      const excess = oddsRatio - 1;
      const linear = na * oddsRatio + nb - target * excess;
      const b = (2 * target) / (linear + Math.sqrt(Math.max(0, linear * linear + 4 * nb * excess * target)));
      const logMissB = Math.log(1 - b);
      const logMissA = -Math.log(1 + (oddsRatio * b) / (1 - b));
      let log = missesA * logMissA + missesB * logMissB - base;
      if (replies > 0) {
        const logB = Math.log(b);
        log += yb * logB + ya * ((LOG_OR_GRID[g] as number) + logB - logMissB + logMissA);
      }
      this.logS[g] = (this.logS[g] as number) + log;
    }
  }

  /** Natural logarithm of the e-value. */
  logValue(): number {
    let highest = -Infinity;
    for (const log of this.logS) if (log > highest) highest = log;
    let sum = 0;
    for (const log of this.logS) sum += Math.exp(log - highest);
    return Math.min(MAX_LOG_E, highest + Math.log(sum / LOG_OR_GRID.length));
  }
}

/** A closed block with the common rate that was predicted for it before it was seen. */
export interface PredictedBlock extends TwoByTwo {
  readonly predictedRate: number;
}

/**
 * Anytime-valid e-value of a contrast over closed blocks.
 *
 * Shapes: any number of blocks in, one number out.
 * @param blocks - in any order; sends and replies with (a) and without (b), and the rate predicted
 * from earlier data only, in (0, 1)
 * @returns e-value, > 0; 1 where there is no data, capped at 1e300
 * @throws StatsDomainError with code `count` or `mass`
 *
 * Reference: Turner, Ly and Grunwald, arXiv 2106.02693; Turner and Grunwald, arXiv 2302.11401.
 * Oracle: fixtures/patterns.json (mpmath, written from the paper) and fixtures/r-patterns.json (safestats), rtol 1e-9.
 *
 * @example
 * eValue([{ na: 50, ya: 9, nb: 50, yb: 1, predictedRate: 0.1 }]); // 4.799
 */
export function eValue(blocks: readonly PredictedBlock[]): number {
  const process = new EProcess();
  for (const { na, ya, nb, yb, predictedRate } of blocks) {
    requireDomain(na >= 0 && nb >= 0 && Number.isFinite(na + nb), 'count', 'sends must be finite and >= 0');
    requireDomain(
      ya >= 0 && ya <= na && yb >= 0 && yb <= nb,
      'count',
      'replies must lie between zero and the sends',
    );
    requireDomain(predictedRate > 0 && predictedRate < 1, 'mass', 'a predicted rate must be in (0, 1)');
    process.add(na, ya, nb, yb, predictedRate);
  }
  return Math.exp(process.logValue());
}
