import type { TenantTransaction } from '@outcomes/tenancy';
import type { RecordedClaim } from './claim-history';
import { claimsToAppend, type ClaimRow, type ClaimsFound } from './claims';

/** The record of claims, each code's rows in their order. */
export interface KeptClaims {
  readonly standing: readonly RecordedClaim[];
  /** What was added to it. */
  readonly appended: readonly ClaimRow[];
}

const RECORD = `
  SELECT code, number, tier, is_up AS "isUp", since, reason FROM claims
  WHERE company_id = $1 ORDER BY code, number`;

const APPEND = `
  INSERT INTO claims
    (company_id, code, number, tier, is_up, since, reason, goes_with, e_value, odds_ratio, odds_ratio_low, odds_ratio_high,
     messages)
  SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::text[], $5::boolean[], $6::timestamptz[], $7::text[],
    $8::text[], $9::float8[], $10::float8[], $11::float8[], $12::float8[], $13::integer[]) /*citus RETURNING 1*/`;

/**
 * Appends to the record of claims what has changed, in the transaction that publishes: no other run of the company is
 * in such a one at the same time, so what stands is what this run follows.
 */
export async function keepClaims(
  { client, companyId }: TenantTransaction,
  found: ClaimsFound,
): Promise<KeptClaims> {
  const record = await client.query<RecordedClaim>(RECORD, [companyId]);
  const rows = claimsToAppend(record.rows, found);
  const kept = { standing: record.rows, appended: rows };
  if (rows.length === 0) return kept;
  await client.query(APPEND, [
    companyId,
    rows.map(({ code }) => code),
    rows.map(({ number }) => number),
    rows.map(({ tier }) => tier),
    rows.map(({ isUp }) => isUp),
    rows.map(({ since }) => since.toISOString()),
    rows.map(({ reason }) => reason),
    rows.map(({ goesWith }) => goesWith),
    rows.map(({ eValue }) => eValue),
    rows.map(({ oddsRatio }) => oddsRatio),
    rows.map(({ oddsRatioLow }) => oddsRatioLow),
    rows.map(({ oddsRatioHigh }) => oddsRatioHigh),
    rows.map(({ messages }) => messages),
  ]);
  return kept;
}
