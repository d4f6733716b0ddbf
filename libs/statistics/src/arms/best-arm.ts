import { exp } from '../numerics/exp';
import { incompleteBeta } from '../numerics/incomplete-beta';
import { log } from '../numerics/log';
import { logBetaUnchecked } from '../numerics/log-beta';
import { log1p } from '../numerics/log1p';
import { expit } from '../numerics/logistic';
import { isShape, requireDomain } from '../numerics/stats-domain-error';

/** Break points per arm, in standard deviations of its logit; the tails carry less than 1e-9. */
const KNOTS = [-7, -5.5, -4.5, -3.75, -3.25, -2.75, -2.25, -1.75, -1.25, -0.75, -0.25] as const;
/** No point of the search starts lower than this many standard deviations below the best lower end. */
const REACH = 7;

export interface BetaShape {
  readonly alpha: number;
  readonly beta: number;
}

/** Sorted break points on the logit scale that resolve every arm's density where the maximum can be. */
function knots(arms: readonly BetaShape[]): Float64Array {
  let from = -Infinity;
  const all: number[] = [];
  for (const { alpha, beta } of arms) {
    const centre = log(alpha / beta);
    const sd = Math.sqrt(1 / alpha + 1 / beta);
    // The logit of a Beta with a small alpha has a long left tail, which the maximum rarely visits.
    from = Math.max(from, centre - REACH * sd * (alpha < 2 ? 2 : 1));
    for (const knot of KNOTS) all.push(centre + knot * sd, centre - knot * sd);
  }
  const kept = all.filter((knot) => knot > from);
  kept.push(from);
  return Float64Array.from(kept).sort();
}

/**
 * Probability of each arm having the highest rate, for independent Beta posteriors.
 *
 * Shapes: K arms in, K probabilities out.
 * @param arms - Beta shapes, each finite and > 0
 * @returns probabilities that sum to one
 * @throws StatsDomainError with code `shape` or `size`
 *
 * Integral of f_i times the product of the other arms' F_j, by Simpson's rule on the logit scale over
 * break points of all arms; the F_j are accumulated along the way. Deterministic: no sampling.
 * Reference: Scott (2010), Applied Stochastic Models in Business and Industry 26, 639-658.
 * Oracle: fixtures/arms.json (SciPy adaptive quadrature), absolute error 2e-4.
 *
 * @example
 * bestArmProbabilities([{ alpha: 5, beta: 95 }, { alpha: 5, beta: 95 }]); // [0.5, 0.5]
 */
export function bestArmProbabilities(arms: readonly BetaShape[]): number[] {
  requireDomain(arms.length > 0, 'size', 'at least one arm is needed');
  for (const { alpha, beta } of arms)
    requireDomain(isShape(alpha) && isShape(beta), 'shape', 'Beta shapes must be > 0');
  const count = arms.length;
  if (count === 1) return [1];
  const points = knots(arms);
  const logNorm = Float64Array.from(arms, ({ alpha, beta }) => logBetaUnchecked(alpha, beta));
  const start = expit(points[0] as number);
  const cdf = Float64Array.from(arms, ({ alpha, beta }) => incompleteBeta(start, alpha, beta));
  const density = [new Float64Array(count), new Float64Array(count), new Float64Array(count)] as const;
  const total = new Float64Array(count);
  const middleCdf = new Float64Array(count);

  const evaluate = (logit: number, into: Float64Array): void => {
    const softplus = logit > 0 ? logit + log1p(exp(-logit)) : log1p(exp(logit));
    for (let i = 0; i < count; i++) {
      const { alpha, beta } = arms[i] as BetaShape;
      into[i] = exp(alpha * logit - (alpha + beta) * softplus - (logNorm[i] as number));
    }
  };
  const accumulate = (f: Float64Array, F: Float64Array, weight: number): void => {
    // Prefix and suffix products give the product of the others without dividing by a zero.
    let prefix = 1;
    for (let i = 0; i < count; i++) {
      others[i] = prefix;
      prefix *= F[i] as number;
    }
    let suffix = 1;
    for (let i = count - 1; i >= 0; i--) {
      total[i] = (total[i] as number) + weight * (f[i] as number) * (others[i] as number) * suffix;
      suffix *= F[i] as number;
    }
  };
  const others = new Float64Array(count);
  const middle = density[1];
  let [left, right] = [density[0], density[2]];
  evaluate(points[0] as number, left);
  for (let p = 1; p < points.length; p++) {
    const a = points[p - 1] as number;
    const b = points[p] as number;
    const h = b - a;
    if (h < 1e-12) continue;
    evaluate((a + b) / 2, middle);
    evaluate(b, right);
    accumulate(left, cdf, h / 6);
    for (let i = 0; i < count; i++) {
      const f0 = left[i] as number;
      const fm = middle[i] as number;
      const f1 = right[i] as number;
      // Integrals of the parabola through the three points: over the first half, and over the whole.
      middleCdf[i] = Math.min(1, (cdf[i] as number) + (h / 24) * Math.max(0, 5 * f0 + 8 * fm - f1));
      cdf[i] = Math.min(1, (cdf[i] as number) + (h / 6) * (f0 + 4 * fm + f1));
    }
    accumulate(middle, middleCdf, (4 * h) / 6);
    accumulate(right, cdf, h / 6);
    [left, right] = [right, left];
  }
  let sum = 0;
  for (const value of total) sum += value;
  return Array.from(total, (value) => value / sum);
}

/**
 * Share of sends that top-two sampling (parameter 1/2) gives each arm: half to the draw that looks
 * best, half to the best of the others.
 *
 * Shapes: K probabilities in, K shares out.
 * @param pBest - probabilities of being best; each in [0, 1], summing to one
 * @returns shares that sum to one
 * @throws StatsDomainError with code `probability` or `size`
 *
 * Reference: Russo (2020), Simple Bayesian Algorithms for Best-Arm Identification, section 3.
 *
 * @example
 * topTwoShares([0.8, 0.2]); // [0.5, 0.5]
 */
export function topTwoShares(pBest: readonly number[]): number[] {
  requireDomain(pBest.length > 0, 'size', 'at least one arm is needed');
  for (const p of pBest) requireDomain(p >= 0 && p <= 1, 'probability', 'each share must be in [0, 1]');
  if (pBest.length === 1) return [1];
  // One minus p loses everything when an arm is all but certain; sum the others instead.
  const rest = pBest.map((_, i) => pBest.reduce((sum, p, j) => (j === i ? sum : sum + p), 0));
  const shares = pBest.map((p, i) => {
    let second = 0;
    for (let j = 0; j < pBest.length; j++) {
      if (j !== i && (rest[j] as number) > 0) second += (pBest[j] as number) * (p / (rest[j] as number));
    }
    return 0.5 * p + 0.5 * second;
  });
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}
