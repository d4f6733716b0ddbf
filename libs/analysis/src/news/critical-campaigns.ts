import { DAY_MS } from '@outcomes/contracts';
import { assessCampaigns, type CampaignHealth } from '@outcomes/statistics';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { WebhookMessage } from '@outcomes/webhooks';
import { rounded } from '../documents/rounding';
import { noteCritical, type CampaignTotals } from './critical-campaign.repository';

/** As far back as campaign health looks. */
const WINDOW_DAYS = 30;

/** First day of the campaigns that are judged. @param endsAt - when the outcomes of the run end */
export const judgedFrom = (endsAt: Date) => new Date(endsAt.getTime() - (WINDOW_DAYS - 1) * DAY_MS);

/**
 * Campaigns that have become critical, by the guards that campaign health goes by: whole life, bounces and unsubscribes.
 * What is critical now is written down, so that each is told once, and again where it was fine in between.
 * @param totals - of the campaigns that are judged
 */
export async function criticalNews(
  transaction: TenantTransaction,
  totals: readonly CampaignTotals[],
  at: Date,
): Promise<WebhookMessage[]> {
  const critical = totals.filter((counts) => healthOf(counts).status === 'critical');
  const fine = totals.filter((counts) => !critical.includes(counts));
  const isNew = await noteCritical(transaction, critical.map(idOf), fine.map(idOf), at);
  return critical.filter(({ campaignId }) => isNew.has(campaignId)).map(messageOf);
}

const idOf = ({ campaignId }: CampaignTotals) => campaignId;

function healthOf({ sends, bounces, unsubscribes }: CampaignTotals) {
  // Replies decide nothing here: whatever they are, a campaign is critical by its guards alone.
  const replies = { maturedSends: 0, maturedReplies: 0, expectedReplies: 0 };
  return assessCampaigns([{ sends, bounces, unsubscribes, ...replies }])[0] as CampaignHealth;
}

function messageOf(counts: CampaignTotals): WebhookMessage {
  const { campaignId, sends, bounces, unsubscribes } = counts;
  const proved = healthOf(counts).reasons.filter(({ code }) => code.endsWith('_high'));
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
