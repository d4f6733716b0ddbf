import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import type { ClaimTier } from './claim-tiers';
import { alwaysValidInterval, WIDEST_LOG_OR } from './always-valid-interval';
import type { FeatureTotals } from './company-totals';
import { effectPosterior } from './effect-posterior';
import type { EvidenceSums } from './evidence-sums';

/** Half a reply and half a non-reply on each side: keeps the estimate finite where a sum is empty. */
const PSEUDO_SUM = 0.125;
/** The score's estimate and Mantel and Haenszel's differ by less; more is noise. */
const LARGEST_RATIO = 2;
/** Probability of its sign that a tier needs, so that tier, interval and probability say the same. */
const SIGN_NEEDED: Readonly<Record<ClaimTier, number>> = { confirmed: 0.975, likely: 0.95, directional: 0.9 };
const FALLBACK: Readonly<Record<ClaimTier, ClaimTier | null>> = {
  confirmed: 'likely',
  likely: 'directional',
  directional: null,
};

export interface EffectEstimate {
  readonly logOr: number;
  readonly low: number;
  readonly high: number;
  readonly probabilityPositive: number;
  /**
   * What to expect of the effect: nearer to none than `logOr`, the more so the thinner the evidence, because of many
   * effects the largest estimates are the luckiest. Inside the interval, and never on the other side of none.
   */
  readonly expectedLogOr: number;
}

/** Mantel-Haenszel log odds ratio from its two sums; 0 where nothing is compared. */
export function mantelHaenszelLogOr(mhWith: number, mhWithout: number): number {
  if (mhWith + mhWithout <= 0) return 0;
  const pseudo = mhWith > 0 && mhWithout > 0 ? 0 : PSEUDO_SUM;
  return log((mhWith + pseudo) / (mhWithout + pseudo));
}

/**
 * Estimate, always-valid interval and probability from the sums that the evidence is served from.
 *
 * @param logLimit - log e-value that excludes a log odds ratio
 */
export function estimateEffect(
  sums: EvidenceSums,
  { mhWith, mhWithout }: Pick<FeatureTotals, 'mhWith' | 'mhWithout'>,
  logLimit: number,
): EffectEstimate {
  const within = (x: number): number => Math.max(-WIDEST_LOG_OR, Math.min(WIDEST_LOG_OR, x));
  const logOr = within(mantelHaenszelLogOr(mhWith, mhWithout));
  const [low, high] = alwaysValidInterval(sums, logLimit);
  // The quadratic likelihood is exact at zero and leans away from it; Mantel and Haenszel say by how much.
  const q = sums[2] as number;
  const scoreEstimate = q > 0 ? (sums[1] as number) / q : 0;
  const ratio = scoreEstimate * logOr > 0 ? logOr / scoreEstimate : 1;
  const scale = Math.max(1 / LARGEST_RATIO, Math.min(LARGEST_RATIO, ratio));
  const end = (x: number): number => (Math.abs(x) === WIDEST_LOG_OR ? x : within(x * scale));
  const ends = { low: Math.min(logOr, end(low)), high: Math.max(logOr, end(high)) };
  const { mean, probabilityPositive } = effectPosterior(sums);
  return { logOr, ...ends, probabilityPositive, expectedLogOr: expectedOf(mean * scale, logOr, ends) };
}

function expectedOf(mean: number, logOr: number, { low, high }: { low: number; high: number }): number {
  const [least, most] = logOr > 0 ? [Math.max(0, low), logOr] : [logOr, Math.min(0, high)];
  return Math.max(least, Math.min(most, mean));
}

/** The tier that estimate, interval and probability bear out: the one awarded, or a lesser one. Only removes claims. */
export function tierBorneOut(tier: ClaimTier | null, estimate: EffectEstimate): ClaimTier | null {
  const { logOr, low, high, probabilityPositive } = estimate;
  const sign = logOr > 0 ? probabilityPositive : logOr < 0 ? 1 - probabilityPositive : 0;
  let borne = tier;
  while (borne !== null && (sign < SIGN_NEEDED[borne] || (borne === 'confirmed' && low <= 0 && high >= 0))) {
    borne = FALLBACK[borne];
  }
  return borne;
}

/** Relative change of the reply rate that a log odds ratio means beside a rate without it. */
export function liftOf(logOr: number, rateWithout: number): number {
  const oddsRatio = exp(logOr);
  return oddsRatio / (1 - rateWithout + rateWithout * oddsRatio) - 1;
}
