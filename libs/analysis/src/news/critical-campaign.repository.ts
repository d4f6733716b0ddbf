import { DAY_MS, OUTCOMES } from '@outcomes/contracts';
import { assessCampaigns } from '@outcomes/statistics';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { WebhookMessage } from '@outcomes/webhooks';
import { rounded } from '../documents/rounding';

/** As far back as campaign health looks, and as many campaigns. */
const WINDOW_DAYS = 30;
const MOST_JUDGED = 100;

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
    WHERE last_day >= $2::date ORDER BY last_day DESC, campaign_id LIMIT ${MOST_JUDGED}
  )
  SELECT campaign_id AS "campaignId", count(*)::integer AS sends,
    (count(*) FILTER (WHERE outcome = $4))::integer AS bounces,
    (count(*) FILTER (WHERE outcome = $5))::integer AS unsubscribes
  FROM touches WHERE company_id = (SELECT $1::uuid) AND sent_day <= $3::date AND campaign_id IN (SELECT campaign_id FROM recent)
  GROUP BY campaign_id ORDER BY campaign_id`;

interface CampaignTotals {
  readonly campaignId: string;
  readonly sends: number;
  readonly bounces: number;
  readonly unsubscribes: number;
}

/**
 * Campaigns that have become critical, by the guards that campaign health goes by: whole life, bounces and unsubscribes.
 * What is critical now is written down, so that each is told once, and again where it was fine in between.
 * @param endsAt - when the outcomes of the run end
 */
export async function criticalNews(
  { client, companyId }: TenantTransaction,
  endsAt: Date,
  at: Date,
): Promise<WebhookMessage[]> {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const { rows } = await client.query<CampaignTotals>(COUNTS, [
    ...[companyId, day(endsAt.getTime() - (WINDOW_DAYS - 1) * DAY_MS), day(endsAt.getTime())],
    ...[OUTCOMES.indexOf('bounced'), OUTCOMES.indexOf('unsubscribed')],
  ]);
  const critical = rows.filter((counts) => healthOf(counts)?.status === 'critical');
  const told = await client.query<{ campaign_id: string }>(
    `INSERT INTO critical_campaigns (company_id, campaign_id, since)
     SELECT $1, campaign_id, $3 FROM unnest($2::text[]) AS now_critical (campaign_id)
     ON CONFLICT DO NOTHING RETURNING campaign_id`,
    [companyId, critical.map(({ campaignId }) => campaignId), at],
  );
  const fine = rows.filter((counts) => !critical.includes(counts)).map(({ campaignId }) => campaignId);
  await client.query('DELETE FROM critical_campaigns WHERE company_id = $1 AND campaign_id = ANY ($2)', [
    companyId,
    fine,
  ]);
  const isNew = new Set(told.rows.map(({ campaign_id }) => campaign_id));
  return critical.filter(({ campaignId }) => isNew.has(campaignId)).map(messageOf);
}

function healthOf({ sends, bounces, unsubscribes }: CampaignTotals) {
  // Replies decide nothing here: whatever they are, a campaign is critical by its guards alone.
  const replies = { maturedSends: 0, maturedReplies: 0, expectedReplies: 0 };
  return assessCampaigns([{ sends, bounces, unsubscribes, ...replies }])[0];
}

function messageOf(counts: CampaignTotals): WebhookMessage {
  const { campaignId, sends, bounces, unsubscribes } = counts;
  const proved = healthOf(counts)?.reasons.filter(({ code }) => code.endsWith('_high')) ?? [];
  return {
    type: 'campaign.critical',
    data: {
      ...{ campaign_id: campaignId, sent: sends, bounced: bounces, unsubscribed: unsubscribes },
      issues: proved.map(({ code, value, low, high }) => ({
        ...{ code, value: rounded(value), ci_low: rounded(low), ci_high: rounded(high) },
      })),
    },
  };
}
