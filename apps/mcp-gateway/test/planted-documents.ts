import {
  CHANNELS,
  POSITIONS,
  type ArmRecord,
  type BanditDocument,
  type DriftDocument,
  type PatternRecord,
} from '@outcomes/contracts';

const RATE = { value: 0.08, ci_low: 0.05, ci_high: 0.12, n: 400 };

/** More arms than are returned, so that the default page is as large as it gets. */
export function bandit(dataAsOf: string): BanditDocument {
  const arms = CHANNELS.flatMap((channel) =>
    POSITIONS.map((position, index): ArmRecord => {
      const alpha = 8.123456789 + index;
      const beta = 191.987654321 - index;
      const mean = alpha / (alpha + beta);
      return {
        channel,
        position,
        alpha,
        beta,
        posterior_mean: mean,
        posterior_variance: (mean * (1 - mean)) / (alpha + beta + 1),
        ci_low: mean * 0.512345678,
        ci_high: mean * 1.612345678,
        interval_type: 'equal_tailed_95',
        data_source: index % 3 === 0 ? 'migration' : 'live',
        observations: 1234,
        replies: 56,
        effective_n: 812.2345678,
        own_data_share: 0.8123456789,
        prior_weight: 0.1876543211,
        immature_share: 0.1123456789,
        probability_best: 1 / 22,
        last_outcome_at: dataAsOf,
      };
    }),
  );
  return { data_as_of: dataAsOf, engine_version: 'test', prior: { mean: 0.034, concentration: 30 }, arms };
}

export function drift(dataAsOf: string): DriftDocument {
  const verdicts = (['all', 'email', 'linkedin'] as const).map((channel) => ({
    channel,
    kind: channel === 'linkedin' ? ('rate' as const) : ('none' as const),
    direction: channel === 'linkedin' ? ('down' as const) : null,
    since: channel === 'linkedin' ? '2026-01-10' : null,
    before: channel === 'linkedin' ? RATE : null,
    after: channel === 'linkedin' ? RATE : null,
    contributing_strata: ['email first_touch vp'],
    statistic: 3.2,
    threshold: 7.1,
    average_run_length_days: 365,
    posteriors_trustworthy: channel !== 'linkedin',
  }));
  return { data_as_of: dataAsOf, engine_version: 'test', verdicts };
}

export function patterns(companyId: string, updated: string): PatternRecord[] {
  return Array.from({ length: 20 }, (_, index) => ({
    companyId,
    code: `TA-${index + 1}`,
    title: '<b>Direct tone</b> gets replies',
    message: 'Messages in a direct tone are answered more often than others, all else equal. Do more of it.',
    type: 'recommendation',
    positive: index % 4 !== 3,
    tier: index < 4 ? 3 : index < 10 ? 2 : 1,
    evidence_tier: index < 4 ? 'confirmed' : index < 10 ? 'likely' : 'directional',
    updated,
    evidence: {
      e_value: 45.6,
      odds_ratio: 1.31,
      odds_ratio_low: 1.12,
      odds_ratio_high: 1.54,
      probability_positive: 0.9987654321,
      lift: 0.287654321,
      with_rate: RATE,
      without_rate: RATE,
      confounding_e_value: 1.9,
      sends_to_decide: null,
      basis: 'observational',
    },
  }));
}
