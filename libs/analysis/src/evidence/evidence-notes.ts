import type { TenantTransaction } from '@outcomes/tenancy';
import { isoDay } from '../cohorts/days';
import type { MaturedSpan } from './matured-fortnights';
import { EVIDENCE_MAKE } from './packed-evidence';

/** Strata that were counted for a campaign of which evidence is kept. */
export interface StrataNote extends MaturedSpan {
  readonly campaign: number;
  readonly revision: string;
  readonly strata: Buffer | null;
}

/** What a campaign amounted to when it was read. */
export interface CampaignNote extends StrataNote {
  readonly evidence: Buffer;
  readonly variants: Buffer | null;
}

/** What a run leaves so that the next need not read every campaign again. */
export interface EvidenceNotes {
  readonly campaigns: readonly CampaignNote[];
  readonly strata: readonly StrataNote[];
  /** Campaigns that are no more. */
  readonly gone: readonly number[];
  /** What all campaigns amount to, packed; null where a part of them is not kept yet. */
  readonly fold: Buffer | null;
}

const FORGET = 'DELETE FROM campaign_evidence WHERE company_id = $1 AND campaign = ANY ($2::bigint[])';

/** Kept in the state in which it is in the fold, even if it has changed since: else it could not be taken out again. */
const KEEP = `
  INSERT INTO campaign_evidence
    (company_id, campaign, revision, make, matured_on, matures_next, evidence, strata, variants)
  SELECT $1, campaign, revision, $2, matured_on, matures_next, evidence, strata, variants
  FROM unnest($3::bigint[], $4::uuid[], $5::date[], $6::date[], $7::bytea[], $8::bytea[], $9::bytea[])
    AS given (campaign, revision, matured_on, matures_next, strata, evidence, variants)
  ON CONFLICT (company_id, campaign) DO UPDATE SET revision = excluded.revision, make = excluded.make,
    matured_on = excluded.matured_on, matures_next = excluded.matures_next, evidence = excluded.evidence,
    strata = excluded.strata, variants = excluded.variants`;

const KEEP_FOLD = `
  INSERT INTO evidence_folds (company_id, make, fold) VALUES ($1, $2, $3)
  ON CONFLICT (company_id) DO UPDATE SET make = excluded.make, fold = excluded.fold`;

const KEEP_STRATA = `
  UPDATE campaign_evidence AS kept SET strata = given.strata
  FROM unnest($3::bigint[], $4::uuid[], $5::date[], $6::date[], $7::bytea[])
    AS given (campaign, revision, matured_on, matures_next, strata)
  WHERE kept.company_id = $1 AND kept.make = $2 AND kept.campaign = given.campaign
    AND kept.revision = given.revision AND kept.matured_on IS NOT DISTINCT FROM given.matured_on
    AND kept.matures_next IS NOT DISTINCT FROM given.matures_next`;

/** Campaigns that are kept by one statement: the driver writes their bytes out as text. */
const PAGE = 200;

/** Stores what the next run need not read again, in the transaction that publishes. */
export async function keepEvidence(
  { client, companyId }: TenantTransaction,
  { campaigns, strata, gone, fold }: EvidenceNotes,
): Promise<void> {
  if (gone.length > 0) await client.query(FORGET, [companyId, gone]);
  for (let from = 0; from < campaigns.length; from += PAGE) {
    const page = campaigns.slice(from, from + PAGE);
    const evidence = page.map((note) => note.evidence);
    const variants = page.map((note) => note.variants);
    await client.query(KEEP, [companyId, EVIDENCE_MAKE, ...marksOf(page), evidence, variants]);
  }
  for (let from = 0; from < strata.length; from += PAGE)
    await client.query(KEEP_STRATA, [companyId, EVIDENCE_MAKE, ...marksOf(strata.slice(from, from + PAGE))]);
  if (fold === null) await client.query('DELETE FROM evidence_folds WHERE company_id = $1', [companyId]);
  else await client.query(KEEP_FOLD, [companyId, EVIDENCE_MAKE, fold]);
}

function marksOf(notes: readonly StrataNote[]): unknown[][] {
  const day = (value: number | null) => (value === null ? null : isoDay(value));
  return [
    notes.map(({ campaign }) => campaign),
    notes.map(({ revision }) => revision),
    notes.map(({ maturedOn }) => day(maturedOn)),
    notes.map(({ maturesNext }) => day(maturesNext)),
    notes.map((note) => note.strata),
  ];
}
