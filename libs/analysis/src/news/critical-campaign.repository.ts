import { OUTCOMES } from '@outcomes/contracts';
import type { TenantTransaction } from '@outcomes/tenancy';

/** As many campaigns as campaign health looks at. */
const MAX_JUDGED = 100;

/** Hops from campaign to campaign in the index, then counts the life of those that sent of late. */
const COUNTS = `
  WITH RECURSIVE hop AS (
    (SELECT campaign_id FROM touches WHERE company_id = (SELECT $1::uuid) AND campaign_id IS NOT NULL ORDER BY campaign_id LIMIT 1)
    UNION ALL
    SELECT (SELECT campaign_id FROM touches WHERE company_id = (SELECT $1::uuid) AND campaign_id > hop.campaign_id
      ORDER BY campaign_id LIMIT 1)
    FROM hop WHERE hop.campaign_id IS NOT NULL
  ), recent AS MATERIALIZED (
    SELECT campaign_id, last_day FROM (SELECT campaign_id FROM hop WHERE campaign_id IS NOT NULL LIMIT 10000) AS seen
    CROSS JOIN LATERAL (SELECT max(sent_day) AS last_day FROM touches
      WHERE company_id = (SELECT $1::uuid) AND touches.campaign_id = seen.campaign_id) AS newest
    WHERE last_day >= $2::date ORDER BY last_day DESC, campaign_id LIMIT ${MAX_JUDGED}
  )
  SELECT campaign_id AS "campaignId", count(*)::integer AS sends,
    (count(*) FILTER (WHERE outcome = $4))::integer AS bounces,
    (count(*) FILTER (WHERE outcome = $5))::integer AS unsubscribes
  FROM touches WHERE company_id = (SELECT $1::uuid) AND sent_day <= $3::date AND campaign_id IN (SELECT campaign_id FROM recent)
  GROUP BY campaign_id ORDER BY campaign_id`;

/** Of one campaign, over its whole life. */
export interface CampaignTotals {
  readonly campaignId: string;
  readonly sends: number;
  readonly bounces: number;
  readonly unsubscribes: number;
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** Of the campaigns that sent since one day, the newest, up to another. */
export async function recentTotals(
  { client, companyId }: TenantTransaction,
  from: Date,
  to: Date,
): Promise<CampaignTotals[]> {
  const { rows } = await client.query<CampaignTotals>(COUNTS, [
    ...[companyId, dayOf(from), dayOf(to)],
    ...[OUTCOMES.indexOf('bounced'), OUTCOMES.indexOf('unsubscribed')],
  ]);
  return rows;
}

/** Writes down which campaigns are critical, and that others are no more. @returns those that were not before */
export async function noteCritical(
  { client, companyId }: TenantTransaction,
  critical: readonly string[],
  fine: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ campaign_id: string }>(
    `INSERT INTO critical_campaigns (company_id, campaign_id, since)
     SELECT $1, campaign_id, $3 FROM unnest($2::text[]) AS now_critical (campaign_id)
     ON CONFLICT DO NOTHING RETURNING campaign_id`,
    [companyId, critical, at],
  );
  await client.query('DELETE FROM critical_campaigns WHERE company_id = $1 AND campaign_id = ANY ($2)', [
    companyId,
    fine,
  ]);
  return new Set(rows.map(({ campaign_id }) => campaign_id));
}
