import { DAY_MS } from '@outcomes/contracts';
import { assessCampaigns } from '@outcomes/statistics';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { WebhookMessage } from '@outcomes/webhooks';
import { rounded } from '../documents/rounding';
import { noteCritical, recentTotals, type CampaignTotals } from './critical-campaign.repository';

/** As far back as campaign health looks. */
const WINDOW_DAYS = 30;

/**
 * Campaigns that have become critical, by the guards that campaign health goes by: whole life, bounces and unsubscribes.
 * What is critical now is written down, so that each is told once, and again where it was fine in between.
 * @param endsAt - when the outcomes of the run end
 */
export async function criticalNews(
  transaction: TenantTransaction,
  endsAt: Date,
  at: Date,
): Promise<WebhookMessage[]> {
  const from = new Date(endsAt.getTime() - (WINDOW_DAYS - 1) * DAY_MS);
  const totals = await recentTotals(transaction, from, endsAt);
  const critical = totals.filter((counts) => healthOf(counts)?.status === 'critical');
  const fine = totals.filter((counts) => !critical.includes(counts));
  const isNew = await noteCritical(transaction, critical.map(idOf), fine.map(idOf), at);
  return critical.filter(({ campaignId }) => isNew.has(campaignId)).map(messageOf);
}

const idOf = ({ campaignId }: CampaignTotals) => campaignId;

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
