import { CHANNELS, DOCUMENTS, LEVELS, analysisDocument } from '@outcomes/contracts';
import { recipientAnalysis, toneAnalysis } from './analysis-documents';

const RATE = { value: 0.08, ci_low: 0.05, ci_high: 0.12, n: 400 };
const AT = '2026-01-10T00:00:00.000Z';

/** Every document that a run writes, small, with the canary in all its texts. */
export function documentsOf(canary: string): ReadonlyMap<string, unknown> {
  const head = { data_as_of: AT, engine_version: `${canary}_engine` };
  const record = { ...head, canary: `${canary}_analysis`, records: [{ text: `${canary}_record` }] };
  const channels = CHANNELS.map((name) => channelDrift(canary, name));
  const ledger = { ...head, newest_outcome_at: AT, channels };
  return new Map<string, unknown>([
    [DOCUMENTS.patterns, [pattern(canary)]],
    [DOCUMENTS.variants, { ...head, variants: [variant(canary)] }],
    [DOCUMENTS.bandit, { ...head, prior: { mean: 0.03, concentration: 30 }, arms: [arm(canary)] }],
    [DOCUMENTS.drift, ledger],
    [DOCUMENTS.frame, { ...ledger, analysed_at: AT }],
    [
      DOCUMENTS.volumes,
      {
        ...{ ...head, canary: `${canary}_volume` },
        channels: CHANNELS.map((channel) => ({ channel, messages: 1_234, levels: LEVELS.map(() => 321) })),
      },
    ],
    [
      DOCUMENTS.chunks,
      {
        chunks: [
          { metricName: 'tone', title: `${canary}_chunk`, analysisKey: 'tone_analysis', hasData: true },
        ],
        summary: { total: 11, available: 1, lastUpdated: AT, totalSampleSize: 1 },
      },
    ],
    [DOCUMENTS.recipients, recipientAnalysis(canary)],
    [
      DOCUMENTS.profiles,
      { ...record, profiles: [{ code: 'TA-1', recommendationCode: 'TA-1', text: `${canary}_profile` }] },
    ],
    [DOCUMENTS.contactInsights, { ...record, by_analysis: [{ text: `${canary}_insight` }] }],
    [analysisDocument('tone_analysis'), toneAnalysis(canary)],
    [analysisDocument('subject_lines_analysis'), record],
    [analysisDocument('general_analysis'), record],
  ]);
}

function pattern(canary: string) {
  return {
    ...{
      companyId: `${canary}_company`,
      code: 'TA-1',
      title: `<b>${canary}_title</b>`,
      type: 'recommendation',
    },
    ...{ message: `${canary}_message`, positive: true, tier: 3, evidence_tier: 'confirmed', updated: AT },
    evidence: {
      ...{ e_value: 45.6, odds_ratio: 1.3, odds_ratio_low: 1.1, odds_ratio_high: 1.5, lift: 0.2 },
      ...{ probability_positive: 0.99, with_rate: RATE, without_rate: RATE, confounding_e_value: 1.9 },
      ...{ sends_to_decide: null, trial_sends: null, basis: `${canary}_basis` },
      ...{ lift_low: 0.1, lift_high: 0.3, n_campaigns: 14, n_texts_with: 62, n_texts_without: 91 },
      ...{ compared_share: 0.9, counted_since: '2025-06-02', odds_ratio_expected: 1.2 },
      ...{ n_campaigns_with: 15, n_campaigns_without: 16, confounding_e_value_limit: 1.2 },
    },
  };
}

function variant(canary: string) {
  return {
    ...{ campaign_id: `${canary}_campaign`, variant_id: `${canary}_variant`, n: 400, y: 32, rate: 0.08 },
    ...{
      odds_ratio: 1.3,
      odds_ratio_low: 1.1,
      odds_ratio_high: 1.5,
      probability_positive: 0.99,
      e_value: 90,
    },
    ...{ evidence_tier: 'confirmed', basis: 'observational' },
  };
}

function arm(canary: string) {
  return {
    ...{ channel: 'email', position: `${canary}_position`, alpha: 8, beta: 192, posterior_mean: 0.04 },
    ...{ posterior_variance: 0.0002, ci_low: 0.02, ci_high: 0.07, interval_type: 'equal_tailed_95' },
    ...{ interval_target: 'next_30_days_mean_rate', current_low: 0.02, current_high: 0.07 },
    ...{ data_from: '2025-06-02', memory_days: 74, forward_sd: 0.1 },
    ...{ data_source: 'live', observations: 1_234, replies: 56, effective_n: 812, own_data_share: 0.8 },
    ...{
      prior_weight: 0.2,
      market_mean: 0.0431,
      immature_share: 0.1,
      probability_best: 1,
      last_outcome_at: AT,
    },
  };
}

function channelDrift(canary: string, channel: string) {
  const change = {
    ...{ channel, since: '2025-11-20', settled_on: '2025-12-04', told_at: '2025-12-18', direction: 'up' },
    ...{ ratio: 1.6, before: RATE, after: RATE, statistic: 7 },
    scope: { kind: 'campaign', value: `${canary}_campaign_of_change` },
  };
  return {
    ...{ channel, look_possible: true, looked_through: '2025-12-27', statistic: 3, threshold: 5.75 },
    ...{ data_from: '2025-11-20', settled_replies: 32, rate: RATE, last_sent_on: '2026-01-09' },
    ...{ newest_outcome_at: AT, changes: [change], recounted_at: null },
    ...{ mix: { distance: 0.1, alert: false }, volume: { ratio: 1, alert: false } },
    campaigns: 2,
  };
}
