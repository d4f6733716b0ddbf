import { binaryArray } from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';
import { isoDay } from '../cohorts/days';
import type { MaturedSpan } from './matured-fortnights';
import type { JudgementNote } from './kept-judgement';
import { EVIDENCE_MAKE } from './packed-evidence';
import { STRATA_MAKE } from './pair-strata';

/** A campaign in the state in which it was read. */
interface StateNote extends MaturedSpan {
  readonly campaign: number;
  readonly revision: string;
}

/** Strata of a campaign. */
export interface StrataNote extends StateNote {
  /** null where none are asked for: what stands of another state goes */
  readonly strata: Buffer | null;
}

/** What a campaign amounted to when it was read. */
export interface CampaignNote extends StateNote {
  readonly evidence: Buffer;
  readonly variants: Buffer | null;
}

/** A fold, packed, with what was judged of it. */
export interface FoldNote extends JudgementNote {
  readonly fold: Buffer;
}

/** What a run leaves so that the next need not read every campaign again. */
export interface EvidenceNotes {
  readonly campaigns: readonly CampaignNote[];
  readonly strata: readonly StrataNote[];
  /** Campaigns that are no more; null where it is not known of which of them anything is kept. */
  readonly gone: readonly number[] | null;
  /** What all campaigns amount to, and what was judged of it; null where a part of them is not kept yet. */
  readonly fold: FoldNote | 'stands' | null;
}

const KEPT = ['campaign_evidence', 'campaign_strata'];
const forget = (table: string) =>
  `DELETE FROM ${table} WHERE company_id = $1 AND campaign = ANY ($2::bigint[])`;
const forgetUnknown = (table: string) => `
  DELETE FROM ${table} AS kept WHERE company_id = $1
    AND NOT EXISTS (SELECT FROM campaigns WHERE company_id = $1 AND campaigns.campaign = kept.campaign)`;

/** Kept in the state in which it is in the fold, even if it has changed since: else it could not be taken out again. */
const KEEP = `
  INSERT INTO campaign_evidence
    (company_id, campaign, revision, make, matured_on, matures_next, evidence, variants)
  SELECT $1, campaign, revision, $2, matured_on, matures_next, evidence, variants
  FROM unnest($3::bigint[], $4::uuid[], $5::date[], $6::date[], $7::bytea[], $8::bytea[])
    AS given (campaign, revision, matured_on, matures_next, evidence, variants)
  ON CONFLICT (company_id, campaign) DO UPDATE SET revision = excluded.revision, make = excluded.make,
    matured_on = excluded.matured_on, matures_next = excluded.matures_next, evidence = excluded.evidence,
    strata = NULL, variants = excluded.variants`;

const KEEP_FOLD = `
  INSERT INTO evidence_folds (company_id, make, fold, judged_of, judgement) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (company_id) DO UPDATE SET make = excluded.make, fold = excluded.fold, judged_of = excluded.judged_of,
    judgement = excluded.judgement`;

const GIVEN_STRATA = `
  FROM unnest($3::bigint[], $4::uuid[], $5::date[], $6::date[], $7::bytea[])
    AS given (campaign, revision, matured_on, matures_next, strata)`;

const KEEP_STRATA = `
  INSERT INTO campaign_strata (company_id, campaign, revision, make, matured_on, matures_next, strata)
  SELECT $1, campaign, revision, $2, matured_on, matures_next, strata ${GIVEN_STRATA} WHERE strata IS NOT NULL
  ON CONFLICT (company_id, campaign) DO UPDATE SET revision = excluded.revision, make = excluded.make,
    matured_on = excluded.matured_on, matures_next = excluded.matures_next, strata = excluded.strata`;

/** Of campaigns that nobody asks for any more: strata of the same state are as good as they were. */
const FORGET_STRATA = `
  DELETE FROM campaign_strata AS kept USING (SELECT * ${GIVEN_STRATA}) AS given
  WHERE kept.company_id = $1 AND kept.campaign = given.campaign AND given.strata IS NULL
    AND (kept.make, kept.revision, kept.matured_on, kept.matures_next)
      IS DISTINCT FROM ($2, given.revision, given.matured_on, given.matures_next)`;

/** Campaigns that are kept by one statement, of some 20 kB each. */
const PAGE = 50;

/** Stores what the next run need not read again, in the transaction that publishes. */
export async function keepEvidence(
  transaction: TenantTransaction,
  { campaigns, strata, gone, fold }: EvidenceNotes,
): Promise<void> {
  const { client, companyId } = transaction;
  if (gone === null) for (const table of KEPT) await client.query(forgetUnknown(table), [companyId]);
  else if (gone.length > 0) for (const table of KEPT) await client.query(forget(table), [companyId, gone]);
  await keepCampaigns(transaction, campaigns);
  for (let from = 0; from < strata.length; from += PAGE) {
    const page = strata.slice(from, from + PAGE);
    const parameters = [
      companyId,
      STRATA_MAKE,
      ...marksOf(page),
      binaryArray(page.map((note) => note.strata)),
    ];
    await client.query(FORGET_STRATA, parameters);
    await client.query(KEEP_STRATA, parameters);
  }
  if (fold === 'stands') return;
  if (fold === null) await client.query('DELETE FROM evidence_folds WHERE company_id = $1', [companyId]);
  else await client.query(KEEP_FOLD, [companyId, EVIDENCE_MAKE, fold.fold, fold.judgedOf, fold.judgement]);
}

/** Stores what campaigns amount to. */
export async function keepCampaigns(
  { client, companyId }: TenantTransaction,
  campaigns: readonly CampaignNote[],
): Promise<void> {
  for (let from = 0; from < campaigns.length; from += PAGE) {
    const page = campaigns.slice(from, from + PAGE);
    const evidence = binaryArray(page.map((note) => note.evidence));
    const variants = binaryArray(page.map((note) => note.variants));
    await client.query(KEEP, [companyId, EVIDENCE_MAKE, ...marksOf(page), evidence, variants]);
  }
}

function marksOf(notes: readonly StateNote[]): unknown[][] {
  const day = (value: number | null) => (value === null ? null : isoDay(value));
  return [
    notes.map(({ campaign }) => campaign),
    notes.map(({ revision }) => revision),
    notes.map(({ maturedOn }) => day(maturedOn)),
    notes.map(({ maturesNext }) => day(maturesNext)),
  ];
}
