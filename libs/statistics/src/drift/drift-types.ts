import type { Cohort, StratumKey } from '../patterns/pattern-types';

export type DriftKind = 'none' | 'rate' | 'mix' | 'volume';
export type DriftDirection = 'up' | 'down';

/** The part of a cohort that drift looks at; pattern cohorts fit as they are. */
export type DriftCohort = Pick<Cohort, 'day' | 'stratum' | 'totalN' | 'totalY'>;

export interface DriftInput {
  /** matured cohorts sorted by day, ascending */
  readonly cohorts: readonly DriftCohort[];
  /** last matured send day; default: the last cohort's day */
  readonly asOfDay?: number;
  /** mean number of days between false alarms of one monitored series; default 365 */
  readonly arl0Days?: number;
  /** days looked back over; default 180, for which the thresholds are calibrated */
  readonly windowDays?: number;
}

/** One side of the change. */
export interface DriftSegment {
  readonly fromDay: number;
  readonly toDay: number;
  readonly sends: number;
  readonly replies: number;
  /** standardised to the whole window's mix of strata, with its 95 % interval */
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly sendsPerDay: number;
}

/** A stratum's part in the change, most important first. */
export interface DriftStratum {
  readonly stratum: StratumKey;
  readonly shareBefore: number;
  readonly shareAfter: number;
  readonly rateBefore: number;
  readonly rateAfter: number;
  /** this stratum's share of the change's size; the listed ones sum to at most one */
  readonly contribution: number;
}

export interface DriftState {
  readonly kind: DriftKind;
  readonly direction: DriftDirection | null;
  /** first send day after the change; null without drift */
  readonly since: number | null;
  readonly before: DriftSegment | null;
  readonly after: DriftSegment;
  readonly strata: readonly DriftStratum[];
  /** false while rates have moved and too little has been seen since */
  readonly posteriorsTrustworthy: boolean;
  /** of the reported kind; of the rate test where there is no drift */
  readonly statistic: number;
  readonly threshold: number;
  /** all three detectors, each already divided by its threshold: an alarm is a value above one */
  readonly signals: { readonly rate: number; readonly mix: number; readonly volume: number };
}

export interface DriftAssessment {
  readonly overall: DriftState;
  readonly channels: readonly { readonly channel: number; readonly state: DriftState }[];
}
