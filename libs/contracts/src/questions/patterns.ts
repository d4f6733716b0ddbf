import { list, reference } from '../schemas/json-schema';
import { EXAMPLE_COMPANY, EXAMPLE_TIME } from './parts/examples';
import type { PatternRecord } from './parts/pattern-record';
import { question } from './question';

export const PATTERNS = question({
  name: 'Patterns',
  arguments: {},
  required: [],
  result: list(
    reference<PatternRecord>('PatternRecord'),
    'Highest tier first; empty where there is no analysis.',
  ),
  ofRun: true,
  rest: [
    {
      path: '/patterns',
      operation: 'patterns',
      says: 'Pattern recommendations, strongest evidence first.',
      empty: 'No patterns yet: they follow once outcomes sent to POST /ingest/events are processed.',
      summary: 'Pattern recommendations',
      description:
        'What to do more of and what to avoid, by descending tier. Records with -OBS- in their code are observations without evidence yet. Empty before the first run.',
    },
  ],
  example: [
    {
      companyId: EXAMPLE_COMPANY,
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
      updated: EXAMPLE_TIME,
    },
  ],
});
