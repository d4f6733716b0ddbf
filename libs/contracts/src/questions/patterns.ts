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
      title: 'Do more of this: <b>Direct tone</b> (more replies)',
      message:
        'Write more of your messages in a <b>direct</b> tone: state the reason and the request in the first two lines. Inside 14 campaigns, at least 62 texts of this kind were compared with at least 91 others: such messages got <b>45% more</b> replies (95% interval: 20% to 75% more, however often one looks). Who got which was not drawn by lot, so something else may be behind it.',
      type: 'recommendation',
      positive: true,
      tier: 3,
      evidence_tier: 'confirmed',
      evidence: {
        ...{ e_value: 2_140, odds_ratio: 1.48, odds_ratio_low: 1.21, odds_ratio_high: 1.81 },
        ...{
          odds_ratio_expected: 1.45,
          probability_positive: 0.9998,
          lift: 0.45,
          lift_low: 0.2,
          lift_high: 0.75,
        },
        with_rate: { value: 0.062, ci_low: 0.056, ci_high: 0.068, n: 6_204 },
        without_rate: { value: 0.043, ci_low: 0.041, ci_high: 0.045, n: 31_010 },
        ...{
          n_campaigns: 14,
          n_campaigns_with: 16,
          n_campaigns_without: 14,
          n_texts_with: 62.3,
          n_texts_without: 91,
          compared_share: 0.94,
        },
        ...{
          counted_since: '2025-06-05',
          confounding_e_value: 2.3,
          confounding_e_value_limit: 1.7,
          sends_to_decide: 0,
          trial_sends: null,
        },
        basis: 'observational',
      },
      first_confirmed_at: '2026-01-12T08:00:00.000Z',
      updated: EXAMPLE_TIME,
    },
  ],
});
