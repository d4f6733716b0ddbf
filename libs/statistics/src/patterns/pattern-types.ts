/** Small integers that name a stratum's parts; their meaning is the caller's. */
export interface StratumKey {
  readonly channel: number;
  readonly step: number;
  readonly position: number;
}

/** All matured touches of one send day in one stratum. */
export interface Cohort {
  /** send day, whole days since the epoch */
  readonly day: number;
  readonly stratum: StratumKey;
  /** all sends and replies of the stratum on this day, whatever their features */
  readonly totalN: number;
  readonly totalY: number;
  /** sends and replies per feature level, indexed by level; the same length in every cohort */
  readonly n: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** One catalogued pattern: some levels of a dimension against all its other levels. */
export interface CodeSpec {
  readonly code: string;
  readonly dimension: string;
  /** the levels that carry the code */
  readonly levels: readonly number[];
  /** every level of the dimension, those of the code included; touches outside them are left out */
  readonly dimensionLevels: readonly number[];
  /** set where the dimension is itself a part of the stratum, which then must not be held fixed */
  readonly stratumDrops?: keyof StratumKey;
  /**
   * 'week' for a dimension that is constant within a send day, such as the weekday: its blocks close
   * only after seven days, since a block of one busy day would hold one level and compare nothing.
   */
  readonly blocks?: 'sends' | 'week';
}

export interface PatternInput {
  /** sorted by day, ascending; several per day, one per stratum. The test reads these: matured and frozen. */
  readonly cohorts: readonly Cohort[];
  /** counts for the estimates, where late replies have corrected them; defaults to `cohorts` */
  readonly estimateCohorts?: readonly Cohort[];
  readonly codes: readonly CodeSpec[];
  /** last matured send day; closes blocks that have waited a week. Default: the last cohort's day */
  readonly asOfDay?: number;
}

export type EvidenceTier = 'confirmed' | 'likely' | 'directional';

export interface PatternAssessment {
  readonly code: string;
  readonly dimension: string;
  /** 3 confirmed, 2 likely, 1 directional, 0 none of these */
  readonly tier: 0 | 1 | 2 | 3;
  readonly evidenceTier: EvidenceTier | null;
  /** anytime-valid evidence against "no effect"; capped at 1e300 */
  readonly eValue: number;
  /** shrunk adjusted log odds ratio: posterior mean, standard deviation and 95 % interval */
  readonly logOr: number;
  readonly se: number;
  readonly low: number;
  readonly high: number;
  /** the same before shrinkage: Mantel-Haenszel with its Robins-Breslow-Greenland standard error */
  readonly rawLogOr: number;
  /** Infinity never leaves: null where the data cannot estimate it */
  readonly rawSe: number | null;
  /** relative: withRate / withoutRate - 1 */
  readonly lift: number;
  /** adjusted rates: the pair with this odds ratio whose mix is the observed overall rate */
  readonly withRate: number;
  readonly withoutRate: number;
  readonly probabilityPositive: number;
  /** sends and replies with the feature, and with another level of its dimension */
  readonly n: number;
  readonly y: number;
  readonly nOther: number;
  readonly yOther: number;
  /** expected further matured sends until confirmed or dropped; null where nothing can be said yet */
  readonly sendsToDecide: number | null;
  /** share of sends that would settle it fastest if randomised */
  readonly suggestedSplit: number;
  /** VanderWeele-Ding E-values: confounding strength that would explain the estimate, and its limit, away */
  readonly sensitivity: { readonly estimate: number; readonly limit: number };
  /** log odds ratio of the penalised regression; null below tier 1, where nobody asks, and where sums alone were judged */
  readonly crossCheckLogOr: number | null;
  /** Benjamini-Hochberg adjusted p-value of the Cochran-Mantel-Haenszel test */
  readonly qValue: number;
  /** enough matured sends on both sides to take part in the multiple testing */
  readonly eligible: boolean;
}

/** Two columns of a 2 x 2 table: with the feature (a) and without (b). */
export interface TwoByTwo {
  readonly na: number;
  readonly ya: number;
  readonly nb: number;
  readonly yb: number;
}
