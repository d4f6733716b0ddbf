import { Inject, Injectable } from '@nestjs/common';
import {
  CAMPAIGN_HEALTH,
  DOCUMENTS,
  type AlertCode,
  type BanditDocument,
  type CampaignHealth,
  type CampaignHealthQuery,
  type Channel,
  type VariantDocument,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { frameOf } from '../frame/result-frame';
import { trustFields, trustIn } from '../frame/trust';
import { PLACES } from '../frame/trust-table';
import { RunRepository } from '../runs/run.repository';
import { lastDayOf, settledDays } from '../runs/settled-days';
import { cleanText } from '../text/clean-text';
import { counted, rateWords } from '../text/number-words';
import { bytesOf } from '../text/room';
import { sampleAlerts } from '../text/sample-alerts';
import { CampaignRepository, MAX_SUGGESTED } from '../touches/campaign.repository';
import { CohortRepository } from '../touches/cohort.repository';
import { assessCampaign, type Assessment } from '../campaigns/assess-campaign';
import { CampaignOverview } from './campaign-overview.service';
import { sourceOf } from './own-data';
import { actionOf, alertsFor, issuesOf, UNKNOWN_CAMPAIGN } from './health-issues';
import { channelsOf, fallOf, ownChanges } from '../campaigns/campaign-falls';
import { variantsOf } from '../campaigns/campaign-variants';
import { campaignWindow, daysTo, wireWindow, type CampaignWindow } from '../campaigns/campaign-window';
import { shownAs } from '../campaigns/likely-campaigns';

/** Rows of by_step at most, so that an answer stays small; one channel has no more steps than this. */
const MAX_STEPS = 51;
/** Of steps and variants in an answer. */
const ROOM_BYTES = 4_650;

/** Campaigns are counted where all are asked about. */
const NO_CAMPAIGNS = { insufficient_data: 0, healthy: 0, watch: 0, critical: 0 };

/** How one campaign does against what the company gets from such an audience. */
@Injectable()
export class CampaignHealthService {
  constructor(
    @Inject(CampaignRepository) private readonly campaigns: CampaignRepository,
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CampaignOverview) private readonly overview: CampaignOverview,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: CampaignHealthQuery): Promise<CampaignHealth> {
    return query.campaign_id === undefined
      ? this.overview.answer(scope, query)
      : this.ofCampaign(scope, query.campaign_id, query);
  }

  private async ofCampaign(
    scope: TenantScope,
    campaignId: string,
    query: CampaignHealthQuery,
  ): Promise<CampaignHealth> {
    const days = query.window_days ?? CAMPAIGN_HEALTH.arguments.window_days.default;
    const { document, freshness, frame } = await this.runs.read(scope, [
      DOCUMENTS.bandit,
      DOCUMENTS.variants,
    ]);
    const now = this.clock.now();
    const to = lastDayOf(freshness, frame, now);
    const window = campaignWindow(to, days, settledDays(frame, to));
    const selection = { ...window, campaignIds: [campaignId], channel: query.channel };
    const [span] = await this.campaigns.spans(scope, selection.campaignIds);
    const likeliest = span ? [] : await this.campaigns.similarTo(scope, campaignId, MAX_SUGGESTED);
    const shown = shownAs(campaignId, likeliest);
    if (shown !== undefined) return this.ofCampaign(scope, shown, query);
    const cells = span ? await this.campaigns.cells(scope, selection) : [];
    const recipients = await this.campaigns.recipients(scope, selection, cells);
    const company = span ? await this.cohorts.settled(scope, window.from, window.settled) : [];
    const peers = company.filter((cell) => query.channel === undefined || cell.channel === query.channel);
    const bandit = document<BanditDocument>(DOCUMENTS.bandit);
    const channels = channelsOf(cells);
    // What is expected of a campaign rests on the arms of its channels, so that a campaign on one is judged by that one.
    const trust = trustIn(frame, now, query.channel ?? (channels.length === 1 ? channels[0] : undefined));
    const fall = fallOf(campaignId, cells, trust);
    const assessment = assessCampaign(cells, peers, bandit, fall);
    const changes = ownChanges(cells, trust);
    const steps = busiest(assessment.byStep);
    const { variants, truncated } = variantsOf(
      document<VariantDocument>(DOCUMENTS.variants),
      campaignId,
      ROOM_BYTES - bytesOf(steps) - bytesOf(changes),
    );
    const similar = likeliest.map(cleanText);
    return {
      ...frameOf(
        scope,
        'campaign',
        freshness,
        now,
        `${span ? summaryOf(assessment, settledWords(window, channels)) : unknownSummary(similar)}${variantWords(variants, query.channel)} ${trust.sentence}`,
        [...alertsOf(assessment, span !== undefined, truncated), ...trust.alerts],
      ),
      campaign_id: cleanText(campaignId),
      similar_campaign_ids: similar,
      campaign_count: span ? 1 : 0,
      by_status: { ...NO_CAMPAIGNS, ...(span && { [assessment.status]: 1 }) },
      campaigns: [],
      window: wireWindow(window),
      status: assessment.status,
      sample_size: assessment.sampleSize,
      pending: assessment.pending,
      outcomes: assessment.outcomes,
      replied_and_unsubscribed: assessment.repliedAndUnsubscribed,
      unique_recipients: recipients === undefined ? null : (recipients.get(campaignId) ?? 0),
      reply_rate: assessment.replyRate,
      bounce_rate: assessment.bounceRate,
      unsubscribe_rate: assessment.unsubscribeRate,
      replies: assessment.replies,
      baseline: assessment.baseline,
      by_step: steps,
      issues: span ? issuesOf(assessment.reasons, fall) : [UNKNOWN_CAMPAIGN],
      changes,
      variants,
      first_sent_at: span?.firstSentAt.toISOString() ?? null,
      last_sent_at: span?.lastSentAt.toISOString() ?? null,
      data_source: sourceOf(assessment),
      own_data_share: assessment.ownDataShare,
      ...trustFields(trust),
      recommended_action: actionOf(assessment.reasons, 'the campaign', trust.recommended_action),
    };
  }
}

/** The rows with most messages, in their order. */
function busiest(steps: CampaignHealth['by_step']): CampaignHealth['by_step'] {
  if (steps.length <= MAX_STEPS) return steps;
  const kept = new Set([...steps].sort((a, b) => b.sent - a.sent).slice(0, MAX_STEPS));
  return steps.filter((step) => kept.has(step));
}

/** Of which days of the window the reply rates are. */
function settledWords(window: CampaignWindow, channels: readonly Channel[]): string {
  const counting = wireWindow(window).settled.filter(({ channel }) => channels.includes(channel));
  const parts = counting.map((one) => `${one.days}${PLACES[one.channel]}`);
  return parts.length === 0 ? '' : ` Of the ${daysTo(window)} reply rates count ${parts.join(' and ')}.`;
}

function summaryOf(assessment: Assessment, settled: string): string {
  const { status, sampleSize, pending, replyRate, replies, reasons, repliedAndUnsubscribed } = assessment;
  const ratio =
    replies.ratio === null
      ? ''
      : ` That is ${replies.ratio.toFixed(2)} of what such an audience gives the company.`;
  const rest = pending > 0 ? ` ${counted(pending, 'message')} not settled yet.` : '';
  const removed =
    repliedAndUnsubscribed > 0
      ? ` ${counted(repliedAndUnsubscribed, 'message')} got a reply and an unsubscribe, and count${repliedAndUnsubscribed === 1 ? 's' : ''} as unsubscribed.`
      : '';
  return (
    `Status ${status} over ${counted(sampleSize, 'settled message')}, ${counted(reasons.length, 'reason')}. ` +
    `Reply rate ${rateWords(replyRate)}.${ratio}${removed}${rest}${settled}`
  );
}

/** Beside figures of one channel those of variants, which are compared over all, would pass for figures of that one. */
function variantWords(variants: CampaignHealth['variants'], channel: Channel | undefined): string {
  if (channel === undefined || variants.length === 0) return '';
  return ' Variants are of all channels and the whole life of the campaign, not of this channel.';
}

function unknownSummary(similar: readonly string[]): string {
  return similar.length > 0
    ? 'No such campaign: no message with this campaign_id has arrived. Ask again with one of similar_campaign_ids; case matters.'
    : 'No such campaign: no message with any campaign_id has arrived. Send metadata.campaign_id with the events.';
}

function alertsOf(assessment: Assessment, known: boolean, fewerVariants: boolean): AlertCode[] {
  if (!known) return ['campaign_not_found'];
  return [
    ...alertsFor(assessment.reasons),
    ...sampleAlerts(assessment.sampleSize),
    ...(assessment.byStep.length > MAX_STEPS || fewerVariants ? (['results_truncated'] as const) : []),
    ...(assessment.pending > 0 ? (['unresolved_outcomes_excluded'] as const) : []),
    ...(sourceOf(assessment) === 'company' ? (['borrowed_prior'] as const) : []),
  ];
}
