import { NO_CAMPAIGN } from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { KnownCampaign } from '../campaigns/likely-campaigns';

/** How many campaigns the tenant has. */
export interface CampaignsOnRecord {
  /** Counted to a limit. */
  readonly total: number;
  /** Whether there are more. */
  readonly hasMore: boolean;
}

export interface CampaignPage extends CampaignsOnRecord {
  readonly campaignIds: readonly string[];
}

export interface RecentCampaigns extends CampaignsOnRecord {
  /** Newest send day first. */
  readonly campaigns: readonly KnownCampaign[];
  /** Whether campaigns that were not looked at may have sent later than some of these. */
  readonly isPart: boolean;
}

/** So many campaigns are looked at, the latest to send; while their counts are made anew, the first by id. */
export const MAX_CAMPAIGNS = 10_000;

/** Campaigns are counted so far: whoever names one for every message is not followed to the end. */
export const MAX_ON_RECORD = 100_000;

/** Hops from campaign to campaign in the index, so that its cost follows the campaigns asked for and not the messages. */
const hopsAfter = (after: string, limit: string): string => `hop AS (
    (SELECT campaign_id, 1 AS place FROM touches WHERE company_id = (SELECT $1::uuid) AND campaign_id > ${after}
      ORDER BY campaign_id LIMIT 1)
    UNION ALL
    SELECT (SELECT campaign_id FROM touches WHERE company_id = (SELECT $1::uuid) AND campaign_id > hop.campaign_id
      ORDER BY campaign_id LIMIT 1), place + 1
    FROM hop WHERE hop.campaign_id IS NOT NULL AND place < ${limit}
  ), campaign AS (SELECT campaign_id FROM hop WHERE campaign_id IS NOT NULL)`;

/** Campaigns as `seen`, the first by id. */
const FIRST = `${hopsAfter(`''`, String(MAX_CAMPAIGNS))}, seen AS MATERIALIZED (SELECT campaign_id FROM campaign)`;

/**
 * Campaigns as `seen`, those of which the $2 latest are some: of one fortnight it takes the messages to tell which sent
 * later. A campaign has one row per fortnight, so that the newest rows are those of the latest campaigns.
 */
const NEWEST = `newest AS MATERIALIZED (SELECT campaign, fortnight FROM campaign_outcomes
    WHERE company_id = (SELECT $1::uuid) AND campaign <> ${NO_CAMPAIGN}
    ORDER BY fortnight DESC LIMIT ${MAX_CAMPAIGNS}),
  latest AS (SELECT campaign, max(fortnight) AS fortnight FROM newest GROUP BY campaign),
  seen AS MATERIALIZED (SELECT known.campaign_id FROM latest CROSS JOIN LATERAL (SELECT campaign_id FROM campaigns
      WHERE company_id = (SELECT $1::uuid) AND campaigns.campaign = latest.campaign OFFSET 0) AS known
    WHERE latest.fortnight >= coalesce(
      (SELECT fortnight FROM latest ORDER BY fortnight DESC OFFSET greatest($2::integer, 1) - 1 LIMIT 1), -2147483648))`;

type Transaction = Pick<TenantTransaction, 'companyId' | 'client'>;

/**
 * Campaigns by when they sent last. They are found by the newest fortnight that each is counted in, so that the latest are
 * among them however many there are, and however they are named.
 */
export async function latestCampaigns(
  { companyId, client }: Transaction,
  limit: number,
): Promise<RecentCampaigns> {
  const kept = await onRecord({ companyId, client });
  const found = await client.query<KnownCampaign>({
    text: `WITH RECURSIVE ${kept ? NEWEST : FIRST}
      SELECT seen.campaign_id AS "campaignId", last_day::text AS "lastDay"
      FROM seen CROSS JOIN LATERAL (SELECT max(sent_day) AS last_day FROM touches t
        WHERE t.company_id = (SELECT $1::uuid) AND t.campaign_id = seen.campaign_id) AS newest
      WHERE last_day IS NOT NULL
      ORDER BY last_day DESC, seen.campaign_id LIMIT $2`,
    values: [companyId, limit],
  });
  const all = kept ?? (await countedByMessages({ companyId, client }));
  return { ...all, campaigns: found.rows, isPart: !kept && all.hasMore };
}

/** Campaigns in ascending order of id, those after a given id. */
export async function campaignsAfter(
  { companyId, client }: Transaction,
  after: string,
  limit: number,
): Promise<CampaignPage> {
  const found = await client.query<{ readonly campaignId: string }>({
    text: `WITH RECURSIVE ${hopsAfter('$2::text', '$3::integer')}
      SELECT campaign_id AS "campaignId" FROM campaign ORDER BY campaign_id`,
    values: [companyId, after, limit],
  });
  const all = (await onRecord({ companyId, client })) ?? (await countedByMessages({ companyId, client }));
  return { ...all, campaignIds: found.rows.map(({ campaignId }) => campaignId) };
}

/**
 * Campaigns of the company, by their counts.
 * @returns undefined while these are made anew, and where there are none
 */
async function onRecord({ companyId, client }: Transaction): Promise<CampaignsOnRecord | undefined> {
  const { rows } = await client.query<{ readonly total: number; readonly isKept: boolean }>({
    text: `SELECT (SELECT count(*)::integer FROM (SELECT FROM campaigns
          WHERE company_id = (SELECT $1::uuid) AND campaign <> $2 LIMIT $3) AS known) AS total,
        NOT EXISTS (SELECT FROM touch_rebuilds WHERE company_id = $1)
          AND NOT EXISTS (SELECT FROM campaign_generations WHERE company_id = $1 AND NOT counts_outcomes) AS "isKept"`,
    values: [companyId, NO_CAMPAIGN, MAX_ON_RECORD + 1],
  });
  const [{ total, isKept } = { total: 0, isKept: false }] = rows;
  return isKept && total > 0 ? limited(total, MAX_ON_RECORD) : undefined;
}

/** Campaigns of the company, as its messages name them. */
async function countedByMessages({ companyId, client }: Transaction): Promise<CampaignsOnRecord> {
  const { rows } = await client.query<{ readonly total: number }>({
    text: `WITH RECURSIVE ${hopsAfter(`''`, String(MAX_CAMPAIGNS + 1))}
      SELECT count(*)::integer AS total FROM campaign`,
    values: [companyId],
  });
  return limited(rows[0]?.total ?? 0, MAX_CAMPAIGNS);
}

function limited(total: number, most: number): CampaignsOnRecord {
  return { total: Math.min(total, most), hasMore: total > most };
}
