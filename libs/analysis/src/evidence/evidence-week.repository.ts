import type { EvidenceAssessment } from '@outcomes/statistics';
import type { TenantTransaction } from '@outcomes/tenancy';
import { evidenceWeeks, type EvidenceWeek } from './evidence-weeks';

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
