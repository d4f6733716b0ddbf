import {
  type AnalysisRecord,
  type ArmRecord,
  type BanditDocument,
  type ContactInsights,
  DAY_MS,
  type DriftDocument,
  type PatternRecord,
  type RateEstimate,
} from '@outcomes/contracts';

/** Documents as a run writes them, small. */
const UPDATED = '2026-02-03T02:00:00.000Z';

export const RATE: RateEstimate = { value: 0.05, ci_low: 0.02, ci_high: 0.1, n: 100 };

export const patternRecord = (parts: Partial<PatternRecord> & { code: string }): PatternRecord => ({
  companyId: 'c',
  updated: UPDATED,
  ...parts,
});

export const analysisRecord = (analysisKey: string): AnalysisRecord => ({
  companyId: 'c',
  analysisKey,
  data: {
    analyses: {
      tone: {
        total_messages: 100,
        total_replies: 5,
        levels: [
          {
            level: 'direct',
            label: 'direct',
            code: 'TA-1',
            messages: 100,
            replies: 5,
            share: 1,
            reply_rate: RATE,
          },
        ],
      },
    },
    recommendations: [{ code: 'TA-1', tier: 0 }],
  },
  metadata: { metric: analysisKey.replace(/_analysis$/, ''), version: '2.0', updated: UPDATED },
});

export const TONE_ANALYSIS = analysisRecord('tone_analysis');

export const ARM: ArmRecord = {
  channel: 'email',
  position: 'vp',
  alpha: 5,
  beta: 95,
  interval_target: 'next_30_days_mean_rate',
  posterior_mean: 0.05,
  posterior_variance: 0.0005,
  ci_low: 0.02,
  ci_high: 0.1,
  interval_type: 'equal_tailed_95',
  current_low: 0.022,
  current_high: 0.09,
  data_from: '2025-06-02',
  memory_days: 74.2,
  forward_sd: 0.08,
  data_source: 'migration',
  observations: 12,
  replies: 1,
  effective_n: 11,
  own_data_share: 0.3,
  prior_weight: 0.7,
  market_mean: 0.0431234,
  immature_share: 0,
  probability_best: 1,
  last_outcome_at: UPDATED,
};

export const BANDIT: BanditDocument = {
  data_as_of: UPDATED,
  engine_version: '1',
  prior: { mean: 0.04, concentration: 30 },
  arms: [ARM],
};

const today = new Date();
const dayBefore = (days: number) => new Date(today.getTime() - days * DAY_MS).toISOString().slice(0, 10);

/** Replies fell five weeks ago, which was told a week ago. */
export const DRIFT: DriftDocument = {
  data_as_of: UPDATED,
  engine_version: '1',
  newest_outcome_at: today.toISOString(),
  channels: [
    {
      channel: 'email',
      look_possible: true,
      looked_through: dayBefore(14),
      statistic: 1.2,
      threshold: 5.75,
      data_from: dayBefore(35),
      settled_replies: 31,
      rate: RATE,
      last_sent_on: dayBefore(1),
      newest_outcome_at: today.toISOString(),
      changes: [
        {
          channel: 'email',
          since: dayBefore(35),
          settled_on: dayBefore(21),
          told_at: dayBefore(7),
          direction: 'down',
          ratio: 0.5,
          before: RATE,
          after: RATE,
          statistic: 9,
          scope: { kind: 'position', value: 'vp' },
        },
      ],
      recounted_at: null,
      mix: { distance: 0.3, alert: true },
      volume: { ratio: null, alert: false },
      campaigns: 2,
    },
  ],
};

export const INSIGHTS: ContactInsights = {
  total_messages: 7,
  total_opens: 3,
  total_replies: 1,
  total_meetings: 0,
  analyses_included: 1,
  by_analysis: [
    {
      analysisKey: 'general_analysis',
      total_messages: 7,
      total_opens: 3,
      total_replies: 1,
      total_meetings: 0,
    },
  ],
};
