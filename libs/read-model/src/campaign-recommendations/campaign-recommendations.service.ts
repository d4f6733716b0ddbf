import { Inject, Injectable } from '@nestjs/common';
import {
  ADVICE_KINDS,
  CAMPAIGN_RECOMMENDATIONS,
  DOCUMENTS,
  EVIDENCE_RECORD,
  EVIDENCE_TIERS,
  VOLUME_DAYS,
  type AlertCode,
  type CampaignRecommendations,
  type CampaignRecommendationsQuery,
  type Channel,
  type ChannelVolume,
  type EvidenceRecord,
  type EvidenceTier,
  type PatternEvidence,
  type PatternRecord,
  type RateEstimate,
  type Recommendation,
  type VariantDocument,
  type VolumeDocument,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { variantClaims } from '../campaigns/campaign-variants';
import { shownAs } from '../campaigns/likely-campaigns';
import { RunRepository, type Freshness } from '../runs/run.repository';
import { lastDayOf } from '../runs/settled-days';
import { cleanText } from '../text/clean-text';
import { counted } from '../text/number-words';
import { bytesOf, thatFit } from '../text/room';
import { plainText } from '../text/plain-text';
import { sampleAlerts } from '../text/sample-alerts';
import { CampaignRepository, MAX_SUGGESTED, type CampaignVolume } from '../touches/campaign.repository';
import { addDays, type Day } from '../touches/day';
import { frameOf } from '../frame/result-frame';
import { trustFields, trustIn } from '../frame/trust';
import { effectOn, gainOf, isOfIdle, isOfUse, kindOf, patternOf, type Outlook } from './expected-gains';
import { undecidedCodes } from './undecided-codes';

/** Of everything listed, unless a limit asks for more. */
const ROOM_BYTES = 6_600;
const FEW_VARIANTS = 3;
const UNKNOWN_RATE: RateEstimate = { value: null, ci_low: null, ci_high: null, n: 0 };

type Evidenced = PatternRecord & { readonly evidence_tier: EvidenceTier };

/** Message patterns with evidence, those first that are worth most replies. */
@Injectable()
export class CampaignRecommendationsService {
  constructor(
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CampaignRepository) private readonly campaigns: CampaignRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: CampaignRecommendationsQuery): Promise<CampaignRecommendations> {
    const limit = query.limit ?? CAMPAIGN_RECOMMENDATIONS.arguments.limit.default;
    const campaignId = query.campaign_id ?? null;
    const run = await this.runs.read(scope, [DOCUMENTS.patterns, DOCUMENTS.variants, DOCUMENTS.volumes]);
    const { freshness, frame } = run;
    const records = (run.document<PatternRecord[]>(DOCUMENTS.patterns) ?? []).filter(
      ({ code }) => query.kind === undefined || kindOf(code) === query.kind,
    );
    const now = this.clock.now();
    // Effects are measured over all channels together; whether to act on one of them is asked of it alone.
    const trust = trustIn(frame, now, query.channel);
    const campaign = await this.campaignOf(scope, query, lastDayOf(freshness, frame, now));
    const likeliest =
      campaign?.isKnown === false
        ? await this.campaigns.similarTo(scope, campaignId ?? '', MAX_SUGGESTED)
        : [];
    const shown = shownAs(campaignId ?? '', likeliest);
    if (shown !== undefined) return this.answer(scope, { ...query, campaign_id: shown });
    const volumes = volumesOf(campaign, run.document<VolumeDocument>(DOCUMENTS.volumes), query.channel);
    const outlook = { volumes, frame, channel: query.channel };
    const matching = records
      .filter(hasEvidence)
      .filter((record) => matches(record, query) && isOfUse(record.code, outlook))
      .map((record) => recommendationOf(record, outlook, freshness, now))
      .sort(byGain);
    const byTier = countsOf(EVIDENCE_TIERS, matching, ({ evidence_tier }) => evidence_tier);
    const claims = variantClaims(
      run.document<VariantDocument>(DOCUMENTS.variants),
      campaignId,
      query.limit === undefined ? FEW_VARIANTS : limit,
    );
    const undecided = undecidedCodes(records);
    const similar = likeliest.map(cleanText);
    const listed = matching.slice(0, limit);
    const room = ROOM_BYTES - bytesOf(claims) - bytesOf(undecided) - bytesOf(similar);
    const returned = query.limit === undefined ? thatFit(listed, room) : listed;
    const volume = {
      days: VOLUME_DAYS,
      messages: (volumes ?? []).reduce((sum, one) => sum + one.messages, 0),
      of: ofWhom(campaign, query.channel),
    };
    return {
      ...frameOf(
        scope,
        'company',
        freshness,
        now,
        `${summaryOf(matching, byTier, volume)} ${trust.sentence}`,
        [
          ...alertsOf(query, matching.length, returned),
          ...(returned.some(({ code }) => isOfIdle(code, frame, now))
            ? (['channel_left_idle'] as const)
            : []),
          ...(campaign?.isKnown === false ? (['campaign_not_found'] as const) : []),
          ...trust.alerts,
        ],
      ),
      requested_campaign_id: campaignId === null ? null : cleanText(campaignId),
      recommendation_count: matching.length,
      recommendations: returned,
      volume,
      similar_campaign_ids: similar,
      by_evidence_tier: byTier,
      by_kind: countsOf(ADVICE_KINDS, matching, ({ kind }) => kind),
      variants: claims,
      undecided,
      ...trustFields(trust),
    };
  }

  private async campaignOf(
    scope: TenantScope,
    { campaign_id: campaignId }: CampaignRecommendationsQuery,
    to: Day,
  ): Promise<CampaignVolume | undefined> {
    if (campaignId === undefined) return undefined;
    return this.campaigns.volume(scope, campaignId, addDays(to, 1 - VOLUME_DAYS), to);
  }
}

/** Patterns with a tier. Observations without evidence are left out. */
function hasEvidence(record: PatternRecord): record is Evidenced {
  return record.evidence_tier !== undefined;
}

/** Of the campaign asked for, where there is one of that name; else of the company. */
function volumesOf(
  campaign: CampaignVolume | undefined,
  company: VolumeDocument | undefined,
  channel: Channel | undefined,
): readonly ChannelVolume[] | undefined {
  const all = campaign?.isKnown === true ? campaign.volumes : company?.channels;
  return all?.filter((one) => channel === undefined || one.channel === channel);
}

function ofWhom(
  campaign: CampaignVolume | undefined,
  channel: Channel | undefined,
): CampaignRecommendations['volume']['of'] {
  if (campaign?.isKnown === true) return 'campaign';
  return channel === undefined ? 'company' : 'channel';
}

function matches(record: Evidenced, { direction = 'all', min_evidence_tier }: CampaignRecommendationsQuery) {
  const weakest = EVIDENCE_TIERS.indexOf(min_evidence_tier ?? 'directional');
  const strongEnough = EVIDENCE_TIERS.indexOf(record.evidence_tier) <= weakest;
  return strongEnough && (direction === 'all' || (direction === 'do_more') === (record.positive === true));
}

/** Largest gain first; what is worth nothing known comes last, the strongest evidence first. */
function byGain(a: Recommendation, b: Recommendation): number {
  const [gain, other] = [a, b].map(({ expected_gain }) => expected_gain?.replies ?? -1);
  return (
    (other ?? -1) - (gain ?? -1) || b.tier - a.tier || (b.evidence?.e_value ?? 0) - (a.evidence?.e_value ?? 0)
  );
}

function countsOf<const Name extends string>(
  names: readonly Name[],
  recommendations: readonly Recommendation[],
  nameOf: (recommendation: Recommendation) => Name,
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const recommendation of recommendations) counts[nameOf(recommendation)] += 1;
  return counts;
}

function summaryOf(
  matching: readonly Recommendation[],
  byTier: Record<EvidenceTier, number>,
  { days, messages }: CampaignRecommendations['volume'],
): string {
  const gain = matching[0]?.expected_gain;
  const worth = gain
    ? ` The first should bring about ${roughly(gain.replies)} more replies in ${days} days (95 % interval ` +
      `${roughly(gain.ci_low)} to ${roughly(gain.ci_high)}) at ${counted(messages, 'message')}.`
    : '';
  return (
    `${counted(matching.length, 'recommendation')}: ${byTier.confirmed} confirmed, ${byTier.likely} likely, ` +
    `${byTier.directional} directional.${worth} Up to half of the directional ones may be wrong; only confirmed ones bear acting without review.`
  );
}

/** 0.4 as `0.4`, 14.2 as `14`: more digits than are known mislead. */
function roughly(replies: number): string {
  return Math.abs(replies) < 9.95 ? replies.toFixed(1) : replies.toFixed(0);
}

function recommendationOf(
  record: Evidenced,
  outlook: Outlook,
  freshness: Freshness,
  now: Date,
): Recommendation {
  const { code, evidence } = record;
  const isPositive = record.positive === true;
  return {
    code,
    title: plainText(record.title ?? code),
    message: plainText(record.message ?? ''),
    category: patternOf(code)?.category ?? [],
    kind: kindOf(code),
    advice: isPositive ? 'do_more' : 'avoid',
    positive: isPositive,
    tier: record.tier ?? 0,
    evidence_tier: record.evidence_tier,
    // Compared inside each channel, over all of them.
    channel: outlook.channel ?? null,
    expected_gain: gainOf(code, evidence, outlook),
    effect: {
      with_rate: evidence?.with_rate ?? UNKNOWN_RATE,
      without_rate: evidence?.without_rate ?? UNKNOWN_RATE,
      level_since: evidence?.level_since ?? null,
      lift: evidence?.lift ?? null,
      lift_low: evidence?.lift_low ?? null,
      lift_high: evidence?.lift_high ?? null,
      ...effectOn(code, evidence, outlook),
      probability_positive: evidence?.probability_positive ?? null,
    },
    evidence: groundsOf(evidence),
    sample_size: evidence?.with_rate.n ?? 0,
    data_source: 'company',
    updated: record.updated ?? (freshness.dataAsOf ?? now).toISOString(),
  };
}

/** @returns null for records that an earlier version left: they do not say what they rest on */
function groundsOf(evidence: PatternEvidence | undefined): EvidenceRecord | null {
  if (evidence === undefined || !('odds_ratio_expected' in evidence)) return null;
  const grounds = Object.keys(EVIDENCE_RECORD.properties ?? {}).map((name) => [
    name,
    evidence[name as keyof EvidenceRecord],
  ]);
  return Object.fromEntries(grounds) as EvidenceRecord;
}

function alertsOf(
  query: CampaignRecommendationsQuery,
  matches: number,
  returned: readonly Recommendation[],
): AlertCode[] {
  const alerts: AlertCode[] = [];
  if (query.campaign_id !== undefined) alerts.push('recommendations_are_company_scoped_not_per_campaign');
  if (matches === 0) alerts.push('no_recommendations_available');
  const smallest = Math.min(...returned.map((recommendation) => recommendation.sample_size));
  if (returned.length > 0) alerts.push(...sampleAlerts(smallest));
  if (matches > returned.length) alerts.push('results_truncated');
  return alerts;
}
