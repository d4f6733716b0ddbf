import { log } from '../numerics/log';
import { requireDomain } from '../numerics/stats-domain-error';
import { type EvidenceSums, SIGMAS } from './evidence-sums';
import { type BetSpreads, logEValueAt, spreadsOf } from './log-e-value';

/** Beyond an odds ratio of 7.4 the likelihood is no longer the quadratic that the sums describe. */
export const WIDEST_LOG_OR = 2;
const LOG_20 = log(20);
const FIRST_STEP = 0.02;
const WIDER = 1.5;
const HALVINGS = 40;

/** Log odds ratio at the greatest likelihood over both log odds ratio and sigma; its e-value is at most one. */
export function likeliestLogOr(sums: EvidenceSums): number {
  let best = -Infinity;
  let logOr = 0;
  for (let g = 0; g < SIGMAS.length; g++) {
    const p = sums[3 * g + 1] as number;
    const q = sums[3 * g + 2] as number;
    const logLikelihood = (sums[3 * g] as number) + (q > 0 ? (0.5 * p * p) / q : 0);
    if (logLikelihood > best) {
      best = logLikelihood;
      logOr = q > 0 ? p / q : 0;
    }
  }
  return logOr;
}

/** Evidence, and the e-value that excludes a log odds ratio. */
interface Test {
  readonly sums: EvidenceSums;
  readonly spreads: BetSpreads;
  readonly limit: number;
}

/** Where the e-value reaches the limit between a point inside the interval and one outside. */
function edgeBetween({ sums, spreads, limit }: Test, inside: number, outside: number): number {
  let [near, far] = [inside, outside];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (near + far);
    if (logEValueAt(sums, spreads, middle) < limit) near = middle;
    else far = middle;
  }
  return far;
}

/** Walks from the middle with growing steps, never over zero in one step, until the e-value reaches the limit. */
function edge(test: Test, middle: number, direction: 1 | -1): number {
  const end = direction * WIDEST_LOG_OR;
  let inside = middle;
  for (let step = FIRST_STEP; (end - inside) * direction > 0; step *= WIDER) {
    let next = inside + direction * step;
    if (inside * next < 0) next = 0;
    if ((next - end) * direction > 0) next = end;
    if (logEValueAt(test.sums, test.spreads, next) >= test.limit) return edgeBetween(test, inside, next);
    inside = next;
  }
  return end;
}

/**
 * Always-valid interval of the log odds ratio: every value whose e-value stays below a limit.
 *
 * Shapes: 18 numbers and a scalar in, one pair out.
 * @param sums - B, P, Q per sigma, finite, Q >= 0
 * @param logLimit - logarithm of the e-value that excludes a value, >= 0; default that of 20, for 95 %
 * @returns ends within [-2, 2]; zero lies outside exactly if its own e-value reaches the limit
 * @throws StatsDomainError with code `size` or `range`
 *
 * Found by steps outward from the greatest likelihood, which is always inside, and then by bisection.
 * Reference: Howard, Ramdas, McAuliffe and Sekhon (2021), Annals of Statistics 49, 1055-1080 (confidence sequences).
 * Oracle: fixtures/evidence.json, to the step of .02 of the oracle.
 *
 * @example
 * alwaysValidInterval(new Float64Array(18)); // [-2, 2]
 */
export function alwaysValidInterval(sums: EvidenceSums, logLimit = LOG_20): [number, number] {
  requireDomain(logLimit >= 0, 'range', 'an e-value below one excludes nothing');
  const test = { sums, spreads: spreadsOf(sums), limit: logLimit };
  const middle = likeliestLogOr(sums);
  const clamped = Math.max(-WIDEST_LOG_OR, Math.min(WIDEST_LOG_OR, middle));
  if (clamped === middle) return [edge(test, middle, -1), edge(test, middle, 1)];
  // A likelihood that peaks outside: only the nearer end can lie inside.
  const inner = Math.max(-WIDEST_LOG_OR, Math.min(WIDEST_LOG_OR, edge(test, middle, middle > 0 ? -1 : 1)));
  return middle > 0 ? [inner, WIDEST_LOG_OR] : [-WIDEST_LOG_OR, inner];
}
