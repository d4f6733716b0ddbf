import {
  DOCUMENTS_OF_A_RUN,
  envelopeOf,
  type BanditState,
  type EnvelopeFrame,
  type PatternRecord,
  type ReadDocument,
  type HealthData,
  API_VERSION,
  PERMISSIONS,
  SCHEMA_VERSION,
} from '@outcomes/contracts';

const COMPANY = 'b9a7c1de-5f0f-4a39-9c36-0d7c3a1e2f44';
const AT = new Date('2026-02-03T08:00:00.000Z');

const health: HealthData = {
  status: 'healthy',
  service: 'outcomes-read-api',
  version: API_VERSION,
  timestamp: AT.toISOString(),
  authentication: {
    companyId: COMPANY,
    portalId: null,
    permissions: PERMISSIONS,
    authenticated: true,
  },
  rateLimiting: { remaining: 199, windowMinutes: 15, maxRequests: 200 },
  services: { database: 'operational', rateLimit: 'operational', audit: 'operational' },
  environment: { stage: 'production', region: 'eu-west-1' },
};

const patterns: readonly PatternRecord[] = [
  {
    companyId: COMPANY,
    code: 'TA-1',
    title: 'A <b>direct</b> tone gets more replies',
    message:
      'Inside 14 campaigns, 62 texts with it, 91 without: <b>45% more</b> replies (20% to 75% more, however often one looks). Not assigned at random.',
    type: 'recommendation',
    positive: true,
    tier: 3,
    evidence_tier: 'confirmed',
    evidence: {
      ...{ e_value: 2_140, odds_ratio: 1.48, odds_ratio_low: 1.21, odds_ratio_high: 1.81 },
      ...{ probability_positive: 0.9998, lift: 0.45, lift_low: 0.2, lift_high: 0.75 },
      with_rate: { value: 0.062, ci_low: 0.056, ci_high: 0.068, n: 6_204 },
      without_rate: { value: 0.043, ci_low: 0.041, ci_high: 0.045, n: 31_010 },
      ...{ n_campaigns: 14, n_texts_with: 62.3, n_texts_without: 91, compared_share: 0.94 },
      ...{ counted_since: '2025-06-05', confounding_e_value: 2.3, sends_to_decide: 0, trial_sends: null },
      basis: 'observational',
    },
    first_confirmed_at: '2026-01-12T08:00:00.000Z',
    updated: AT.toISOString(),
  },
];

const bandit: BanditState = {
  schema_version: SCHEMA_VERSION,
  tenant_id: COMPANY,
  scope: 'company',
  summary:
    '1 arm; the best mean is email to vp with a reply rate of 5.0 % (95 % interval 3.3 % to 7.1 %), the best of these ' +
    'with probability 100.0 %. The posteriors may be acted upon.',
  alerts: [],
  as_of: AT.toISOString(),
  data_as_of: '2026-02-03T01:58:40.000Z',
  analysed_at: '2026-02-03T02:00:00.000Z',
  newest_outcome_at: '2026-02-02T16:20:00.000Z',
  arm_count: 1,
  position: null,
  prior: { source: 'market', expected_rate: 0.0474 },
  arms: [
    {
      channel: 'email',
      position: 'vp',
      alpha: 25,
      beta: 475,
      interval_target: 'next_30_days_mean_rate',
      posterior_mean: 0.05,
      posterior_variance: 0.0000948104,
      ci_low: 0.0327,
      ci_high: 0.0707,
      interval_type: 'equal_tailed_95',
      current_low: 0.0336,
      current_high: 0.0698,
      data_from: '2025-06-02',
      memory_days: 74.2,
      forward_sd: 0.08,
      data_source: 'live',
      observations: 520,
      replies: 26,
      effective_n: 470,
      own_data_share: 0.94,
      prior_weight: 0.06,
      market_mean: 0.05,
      immature_share: 0.1,
      probability_best: 1,
      last_outcome_at: '2026-02-02T16:20:00.000Z',
    },
  ],
  drift_state: 'none',
  posteriors_trustworthy: true,
  recommended_action: 'None.',
};

/** What stands beside a document of a run. */
const FRAME: EnvelopeFrame = {
  analysed_at: bandit.analysed_at,
  data_as_of: bandit.data_as_of,
  newest_outcome_at: bandit.newest_outcome_at,
  drift_state: 'none',
  posteriors_trustworthy: true,
  recommended_action: 'None.',
  summary: 'The posteriors may be acted upon.',
  alerts: [],
};

const EXAMPLES: Readonly<Partial<Record<ReadDocument, unknown>>> = {
  Health: health,
  Patterns: patterns,
  FirstAnalysis: {},
  RecipientProfiles: [],
  BanditState: bandit,
};

/** An answer in full for documents that need one to be understood; undefined where the schema says it all. */
export function exampleOf(document: ReadDocument, says: string): unknown {
  if (!(document in EXAMPLES)) return undefined;
  const { timestamp, ...answer } = envelopeOf(EXAMPLES[document], says, AT);
  return { ...answer, ...(DOCUMENTS_OF_A_RUN.has(document) && FRAME), timestamp };
}
