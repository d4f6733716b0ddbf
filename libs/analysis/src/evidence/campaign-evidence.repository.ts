import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import type { CampaignRows } from './campaign-evidence';
import { countStrata } from './count-strata';
import type { EvidenceHistory } from './evidence-history';
import type { EvidenceSource, KeptEvidence, RegisteredCampaign } from './evidence-source';
import { readEvidence } from './read-evidence';

const IS_REBUILT = 'SELECT EXISTS (SELECT FROM touch_rebuilds WHERE company_id = $1) AS "isRebuilt"';

const day = (column: string) => `${column} - date '1970-01-01'`;

const REGISTRY = `
  SELECT campaigns.campaign, campaigns.campaign_id AS "campaignId", campaigns.revision,
    kept.revision AS "keptRevision", kept.make, ${day('kept.matured_on')} AS "maturedOn",
    ${day('kept.matures_next')} AS "maturesNext"
  FROM campaigns LEFT JOIN campaign_evidence AS kept
    ON kept.company_id = $1 AND kept.campaign = campaigns.campaign
  WHERE campaigns.company_id = $1 ORDER BY campaigns.campaign`;

const KEPT = `
  SELECT campaign, evidence, strata FROM campaign_evidence
  WHERE company_id = $1 AND campaign = ANY ($2::bigint[])`;

const CELLS = `
  SELECT campaign, fortnight, counts FROM campaign_cells
  WHERE company_id = $1 AND campaign = ANY ($2::bigint[]) ORDER BY campaign, fortnight`;

/** Stops at a campaign's first message that was not drawn by lot. */
const RANDOMIZED = `
  SELECT campaign_id AS "campaignId" FROM unnest($2::text[]) AS given (campaign_id)
  WHERE NOT EXISTS (
    SELECT FROM touches WHERE company_id = $1 AND touches.campaign_id = given.campaign_id
      AND variant_id IS NOT NULL AND propensity IS NULL)`;

const TEXTS = `
  SELECT campaign, counts FROM campaign_texts
  WHERE company_id = $1 AND campaign = ANY ($2::bigint[]) ORDER BY campaign, shard`;

interface StoredCampaign {
  /** The driver hands over whole numbers of 64 bits as text. */
  readonly campaign: string;
  readonly campaignId: string | null;
  readonly revision: string;
  readonly keptRevision: string | null;
  readonly make: string | null;
  readonly maturedOn: number | null;
  readonly maturesNext: number | null;
}

/** Reads what each campaign of a company amounts to. */
@Injectable()
export class CampaignEvidenceRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Runs work over the evidence of all campaigns, in one state of the database.
   * @param observedUntil - day up to which the company's outcomes are known, since 1970-01-01
   * @param work - given null while an upgrade rebuilds the counts: they are of a part of the messages, and say nothing
   */
  async read<Result>(
    scope: TenantScope,
    observedUntil: number,
    work: (history: EvidenceHistory | null) => Promise<Result>,
  ): Promise<Result> {
    return this.database.snapshot(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const { rows } = await client.query<{ isRebuilt: boolean }>(IS_REBUILT, [companyId]);
      if (rows[0]?.isRebuilt === true) return work(null);
      return work(await readEvidence(sourceOf(transaction, observedUntil), observedUntil));
    });
  }
}

function sourceOf(transaction: TenantTransaction, observedUntil: number): EvidenceSource {
  const { client, companyId } = transaction;
  return {
    registry: async () =>
      (await client.query<StoredCampaign>(REGISTRY, [companyId])).rows.map(registeredCampaign),
    kept: async (campaigns) =>
      (await client.query<KeptEvidence>(KEPT, [companyId, campaigns])).rows.map((row) => ({
        ...row,
        campaign: Number(row.campaign),
      })),
    rows: (campaigns) => rowsOf(transaction, campaigns),
    strata: (pair, range) => countStrata(transaction, pair, range, observedUntil),
    // Messages that name no campaign were sent by nobody in particular: no lot is taken for granted.
    randomized: async (campaigns) => {
      const names = campaigns.flatMap(({ campaignId }) => campaignId ?? []);
      const { rows } = await client.query<{ campaignId: string }>(RANDOMIZED, [companyId, names]);
      return rows.map(({ campaignId }) => campaignId);
    },
  };
}

function registeredCampaign(row: StoredCampaign): RegisteredCampaign {
  const { campaign, campaignId, revision, keptRevision, make, maturedOn, maturesNext } = row;
  const isKept = keptRevision !== null && make !== null;
  return {
    campaign: Number(campaign),
    campaignId,
    revision,
    kept: isKept ? { revision: keptRevision, make, maturedOn, maturesNext } : null,
  };
}

async function rowsOf(
  { client, companyId }: TenantTransaction,
  campaigns: readonly number[],
): Promise<CampaignRows[]> {
  const cells = await client.query<{ campaign: string; fortnight: number; counts: Buffer }>(CELLS, [
    companyId,
    campaigns,
  ]);
  const texts = await client.query<{ campaign: string; counts: Buffer }>(TEXTS, [companyId, campaigns]);
  const cellsOf = Map.groupBy(cells.rows, ({ campaign }) => Number(campaign));
  const textsOf = Map.groupBy(texts.rows, ({ campaign }) => Number(campaign));
  return campaigns.map((campaign) => ({
    campaign,
    cells: cellsOf.get(campaign) ?? [],
    texts: (textsOf.get(campaign) ?? []).map(({ counts }) => counts),
  }));
}
