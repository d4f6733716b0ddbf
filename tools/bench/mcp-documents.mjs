// @ts-check
const frame = {
  schema_version: '1.0.0',
  tenant_id: '00000000-0000-4000-8000-000000000000',
  scope: 'company',
};
const times = {
  as_of: '2026-01-31T06:00:00.000Z',
  data_as_of: '2026-01-31T03:58:00.000Z',
  analysed_at: '2026-01-31T04:00:00.000Z',
  newest_outcome_at: '2026-01-30T18:00:00.000Z',
};

/** get_bandit_state as a company with a year of outcomes gets it by default: ten arms, 7.5 kB. */
const banditState = {
  ...frame,
  summary:
    '22 arms; the best mean is email to vp with a reply rate of 6.1 % (95 % interval 4.9 % to 7.4 %), the best of ' +
    'these with probability 41.2 %. The posteriors may be acted upon.',
  alerts: ['mixed_data_sources', 'results_truncated'],
  ...times,
  arm_count: 22,
  position: null,
  arms: Array.from({ length: 10 }, (_, at) => {
    const alpha = 8.123456789 + at;
    const beta = 191.987654321 - at;
    const mean = alpha / (alpha + beta);
    return {
      channel: at % 2 === 0 ? 'email' : 'linkedin',
      position: ['c_suite', 'vp', 'director', 'manager', 'technical'][at >> 1],
      alpha,
      beta,
      interval_target: 'next_30_days_mean_rate',
      posterior_mean: mean,
      posterior_variance: (mean * (1 - mean)) / (alpha + beta + 1),
      ci_low: mean * 0.512345678,
      ci_high: mean * 1.612345678,
      interval_type: 'equal_tailed_95',
      current_low: mean * 0.612345678,
      current_high: mean * 1.512345678,
      data_from: '2025-09-02',
      memory_days: 61.1234567891,
      forward_sd: 0.2123456789,
      data_source: at % 3 === 0 ? 'migration' : 'live',
      observations: 1234 + at,
      replies: 56,
      effective_n: 812.2345678,
      own_data_share: 0.8123456789,
      prior_weight: 0.1876543211,
      immature_share: 0.1123456789,
      probability_best: 1 / 22,
      last_outcome_at: '2026-01-30T18:00:00.000Z',
    };
  }),
  drift_state: 'none',
  posteriors_trustworthy: true,
  recommended_action: 'None.',
};

const period = { from: '2026-01-01', to: '2026-01-14', n: 412, rate: 0.0612345678 };

const before = { value: 0.0612345678, ci_low: 0.0512345678, ci_high: 0.0712345678, n: 4120 };
const after = { value: 0.0422345678, ci_low: 0.0322345678, ci_high: 0.0522345678, n: 1412 };
const scope = { kind: 'position', value: 'vp' };

/** get_drift_state of one channel, with one change: 1.7 kB. */
const driftState = {
  ...frame,
  summary: '1 channel looked at, 1 change on record. The posteriors may be acted upon.',
  alerts: [],
  ...times,
  drift_state: 'none',
  posteriors_trustworthy: true,
  tests: [
    {
      channel: 'email',
      metric: 'reply_rate',
      state: 'none',
      method: 'generalised likelihood ratio over day cuts, days and campaigns apart',
      statistic: 3.2123456789,
      threshold: 5.75,
      average_run_length_days: 365,
      direction: 'down',
      before,
      after,
      told_at: '2025-10-02',
      scope,
      contributing_strata: ['position vp'],
      reference: period,
      recent: period,
      since: '2025-09-02',
      first_detected_at: '2025-10-02',
      newest_outcome_at: '2026-01-30T18:00:00.000Z',
      settled_replies: 61,
      replies_needed: 0,
      recounted_at: null,
      mix: { distance: 0.0812345678, alert: false },
      volume: { ratio: 1.2123456789, alert: false },
      posteriors_trustworthy: true,
    },
  ],
  changes: [
    {
      channel: 'email',
      since: '2025-09-02',
      settled_on: '2025-09-18',
      told_at: '2025-10-02',
      direction: 'down',
      ratio: 0.6123456789,
      before,
      after,
      statistic: 8.1234567891,
      scope,
    },
  ],
  recommended_action: 'None.',
};

/** Results by tool, the same for every program that is measured. @type {Record<string, object>} */
export const documents = { get_bandit_state: banditState, get_drift_state: driftState };
