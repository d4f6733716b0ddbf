import { confirmedAtLogE, type EvidenceAssessment } from '@outcomes/statistics';
import { dayOfTime, isoDay, weekdayOf } from '../cohorts/days';

/** e^690 is about 1e300: what an e-value is capped at, either way. */
const MAX_LOG_E = 690;

/** How the evidence about one code stood in a week. */
export interface EvidenceWeek {
  readonly code: string;
  /** Monday of the week, YYYY-MM-DD. */
  readonly week: string;
  readonly tier: NonNullable<EvidenceAssessment['tier']> | 'none';
  readonly logE: number;
  /** Log e-value at which the code would have been confirmed. */
  readonly logLimit: number;
  readonly oddsRatio: number;
  readonly oddsRatioLow: number;
  readonly oddsRatioHigh: number;
  /** Messages with the level. */
  readonly messages: number;
}

/** Monday of the week of a moment, in UTC. */
export function weekOf(moment: Date): string {
  const day = dayOfTime(moment.getTime());
  return isoDay(day - weekdayOf(day));
}

/**
 * Codes of which anything could be compared; of the others there is no evidence to follow.
 * @param week - Monday, YYYY-MM-DD
 */
export function evidenceWeeks(assessments: readonly EvidenceAssessment[], week: string): EvidenceWeek[] {
  const taking = assessments.filter(({ eligible }) => eligible).length;
  const confirmed = assessments.filter(({ tier }) => tier === 'confirmed').length;
  return assessments
    .filter(({ eligible }) => eligible)
    .map(({ code, tier, eValue, logOr, low, high, n }) => ({
      ...{ code, week, tier: tier ?? 'none', messages: n },
      logE: Math.max(-MAX_LOG_E, Math.log(eValue)),
      logLimit: confirmedAtLogE(taking, confirmed, tier === 'confirmed'),
      ...{ oddsRatio: Math.exp(logOr), oddsRatioLow: Math.exp(low), oddsRatioHigh: Math.exp(high) },
    }));
}
