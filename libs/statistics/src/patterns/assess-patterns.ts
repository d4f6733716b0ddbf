import { requireDomain } from '../numerics/stats-domain-error';
import { type CodeGroup, codeGroups, type ContrastEstimate, type Sides } from './contrasts';
import { crossCheckLogOr } from './cross-check';
import { rateWithout } from './e-process';
import { benjaminiHochberg, eBenjaminiHochberg } from './multiple-testing';
import { type PatternDesign, patternDesign } from './pattern-design';
import { PatternSums } from './pattern-sums';
import { type CodeEvidence, PatternTest } from './pattern-test';
import type { CodeSpec, Cohort, EvidenceTier, PatternAssessment, PatternInput } from './pattern-types';
import { sendsToDecide } from './sends-to-decide';
import { confoundingStrength } from './sensitivity';
import { type ShrunkEffect, shrinkEffects } from './shrinkage';
import { weekTables } from './tables';

/** False discovery rates of the tiers. */
export const CONFIRMED_FDR = 0.05;
export const LIKELY_FDR = 0.2;
/** A tier also needs its sign: with .975 the 95 % interval excludes zero, so nothing contradicts. */
const CONFIRMED_SIGN = 0.975;
const LIKELY_SIGN = 0.95;
const DIRECTIONAL_SIGN = 0.9;
/** Tested sends on each side before a code takes part; decided by sends alone, never by replies. */
const ELIGIBLE_SENDS = 20;

interface Evidence extends CodeEvidence {
  readonly estimate: ContrastEstimate;
  readonly eligible: boolean;
}

/** What the judgement of a catalogue rests on. */
export interface PatternGrounds {
  /** per code, see `PatternTest` */
  readonly tests: readonly CodeEvidence[];
  /** over matured cohorts, corrected by late replies */
  readonly sums: PatternSums;
  /** second estimate of a code, by its index; asked for tiers of 1 and above. Default: none */
  readonly crossCheck?: (index: number) => number;
}

const TIER_NAMES: readonly (EvidenceTier | null)[] = [null, 'directional', 'likely', 'confirmed'];

function checkCodes(codes: readonly CodeSpec[], width: number): void {
  for (const { levels, dimensionLevels } of codes) {
    const inRange = (level: number): boolean =>
      Number.isInteger(level) && level >= 0 && (width === 0 || level < width);
    requireDomain(dimensionLevels.every(inRange), 'range', 'a level index lies outside the cohorts');
    requireDomain(
      levels.every((level) => dimensionLevels.includes(level)),
      'range',
      'a code carries a level of another dimension',
    );
    requireDomain(
      new Set(dimensionLevels).size === dimensionLevels.length,
      'range',
      'a dimension lists a level twice',
    );
    requireDomain(new Set(levels).size === levels.length, 'range', 'a code lists a level twice');
  }
}

/** Values of eligible codes in, results back at their places; the others get `otherwise`. */
function amongEligible<T>(
  evidence: readonly Evidence[],
  otherwise: T,
  decide: (eligible: readonly Evidence[]) => readonly T[],
): T[] {
  const decided = decide(evidence.filter((e) => e.eligible));
  let next = 0;
  return evidence.map((e) => (e.eligible ? (decided[next++] as T) : otherwise));
}

function chooseTier(confirmed: boolean, likely: boolean, qValue: number, sign: number): 0 | 1 | 2 | 3 {
  if (confirmed && sign >= CONFIRMED_SIGN) return 3;
  if (likely && sign >= LIKELY_SIGN) return 2;
  return (likely || qValue <= LIKELY_FDR) && sign >= DIRECTIONAL_SIGN ? 1 : 0;
}

/** The pair of rates with this odds ratio that mixes to the observed rate. */
function adjustedRates(
  { totals }: ContrastEstimate,
  logOr: number,
): { rate: number; withRate: number; withoutRate: number; lift: number } {
  const { na, ya, nb, yb } = totals;
  const sends = na + nb;
  const rate = sends > 0 ? (ya + yb) / sends : 0;
  if (na <= 0 || nb <= 0 || rate <= 0 || rate >= 1)
    return { rate, withRate: rate, withoutRate: rate, lift: 0 };
  const oddsRatio = Math.exp(logOr);
  const withoutRate = rateWithout(na, nb, rate, oddsRatio);
  const withRate = (oddsRatio * withoutRate) / (1 + (oddsRatio - 1) * withoutRate);
  return { rate, withRate, withoutRate, lift: withRate / withoutRate - 1 };
}

/**
 * Evidence, adjusted effect and tier of every pattern code of one company.
 *
 * Shapes: D cohorts (send day x stratum) of L level counts and m codes in, m assessments out.
 * @param input - matured cohorts sorted by day, the codes, optionally corrected counts for the estimates
 * @returns one assessment per code, by tier descending, then e-value descending, then code
 * @throws StatsDomainError with code `order`, `count`, `size` or `range`
 *
 * Contrast: the code's levels against all other levels of its dimension, inside the same stratum.
 * Test: e-process over blocks of sends, e-BH over eligible codes (confirmed .05, likely .20);
 * directional: Cochran-Mantel-Haenszel with Benjamini-Hochberg q <= .20 and P(sign) >= .90. Estimate:
 * Mantel-Haenszel, shrunk. A tier also requires the sign's probability (.975, .95, .90), so that tier,
 * interval and probability cannot contradict one another. The same input gives the same bytes.
 * Reference: statistics design, section 2. Oracle: fixtures/patterns.json and verify:statistics.
 *
 * @example
 * assessPatterns({ cohorts: [], codes: [{ code: 'TA-1', dimension: 'tone', levels: [0], dimensionLevels: [0, 1] }] })[0].tier; // 0
 */
export function assessPatterns(input: PatternInput): PatternAssessment[] {
  const estimates = input.estimateCohorts ?? input.cohorts;
  checkCodes(input.codes, input.cohorts[0]?.n.length ?? estimates[0]?.n.length ?? 0);
  const design = patternDesign(input.codes);
  const test = new PatternTest(design);
  for (const cohort of input.cohorts) test.add(cohort);
  return judgePatterns(design, {
    tests: test.evidence(input.asOfDay),
    sums: PatternSums.ofWeeks(design, estimates),
    crossCheck: (index) => crossCheckOf(design, estimates, index),
  });
}

/** Penalised regression of one code, over tables that hold the levels of its own dimension only. */
function crossCheckOf({ codes }: PatternDesign, cohorts: readonly Cohort[], index: number): number {
  const [group] = codeGroups([codes[index] as CodeSpec]) as [CodeGroup];
  return crossCheckLogOr(weekTables(cohorts, group.levels, group.drops), group.sides[0] as Sides);
}

/**
 * Assessments from evidence and sums that were gathered day by day: the second half of `assessPatterns`.
 *
 * Shapes: a design of m codes with m pieces of evidence and the sums of m codes in, m assessments out.
 * @param design - of the codes that were tested and summed
 * @param grounds - evidence of the closed blocks, sums of the estimates, and the cross-check where there is one
 * @returns one assessment per code, by tier descending, then e-value descending, then code
 * @throws StatsDomainError with code `size`
 *
 * Reference: statistics design, section 2. Oracle: as `assessPatterns`.
 *
 * @example
 * judgePatterns(patternDesign([]), { tests: [], sums: PatternSums.none(patternDesign([])) }).length; // 0
 */
export function judgePatterns(design: PatternDesign, grounds: PatternGrounds): PatternAssessment[] {
  requireDomain(grounds.tests.length === design.codes.length, 'size', 'every code needs its evidence');
  const estimates = grounds.sums.estimates();
  const evidence = grounds.tests.map((test, i): Evidence => {
    const eligible = test.na >= ELIGIBLE_SENDS && test.nb >= ELIGIBLE_SENDS;
    return { ...test, eligible, estimate: estimates[i] as ContrastEstimate };
  });
  const eValues = evidence.map(({ logE }) => Math.exp(logE));
  const rejected = (alpha: number): boolean[] =>
    amongEligible(evidence, false, (some) =>
      eBenjaminiHochberg(
        some.map(({ logE }) => Math.exp(logE)),
        alpha,
      ),
    );
  const confirmed = rejected(CONFIRMED_FDR);
  const likely = rejected(LIKELY_FDR);
  const qValues = amongEligible(evidence, 1, (some) =>
    benjaminiHochberg(some.map(({ estimate }) => estimate.pValue)),
  );
  const shrunk = shrinkEffects(
    evidence.map(({ estimate, eligible }) => (eligible ? estimate : { logOr: 0, se: null })),
  );
  const eligibleCount = evidence.filter(({ eligible }) => eligible).length;
  const confirmedCount = confirmed.filter(Boolean).length;
  const logThreshold = Math.log(Math.max(1, eligibleCount) / (CONFIRMED_FDR * (confirmedCount + 1)));

  const results = design.codes.map(({ code, dimension }, i): PatternAssessment => {
    const { estimate, logE, eligible } = evidence[i] as Evidence;
    const effect = shrunk[i] as ShrunkEffect;
    const sign = Math.max(effect.probabilityPositive, 1 - effect.probabilityPositive);
    const tier = eligible
      ? chooseTier(confirmed[i] as boolean, likely[i] as boolean, qValues[i] as number, sign)
      : 0;
    const { rate, withRate, withoutRate, lift } = adjustedRates(estimate, effect.mean);
    const { na, ya, nb, yb } = estimate.totals;
    return {
      code,
      dimension,
      tier,
      evidenceTier: TIER_NAMES[tier] ?? null,
      eValue: eValues[i] as number,
      logOr: effect.mean,
      se: effect.sd,
      low: effect.low,
      high: effect.high,
      rawLogOr: estimate.logOr,
      rawSe: estimate.se,
      lift,
      withRate,
      withoutRate,
      probabilityPositive: effect.probabilityPositive,
      n: na,
      y: ya,
      nOther: nb,
      yOther: yb,
      sendsToDecide:
        tier === 3
          ? 0
          : sendsToDecide({
              n: na,
              nOther: nb,
              rate,
              logOr: effect.mean,
              se: effect.sd,
              logEValue: Math.min(logE, logThreshold - 1e-9),
              logThreshold,
            }),
      suggestedSplit: 0.5,
      sensitivity: confoundingStrength(effect.mean, effect.low, effect.high, rate),
      crossCheckLogOr: tier > 0 ? (grounds.crossCheck?.(i) ?? null) : null,
      qValue: qValues[i] as number,
      eligible,
    };
  });
  return results.sort(
    (one, two) =>
      two.tier - one.tier ||
      two.eValue - one.eValue ||
      (one.code < two.code ? -1 : one.code > two.code ? 1 : 0),
  );
}
