import { confirmedAtLogE, type EvidenceAssessment } from '@outcomes/statistics';
import type { TenantTransaction } from '@outcomes/tenancy';
import { dayOfTime, isoDay, weekdayOf } from '../cohorts/days';

/** e^690 is about 1e300: what an e-value is capped at, either way. */
const MOST_LOG_E = 690;

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
      logE: Math.max(-MOST_LOG_E, Math.log(eValue)),
      logLimit: confirmedAtLogE(taking, confirmed, tier === 'confirmed'),
      ...{ oddsRatio: Math.exp(logOr), oddsRatioLow: Math.exp(low), oddsRatioHigh: Math.exp(high) },
    }));
}

const KEEP = `
  INSERT INTO evidence_weeks (company_id, folded_later, code, week, tier, log_e, log_limit, odds_ratio, odds_ratio_low,
    odds_ratio_high, messages)
  SELECT $1, $2, * FROM unnest($3::text[], $4::date[], $5::text[], $6::float8[], $7::float8[], $8::float8[],
    $9::float8[], $10::float8[], $11::integer[])
  ON CONFLICT (company_id, code, week, folded_later) DO UPDATE SET tier = excluded.tier, log_e = excluded.log_e,
    log_limit = excluded.log_limit, odds_ratio = excluded.odds_ratio, odds_ratio_low = excluded.odds_ratio_low,
    odds_ratio_high = excluded.odds_ratio_high, messages = excluded.messages`;

/** Writes down how the evidence stands, in the transaction that publishes; the last run of a week stays. */
export async function keepWeek(
  transaction: TenantTransaction,
  assessments: readonly EvidenceAssessment[],
  week: string,
): Promise<void> {
  await keepWeeks(transaction, evidenceWeeks(assessments, week), false);
}

/** @param foldedLater - weeks that had no run, and were folded afterwards */
export async function keepWeeks(
  { client, companyId }: TenantTransaction,
  weeks: readonly EvidenceWeek[],
  foldedLater: boolean,
): Promise<void> {
  if (weeks.length === 0) return;
  await client.query(KEEP, [
    companyId,
    foldedLater,
    weeks.map(({ code }) => code),
    weeks.map(({ week }) => week),
    weeks.map(({ tier }) => tier),
    weeks.map(({ logE }) => logE),
    weeks.map(({ logLimit }) => logLimit),
    weeks.map(({ oddsRatio }) => oddsRatio),
    weeks.map(({ oddsRatioLow }) => oddsRatioLow),
    weeks.map(({ oddsRatioHigh }) => oddsRatioHigh),
    weeks.map(({ messages }) => messages),
  ]);
}
