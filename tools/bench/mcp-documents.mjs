// @ts-check
const frame = {
  schema_version: '1.0.0',
  tenant_id: '00000000-0000-4000-8000-000000000000',
  scope: 'company',
};
const times = { as_of: '2026-01-31T06:00:00.000Z', data_as_of: '2026-01-31T04:00:00.000Z' };

/** get_bandit_state as a company with a year of outcomes gets it by default: ten arms, 5.6 kB. */
const banditState = {
  ...frame,
  summary:
    '22 arms; the best mean is email to vp with a reply rate of 6.1 % (95 % interval 4.9 % to 7.4 %), the best of ' +
    'these with probability 41.2 %. Drift: none. The posteriors may be acted upon.',
  alerts: ['mixed_data_sources', 'results_truncated'],
  ...times,
  arm_count: 22,
  arms: Array.from({ length: 10 }, (_, at) => {
    const alpha = 8.123456789 + at;
    const beta = 191.987654321 - at;
    const mean = alpha / (alpha + beta);
    return {
      channel: at % 2 === 0 ? 'email' : 'linkedin',
      position: ['c_suite', 'vp', 'director', 'manager', 'technical'][at >> 1],
      alpha,
      beta,
      posterior_mean: mean,
      posterior_variance: (mean * (1 - mean)) / (alpha + beta + 1),
      ci_low: mean * 0.512345678,
      ci_high: mean * 1.612345678,
      interval_type: 'equal_tailed_95',
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
};

const period = { from: '2026-01-01', to: '2026-01-14', n: 412, rate: 0.0612345678 };

/** get_drift_state of one channel: 1.3 kB. */
const driftState = {
  ...frame,
  summary: 'Drift: none over 1 test. The posteriors may be acted upon.',
  alerts: [],
  ...times,
  drift_state: 'none',
  posteriors_trustworthy: true,
  tests: [
    {
      channel: 'email',
      metric: 'reply_rate',
      state: 'none',
      method: 'betting e-process',
      statistic: 3.2123456789,
      threshold: 7.1,
      average_run_length_days: 365,
      direction: null,
      before: { value: 0.0612345678, ci_low: 0.0512345678, ci_high: 0.0712345678, n: 4120 },
      after: { value: 0.0622345678, ci_low: 0.0422345678, ci_high: 0.0822345678, n: 412 },
      contributing_strata: ['email first_touch vp'],
      reference: period,
      recent: period,
      first_detected_at: null,
      posteriors_trustworthy: true,
    },
  ],
  recommended_action: 'None; look again after the next daily run.',
};

/** Results by tool, the same for every program that is measured. @type {Record<string, object>} */
export const documents = { get_bandit_state: banditState, get_drift_state: driftState };
