import type {
  AnalysisRecord,
  ArmRecord,
  BanditDocument,
  ContactInsights,
  DriftDocument,
  PatternRecord,
  RateEstimate,
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
  posterior_mean: 0.05,
  posterior_variance: 0.0005,
  ci_low: 0.02,
  ci_high: 0.1,
  interval_type: 'equal_tailed_95',
  data_source: 'migration',
  observations: 12,
  replies: 1,
  effective_n: 11,
  own_data_share: 0.3,
  prior_weight: 0.7,
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

export const DRIFT: DriftDocument = {
  data_as_of: UPDATED,
  engine_version: '1',
  verdicts: [
    {
      channel: 'email',
      kind: 'rate',
      direction: 'down',
      since: '2026-01-20',
      before: RATE,
      after: RATE,
      contributing_strata: [],
      statistic: 9,
      threshold: 7,
      average_run_length_days: 730,
      posteriors_trustworthy: false,
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
