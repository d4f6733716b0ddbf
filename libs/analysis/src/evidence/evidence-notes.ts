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
}

/** What a run leaves so that the next need not read every campaign again. */
export interface EvidenceNotes {
  readonly campaigns: readonly CampaignNote[];
  readonly strata: readonly StrataNote[];
}

/** A campaign that vanished or has changed since takes along what was kept of it. */
const FORGET = `
  DELETE FROM campaign_evidence AS kept WHERE kept.company_id = $1 AND NOT EXISTS (
    SELECT FROM campaigns WHERE campaigns.company_id = $1 AND campaigns.campaign = kept.campaign
      AND campaigns.revision = kept.revision)`;

/** What has changed since it was read is not kept. */
const KEEP = `
  INSERT INTO campaign_evidence
    (company_id, campaign, revision, make, matured_on, matures_next, evidence, strata)
  SELECT $1, campaign, revision, $2, given.matured_on, given.matures_next, given.evidence, given.strata
  FROM unnest($3::bigint[], $4::uuid[], $5::date[], $6::date[], $7::bytea[], $8::bytea[])
      AS given (campaign, revision, matured_on, matures_next, evidence, strata)
    JOIN campaigns USING (campaign, revision)
  WHERE campaigns.company_id = $1
  ON CONFLICT (company_id, campaign) DO UPDATE SET revision = excluded.revision, make = excluded.make,
    matured_on = excluded.matured_on, matures_next = excluded.matures_next, evidence = excluded.evidence,
    strata = excluded.strata`;

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
  { campaigns, strata }: EvidenceNotes,
): Promise<void> {
  await client.query(FORGET, [companyId]);
  for (let from = 0; from < campaigns.length; from += PAGE) {
    const page = campaigns.slice(from, from + PAGE);
    await client.query(KEEP, [
      companyId,
      EVIDENCE_MAKE,
      ...marksOf(page),
      page.map(({ evidence }) => evidence),
      page.map((note) => note.strata),
    ]);
  }
  for (let from = 0; from < strata.length; from += PAGE) {
    const page = strata.slice(from, from + PAGE);
    await client.query(KEEP_STRATA, [
      companyId,
      EVIDENCE_MAKE,
      ...marksOf(page),
      page.map((note) => note.strata),
    ]);
  }
}

function marksOf(notes: readonly StrataNote[]): unknown[][] {
  const day = (value: number | null) => (value === null ? null : isoDay(value));
  return [
    notes.map(({ campaign }) => campaign),
    notes.map(({ revision }) => revision),
    notes.map(({ maturedOn }) => day(maturedOn)),
    notes.map(({ maturesNext }) => day(maturesNext)),
  ];
}
