import type { EvidenceOfWeek, RecordedClaim } from '@outcomes/contracts';
import type { TenantTransaction } from '@outcomes/tenancy';

/** A row of the record. */
export type ClaimRow = Omit<RecordedClaim, 'since' | 'recordedAt'> & {
  readonly since: Date;
  readonly recordedAt: Date | null;
};

/** The record's rows, newest first, each with what was claimed of the code before it. @param code - all where not given */
export async function recordedClaims(
  { client, companyId }: TenantTransaction,
  code?: string,
): Promise<ClaimRow[]> {
  const { rows } = await client.query<ClaimRow>(
    `SELECT code, number, tier, lag(tier) OVER (PARTITION BY code ORDER BY number) AS "previousTier",
       is_up AS "isMore", since, recorded_at AS "recordedAt", reason, goes_with AS "goesWith",
       odds_ratio AS "oddsRatio", odds_ratio_low AS "oddsRatioLow", odds_ratio_high AS "oddsRatioHigh", messages
     FROM claims WHERE company_id = $1 AND ($2::text IS NULL OR code = $2)
     ORDER BY since DESC, code, number DESC`,
    [companyId, code ?? null],
  );
  return rows;
}

/** The newest weeks of the evidence about a code, in their order; of a week with a run, what that found. */
export async function evidenceWeeks(
  { client, companyId }: TenantTransaction,
  code: string,
  limit: number,
): Promise<EvidenceOfWeek[]> {
  const { rows } = await client.query<EvidenceOfWeek>(
    `SELECT * FROM (
       SELECT DISTINCT ON (week) week::text, folded_later AS "foldedLater", tier, log_e AS "logE",
         log_limit AS "logLimit", odds_ratio AS "oddsRatio", odds_ratio_low AS "oddsRatioLow",
         odds_ratio_high AS "oddsRatioHigh", messages
       FROM evidence_weeks WHERE company_id = $1 AND code = $2
       ORDER BY week DESC, folded_later LIMIT $3) AS newest
     ORDER BY week`,
    [companyId, code, limit],
  );
  return rows;
}
