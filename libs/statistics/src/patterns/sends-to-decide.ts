import { requireDomain } from '../numerics/stats-domain-error';
import { rateWithout } from './e-process';

/** Effects smaller than the smallest odds ratio of the test's grid are not worth waiting for. */
const NEGLIGIBLE_LOG_OR = 0.12;
const NORMAL_975 = 1.959963984540054;
/** Beyond this the honest answer is "never". */
const MOST_SENDS = 1e9;

export interface DecisionOutlook {
  /** sends so far in this contrast, with and without the feature */
  readonly n: number;
  readonly nOther: number;
  /** overall reply rate of the contrast, in [0, 1] */
  readonly rate: number;
  /** expected true effect and standard error of its posterior */
  readonly logOr: number;
  readonly se: number;
  readonly logEValue: number;
  /** log e-value at which the code would be confirmed */
  readonly logThreshold: number;
}

/** Expected gain of the log e-value per send when the effect is `logOr`. */
function growthPerSend(share: number, rate: number, logOr: number): number {
  const b = rateWithout(share, 1 - share, rate, Math.exp(logOr));
  const a = (rate - (1 - share) * b) / share;
  const divergence = (p: number): number =>
    (p > 0 ? p * Math.log(p / rate) : 0) + (p < 1 ? (1 - p) * Math.log((1 - p) / (1 - rate)) : 0);
  return share * divergence(a) + (1 - share) * divergence(b);
}

/**
 * Expected further matured sends until a code is confirmed, or dropped as too small to matter.
 *
 * Shapes: one record in, one number out.
 * @param outlook - present state of one contrast
 * @returns whole number >= 0 (0: already above the threshold), or null where nothing can be said
 * @throws StatsDomainError with code `count` or `probability`
 *
 * Confirmation: distance to the threshold over the e-process' expected growth at the estimated effect.
 * Dropping: until the 95 % interval would be narrower than +/- 0.12 around the estimate. The lesser counts.
 * Reference: Grunwald, de Heide and Koolen (2024), JRSS B 86, 1091-1128 (growth rate of an e-process).
 *
 * @example
 * sendsToDecide({ n: 500, nOther: 1500, rate: 0.05, logOr: 0.5, se: 0.2, logEValue: 2, logThreshold: 6.9 }); // 3872
 */
export function sendsToDecide(outlook: DecisionOutlook): number | null {
  const { n, nOther, rate, logOr, se, logEValue, logThreshold } = outlook;
  requireDomain(n >= 0 && nOther >= 0, 'count', 'sends must be >= 0');
  requireDomain(rate >= 0 && rate <= 1, 'probability', 'a reply rate must be in [0, 1]');
  if (logEValue >= logThreshold) return 0;
  if (n <= 0 || nOther <= 0 || rate <= 0 || rate >= 1) return null;
  const growth = growthPerSend(n / (n + nOther), rate, logOr);
  const confirm = growth > 0 ? (logThreshold - logEValue) / growth : Infinity;
  const drop = (n + nOther) * Math.max(0, ((NORMAL_975 * se) / NEGLIGIBLE_LOG_OR) ** 2 - 1);
  const sends = Math.min(confirm, drop);
  return sends < MOST_SENDS ? Math.ceil(sends) : null;
}
