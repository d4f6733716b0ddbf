import { CHANNELS } from '../outcomes/dimensions';
import {
  count,
  day,
  flag,
  integer,
  known,
  list,
  nullable,
  number,
  record,
  share,
  text,
  texts,
  timestamp,
  type TypeOf,
} from '../schemas/json-schema';
import { campaignId, channel, chosenFrom, limitOf } from './parts/arguments';
import { EVIDENCE_RECORD, EVIDENCE_TIERS, UNDECIDED, VARIANT_CLAIMS } from './parts/evidence';
import { resultOf, TRUST } from './parts/frame';
import { DATA_SOURCE, rateOf } from './parts/rates';
import { question, type Answer, type Arguments } from './question';

const RECOMMENDATION = record({
  code: text('Pattern code, e.g. TA-3.'),
  title: text('Plain text, no markup.'),
  message: text('What to do, plain text.'),
  category: texts('Category path.'),
  positive: flag('true: do more; false: avoid.'),
  tier: integer('Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional.'),
  evidence_tier: known(EVIDENCE_TIERS, 'The same in words.'),
  channel: nullable(known(CHANNELS, 'Channel measured, null for all.')),
  effect: record(
    {
      with_rate: rateOf('Reply rate with the pattern.'),
      without_rate: rateOf('Reply rate without it.'),
      level_since: nullable(
        day(
          'Where replies changed after counted_since: the rates are at the level of replies since this day. Null where they are as observed.',
        ),
      ),
      lift: nullable(number('Relative change of the reply rate, 0.25 = 25 % more replies.')),
      probability_positive: nullable(share('Probability that the pattern helps.')),
    },
    'Reply rates, since the last change where there was one; lift is compared inside campaign, fortnight, step, position and channel.',
  ),
  /** null where the patterns stem from before an upgrade that is still under way. */
  evidence: nullable(EVIDENCE_RECORD),
  sample_size: count('Messages that show the pattern.'),
  data_source: DATA_SOURCE,
  updated: timestamp('Last recompute.'),
});
export type Recommendation = TypeOf<typeof RECOMMENDATION>;

export const CAMPAIGN_RECOMMENDATIONS = question({
  name: 'CampaignRecommendations',
  arguments: {
    campaign_id: campaignId('Campaign you are asking for. Echoed only; the list stays company-wide.'),
    channel: channel(
      'Channel you are writing for: posteriors_trustworthy is about it. It leaves no recommendation out.',
    ),
    direction: chosenFrom(
      ['all', 'do_more', 'avoid'],
      'do_more keeps recommended patterns, avoid keeps harmful ones.',
      'all',
    ),
    min_evidence_tier: chosenFrom(
      ['directional', 'likely', 'confirmed'],
      'Weakest tier to include: directional (hint), likely, confirmed (strongest).',
      'directional',
    ),
    limit: limitOf(
      'Most recommendations to return; the catalogue has 51 codes. Left out: 10, or fewer where the answer would become large.',
      51,
      10,
    ),
  },
  required: [],
  result: resultOf({
    requested_campaign_id: nullable(text('campaign_id as given, else null.')),
    recommendation_count: count('Recommendations that match the filters, before limit.'),
    recommendations: list(RECOMMENDATION, 'Strongest first.'),
    by_evidence_tier: record(
      { confirmed: count('Matches.'), likely: count('Matches.'), directional: count('Matches.') },
      'Matches per tier, before limit.',
    ),
    variants: VARIANT_CLAIMS,
    undecided: UNDECIDED,
    ...TRUST,
  }),
  rest: [
    {
      path: '/intelligence/recommendations',
      operation: 'recommendations',
      says: 'Recommendations, strongest evidence first.',
      summary: 'Recommendations',
      description:
        'What to do more of and what to avoid, in plain text. Recommendations are company-wide: campaign_id is echoed and never filters. Like get_campaign_recommendations.',
    },
  ],
  tool: {
    name: 'get_campaign_recommendations',
    title: 'Message-pattern recommendations',
    description:
      "Lists message-pattern recommendations learned from your company's outcomes, strongest evidence first: what to do more of or avoid in tone, length, subject, personalization and send time, with the measured effect. Use this tool when deciding how to write or schedule the next messages. Results are company-wide and over all channels: campaign_id and channel never leave any out, the second narrows posteriors_trustworthy, the first only adds the alert recommendations_are_company_scoped_not_per_campaign. To diagnose one campaign use get_campaign_health; to tailor to one person, get_recipient_intelligence; for channel-by-position odds, get_bandit_state. Set min_evidence_tier to confirmed before acting without human review; up to half of the directional ones may be wrong. undecided says of the other patterns why nothing is claimed and what to send to find out; variants lists texts that beat the others of their campaign. Recomputed daily; an empty list means too little evidence so far, not an error. Uses 1 call of the key's quota.",
  },
});
export type CampaignRecommendations = Answer<typeof CAMPAIGN_RECOMMENDATIONS>;
export type CampaignRecommendationsQuery = Arguments<typeof CAMPAIGN_RECOMMENDATIONS>;
