import { Inject, Injectable } from '@nestjs/common';
import {
  DOCUMENTS,
  EVIDENCE_TIERS,
  PATTERN_CATALOGUE,
  type AlertCode,
  type CampaignRecommendations,
  type CampaignRecommendationsQuery,
  type EvidenceRecord,
  type EvidenceTier,
  type PatternEvidence,
  type PatternRecord,
  type RateEstimate,
  type Recommendation,
  type VariantDocument,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { variantClaims } from '../campaigns/campaign-variants';
import { RunRepository, type Freshness } from '../runs/run.repository';
import { cleanText } from '../text/clean-text';
import { counted } from '../text/number-words';
import { bytesOf, thatFit } from '../text/room';
import { plainText } from '../text/plain-text';
import { sampleAlerts } from '../text/sample-alerts';
import { boundedInteger, identifier } from './query-bounds';
import { frameOf } from './result-frame';
import { trustFields, trustIn } from './trust';
import { undecidedCodes } from './undecided-codes';

const LIMIT = { min: 1, max: 51, fallback: 10 };
/** Of everything listed, unless a limit asks for more. */
const ROOM_BYTES = 6_600;
const FEW_VARIANTS = 3;
const UNKNOWN_RATE: RateEstimate = { value: null, ci_low: null, ci_high: null, n: 0 };
const CATEGORIES = new Map(PATTERN_CATALOGUE.map((pattern) => [pattern.code, pattern.category]));

type Evidenced = PatternRecord & { readonly evidence_tier: EvidenceTier };

/** Message patterns with evidence, strongest first. */
@Injectable()
export class CampaignRecommendationsService {
  constructor(
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: CampaignRecommendationsQuery): Promise<CampaignRecommendations> {
    const limit = boundedInteger('limit', query.limit, LIMIT);
    const campaignId = query.campaign_id === undefined ? null : identifier('campaign_id', query.campaign_id);
    const { document, freshness, frame } = await this.runs.read(scope, [
      DOCUMENTS.patterns,
      DOCUMENTS.variants,
    ]);
    const records = document<PatternRecord[]>(DOCUMENTS.patterns) ?? [];
    const variants = document<VariantDocument>(DOCUMENTS.variants);
    const now = this.clock.now();
    // Effects are measured over all channels together; whether to act on one of them is asked of it alone.
    const trust = trustIn(frame, now, query.channel);
    const matching = records.filter(hasEvidence).filter((record) => matches(record, query));
    const byTier = countsOf(matching);
    const summary =
      `${counted(matching.length, 'recommendation')}: ${byTier.confirmed} confirmed, ${byTier.likely} likely, ` +
      `${byTier.directional} directional. Up to half of the directional ones may be wrong; only confirmed ones bear acting without review. ` +
      trust.sentence;
    const claims = variantClaims(variants, campaignId, query.limit === undefined ? FEW_VARIANTS : limit);
    const undecided = undecidedCodes(records);
    const listed = matching.slice(0, limit).map((record) => recommendationOf(record, freshness, now));
    const room = ROOM_BYTES - bytesOf(claims) - bytesOf(undecided);
    const returned = query.limit === undefined ? thatFit(listed, room) : listed;
    return {
      ...frameOf(scope, 'company', freshness, now, summary, [
        ...alertsOf(query, matching.length, returned),
        ...trust.alerts,
      ]),
      requested_campaign_id: campaignId === null ? null : cleanText(campaignId),
      recommendation_count: matching.length,
      recommendations: returned,
      by_evidence_tier: byTier,
      variants: claims,
      undecided,
      ...trustFields(trust),
    };
  }
}

/** Patterns with a tier, as they are stored: strongest first. Observations without evidence are left out. */
function hasEvidence(record: PatternRecord): record is Evidenced {
  return record.evidence_tier !== undefined;
}

function matches(record: Evidenced, { direction = 'all', min_evidence_tier }: CampaignRecommendationsQuery) {
  const weakest = EVIDENCE_TIERS.indexOf(min_evidence_tier ?? 'directional');
  const strongEnough = EVIDENCE_TIERS.indexOf(record.evidence_tier) <= weakest;
  return strongEnough && (direction === 'all' || (direction === 'do_more') === (record.positive === true));
}

function countsOf(records: readonly Evidenced[]): Record<EvidenceTier, number> {
  const counts = { confirmed: 0, likely: 0, directional: 0 };
  for (const record of records) counts[record.evidence_tier] += 1;
  return counts;
}

function recommendationOf(record: Evidenced, freshness: Freshness, now: Date): Recommendation {
  const { evidence } = record;
  return {
    code: record.code,
    title: plainText(record.title ?? record.code),
    message: plainText(record.message ?? ''),
    category: CATEGORIES.get(record.code) ?? [],
    positive: record.positive === true,
    tier: record.tier ?? 0,
    evidence_tier: record.evidence_tier,
    // Compared inside each channel, over all of them.
    channel: null,
    effect: {
      with_rate: evidence?.with_rate ?? UNKNOWN_RATE,
      without_rate: evidence?.without_rate ?? UNKNOWN_RATE,
      level_since: evidence?.level_since ?? null,
      lift: evidence?.lift ?? null,
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
  if (evidence === undefined || !('n_campaigns' in evidence)) return null;
  const { e_value, odds_ratio, odds_ratio_low, odds_ratio_high, n_campaigns, n_texts_with } = evidence;
  const { n_texts_without, compared_share, counted_since, sends_to_decide, basis } = evidence;
  return {
    ...{ e_value, odds_ratio, odds_ratio_low, odds_ratio_high, n_campaigns, n_texts_with },
    ...{ n_texts_without, compared_share, counted_since, sends_to_decide, basis },
  };
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
