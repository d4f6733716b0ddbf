import { log } from '../numerics/log';
import { requireDomain } from '../numerics/stats-domain-error';

/** How sure a claim is, by the share of such claims that may be wrong: .05, .20, .50. */
export type ClaimTier = 'confirmed' | 'likely' | 'directional';

export const FALSE_SHARE: Readonly<Record<ClaimTier, number>> = {
  confirmed: 0.05,
  likely: 0.2,
  directional: 0.5,
};

/**
 * e-BH on the log scale: which hypotheses to reject at a false discovery rate.
 *
 * Shapes: m log e-values in, m booleans out.
 * @param logEValues - any numbers but NaN; any dependence between them is fine
 * @param rate - false discovery rate in (0, 1)
 * @returns true where the e-value is at least m / (rate k), k the largest number for which k are
 * @throws StatsDomainError with code `mass` or `range`
 *
 * Reference: Wang and Ramdas (2022), Journal of the Royal Statistical Society B 84, 822-852.
 * Oracle: fixtures/evidence.json.
 *
 * @example
 * rejectByLogE([5, 0, -1], 0.05); // [true, false, false]
 */
export function rejectByLogE(logEValues: readonly number[], rate: number): boolean[] {
  requireDomain(rate > 0 && rate < 1, 'mass', 'a false discovery rate must be in (0, 1)');
  for (const logE of logEValues) requireDomain(!Number.isNaN(logE), 'range', 'an e-value must be a number');
  const m = logEValues.length;
  const sorted = Float64Array.from(logEValues).sort();
  for (let k = m; k >= 1; k--) {
    const threshold = log(m / (rate * k));
    if ((sorted[m - k] as number) >= threshold) return logEValues.map((logE) => logE >= threshold);
  }
  return logEValues.map(() => false);
}

/**
 * Tiers of hypotheses by their log e-values; each tier keeps its own promise.
 *
 * Shapes: m log e-values in, m tiers out.
 * @param logEValues - of the hypotheses that take part, null for those that do not
 * @returns e-BH at .05 is `confirmed`, at .20 `likely`; at .50 among those in neither, `directional`
 * @throws StatsDomainError with code `range`
 *
 * A list that shares its budget with stronger claims gets worse the more of these there are; so it has one of its own.
 * Reference: statistics design, section 2.3.
 *
 * @example
 * claimTiers([5, 1.5, null, -1]); // ['confirmed', 'directional', null, null]
 */
export function claimTiers(logEValues: readonly (number | null)[]): (ClaimTier | null)[] {
  const tiers = logEValues.map((): ClaimTier | null => null);
  const award = (tier: ClaimTier, among: readonly number[]): void => {
    const rejected = rejectByLogE(
      among.map((i) => logEValues[i] as number),
      FALSE_SHARE[tier],
    );
    among.forEach((i, k) => {
      if (rejected[k]) tiers[i] = tier;
    });
  };
  const all = logEValues.flatMap((logE, i) => (logE === null ? [] : [i]));
  award('likely', all);
  award('confirmed', all);
  award(
    'directional',
    all.filter((i) => tiers[i] === null),
  );
  return tiers;
}

/**
 * The log e-value at which one more code is confirmed, or that a confirmed one had to reach.
 *
 * Shapes: three values in, scalar out.
 * @param taking - codes that take part in the multiple testing, >= 0; none counts as one
 * @param confirmed - those of them that are confirmed, 0 <= confirmed <= taking
 * @param isConfirmed - whether the code that is asked about is one of these
 * @returns the limit of e-BH at a false discovery rate of .05
 * @throws StatsDomainError with code `range`
 *
 * It falls with every code that is confirmed, and rises with every one that takes part. Several codes together may be
 * confirmed below it.
 * Reference: Wang and Ramdas (2022), Journal of the Royal Statistical Society B 84, 822-852. Oracle: `rejectByLogE`.
 *
 * @example
 * confirmedAtLogE(20, 0, false); // 5.99
 */
export function confirmedAtLogE(taking: number, confirmed: number, isConfirmed: boolean): number {
  requireDomain(confirmed >= 0 && confirmed <= taking, 'range', 'only codes that take part are confirmed');
  const besides = isConfirmed ? Math.max(1, confirmed) : confirmed + 1;
  return log(Math.max(1, taking) / (FALSE_SHARE.confirmed * besides));
}

/** True for the tiers that other codes must stand beside. */
export const isClaimed = (tier: ClaimTier | null): boolean => tier === 'confirmed' || tier === 'likely';
