import { Inject, Injectable } from '@nestjs/common';
import {
  CAMPAIGN_HEALTH,
  DOCUMENTS,
  HEALTH_STATUSES,
  type AlertCode,
  type BanditDocument,
  type CampaignHealth,
  type CampaignHealthQuery,
  type HealthStatus,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { assessCampaign, type Assessment } from '../campaigns/assess-campaign';
import { fallOf } from '../campaigns/campaign-falls';
import { campaignWindow, daysTo, wireWindow, type CampaignWindow } from '../campaigns/campaign-window';
import { frameOf } from '../frame/result-frame';
import { trustFields, trustIn, type PosteriorTrust } from '../frame/trust';
import { RunRepository, type RunReading } from '../runs/run.repository';
import { lastDayOf, settledDays } from '../runs/settled-days';
import { cleanText } from '../text/clean-text';
import { counted, rateWords } from '../text/number-words';
import { thatFit } from '../text/room';
import { sampleAlerts } from '../text/sample-alerts';
import {
  CampaignRepository,
  type CampaignCell,
  type CampaignSelection,
  type CampaignSpan,
} from '../touches/campaign.repository';
import type { RecentCampaigns } from '../touches/campaigns-on-record.repository';
import { CohortRepository } from '../touches/cohort.repository';
import { actionOf, alertsFor, issuesOf } from './health-issues';
import { sourceOf } from './own-data';

type Row = CampaignHealth['campaigns'][number];

/** So many campaigns at most, the latest to send, are judged by the counts of their whole life. */
const MAX_JUDGED = 100;
/** Of the listed campaigns, unless a limit asks for more. */
const ROOM_BYTES = 4_650;

interface Judged {
  readonly row: Row;
  readonly assessment: Assessment;
  readonly span: CampaignSpan;
  readonly cells: readonly CampaignCell[];
}

/** All campaigns that sent in the window, the worst first; each as the answer about it alone judges it. */
@Injectable()
export class CampaignOverview {
  constructor(
    @Inject(CampaignRepository) private readonly campaigns: CampaignRepository,
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: CampaignHealthQuery): Promise<CampaignHealth> {
    const { window_days: windowDays, limit: fallback } = CAMPAIGN_HEALTH.arguments;
    const run = await this.runs.read(scope, [DOCUMENTS.bandit]);
    const now = this.clock.now();
    const to = lastDayOf(run.freshness, run.frame, now);
    const window = campaignWindow(to, query.window_days ?? windowDays.default, settledDays(run.frame, to));
    const { campaigns: recent, ...known } = await this.campaigns.recent(scope, MAX_JUDGED + 1);
    const inWindow = recent.filter(({ lastDay }) => lastDay >= window.from);
    const chosen = inWindow.slice(0, MAX_JUDGED);
    const trust = trustIn(run.frame, now, query.channel);
    const selection = {
      ...window,
      campaignIds: chosen.map(({ campaignId }) => campaignId),
      channel: query.channel,
    };
    const judged = await this.judge(scope, selection, { window, query, run, trust });
    const rows = judged.map(({ row }) => row);
    const limited = rows.slice(0, query.limit ?? fallback.default);
    const listed = query.limit === undefined ? thatFit(limited, ROOM_BYTES) : limited;
    const byStatus = statusCounts(rows);
    const cells = judged.flatMap((campaign) => campaign.cells);
    const recipients = await this.campaigns.recipients(scope, selection, cells);
    const whole = assessCampaign(
      cells,
      await this.companyCells(scope, window, query),
      run.document<BanditDocument>(DOCUMENTS.bandit),
    );
    const isCut = listed.length < rows.length || chosen.length < inWindow.length || known.isPart;
    return {
      ...frameOf(
        scope,
        'company',
        run.freshness,
        now,
        `${summaryOf(rows, byStatus, whole, window, { ...known, inWindow: inWindow.length })} ${trust.sentence}`,
        [...alertsOf(judged, whole, isCut), ...trust.alerts],
      ),
      campaign_id: null,
      similar_campaign_ids: [],
      campaign_count: rows.length,
      by_status: byStatus,
      campaigns: listed,
      window: wireWindow(window),
      status: rows[0]?.status ?? 'insufficient_data',
      sample_size: whole.sampleSize,
      pending: whole.pending,
      outcomes: whole.outcomes,
      replied_and_unsubscribed: whole.repliedAndUnsubscribed,
      unique_recipients: recipients ? [...recipients.values()].reduce((sum, own) => sum + own, 0) : null,
      reply_rate: whole.replyRate,
      bounce_rate: whole.bounceRate,
      unsubscribe_rate: whole.unsubscribeRate,
      replies: whole.replies,
      baseline: whole.baseline,
      by_step: [],
      issues: [],
      changes: [],
      variants: [],
      first_sent_at: spanEnd(judged, 'firstSentAt', Math.min),
      last_sent_at: spanEnd(judged, 'lastSentAt', Math.max),
      data_source: sourceOf(whole),
      own_data_share: whole.ownDataShare,
      ...trustFields(trust),
      recommended_action: actionOf(
        judged.flatMap(({ assessment }) => assessment.reasons),
        'every campaign whose status is critical',
        trust.recommended_action,
      ),
    };
  }

  /** Each as it is judged alone, the worst first. */
  private async judge(
    scope: TenantScope,
    selection: CampaignSelection,
    {
      window,
      query,
      run,
      trust,
    }: {
      readonly window: CampaignWindow;
      readonly query: CampaignHealthQuery;
      readonly run: RunReading;
      readonly trust: PosteriorTrust;
    },
  ): Promise<Judged[]> {
    if (selection.campaignIds.length === 0) return [];
    const spans = await this.campaigns.spans(scope, selection.campaignIds);
    const cells = Map.groupBy(await this.campaigns.cells(scope, selection), ({ campaignId }) => campaignId);
    const company = await this.companyCells(scope, window, query);
    const bandit = run.document<BanditDocument>(DOCUMENTS.bandit);
    return spans
      .flatMap((span): Judged[] => {
        const own = cells.get(span.campaignId) ?? [];
        // On the channel asked for it has sent nothing in the window.
        if (!own.some((cell) => cell.inWindow)) return [];
        const assessment = assessCampaign(own, company, bandit, fallOf(span.campaignId, own, trust));
        return [{ row: rowOf(span, assessment), assessment, span, cells: own }];
      })
      .sort((a, b) => badness(b.row) - badness(a.row) || worseReplies(a.row, b.row));
  }

  private async companyCells(scope: TenantScope, window: CampaignWindow, query: CampaignHealthQuery) {
    const cells = await this.cohorts.settled(scope, window.from, window.settled);
    return cells.filter((cell) => query.channel === undefined || cell.channel === query.channel);
  }
}

function rowOf(span: CampaignSpan, assessment: Assessment): Row {
  const { reasons, replies } = assessment;
  return {
    campaign_id: cleanText(span.campaignId),
    status: assessment.status,
    issues: issuesOf(reasons).map(({ code }) => code),
    sample_size: assessment.sampleSize,
    pending: assessment.pending,
    reply_rate: assessment.replyRate,
    reply_ratio: { value: replies.ratio, ci_low: replies.ci_low, ci_high: replies.ci_high },
    bounce_rate: assessment.bounceRate.value,
    unsubscribe_rate: assessment.unsubscribeRate.value,
    first_sent_at: span.firstSentAt.toISOString(),
    last_sent_at: span.lastSentAt.toISOString(),
  };
}

function badness({ status }: Row): number {
  return HEALTH_STATUSES.indexOf(status);
}

/** Fewest replies of what was to be expected first; where that is not known, last; then the larger campaign. */
function worseReplies(a: Row, b: Row): number {
  return (
    (a.reply_ratio.value ?? Infinity) - (b.reply_ratio.value ?? Infinity) ||
    b.sample_size - a.sample_size ||
    a.campaign_id.localeCompare(b.campaign_id, 'en')
  );
}

function statusCounts(rows: readonly Row[]): Record<HealthStatus, number> {
  const counts = { insufficient_data: 0, healthy: 0, watch: 0, critical: 0 };
  for (const { status } of rows) counts[status] += 1;
  return counts;
}

interface KnownCampaigns extends Omit<RecentCampaigns, 'campaigns'> {
  /** Those that sent in the window; beyond those that are judged there is one more at most. */
  readonly inWindow: number;
}

/** Of all that sent in the window only the latest are judged, and fewer where a channel is asked for. */
function latestOf(judged: number, sent: string): string {
  const which = judged < MAX_JUDGED ? `${judged} of the ${MAX_JUDGED}` : `The ${MAX_JUDGED}`;
  return `${which} campaigns that sent last, of more than ${MAX_JUDGED} that ${sent}`;
}

function summaryOf(
  rows: readonly Row[],
  { critical, watch, healthy, insufficient_data: unknown }: Record<HealthStatus, number>,
  whole: Assessment,
  window: CampaignWindow,
  { inWindow, total, hasMore, isPart }: KnownCampaigns,
): string {
  const sent = `sent in the ${daysTo(window)}`;
  if (rows.length === 0 && isPart)
    return `Of ${counted(total, 'campaign')} none ${sent}; there are more, which this answer does not cover yet.`;
  if (rows.length === 0 && inWindow > MAX_JUDGED)
    return `Of the ${MAX_JUDGED} campaigns that sent last none ${sent} on this channel; there are more, which this answer does not cover.`;
  if (rows.length === 0)
    return `No campaign ${sent}; ${hasMore ? 'more than ' : ''}${counted(total, 'campaign')} on record.`;
  const judged =
    inWindow > MAX_JUDGED ? latestOf(rows.length, sent) : `${counted(rows.length, 'campaign')} ${sent}`;
  return (
    `${judged}, worst first: ${critical} critical, ` +
    `${watch} watch, ${healthy} healthy, ${unknown} with too little data. ` +
    `Reply rate of all of them ${rateWords(whole.replyRate)}.`
  );
}

function alertsOf(judged: readonly Judged[], whole: Assessment, isCut: boolean): AlertCode[] {
  const alerts = new Set(judged.flatMap(({ assessment }) => alertsFor(assessment.reasons)));
  if (judged.length > 0) for (const alert of sampleAlerts(whole.sampleSize)) alerts.add(alert);
  if (isCut) alerts.add('results_truncated');
  if (whole.pending > 0) alerts.add('unresolved_outcomes_excluded');
  if (judged.some(({ assessment }) => sourceOf(assessment) === 'company')) alerts.add('borrowed_prior');
  return [...alerts];
}

function spanEnd(
  judged: readonly Judged[],
  end: 'firstSentAt' | 'lastSentAt',
  pick: (...times: number[]) => number,
): string | null {
  if (judged.length === 0) return null;
  return new Date(pick(...judged.map(({ span }) => span[end].getTime()))).toISOString();
}
