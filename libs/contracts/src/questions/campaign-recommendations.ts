import { CHANNELS } from '../outcomes/dimensions';
import { ADVICE_KINDS } from '../patterns/catalogue';
import {
  choice,
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
import { CAMPAIGN_RECOMMENDATIONS_EXAMPLE } from './examples/campaign-recommendations';
import { campaignId, channel, chosenFrom, limitOf } from './parts/arguments';
import { EVIDENCE_RECORD, EVIDENCE_TIERS, UNDECIDED, VARIANT_CLAIMS } from './parts/evidence';
import { resultOf, TRUST } from './parts/frame';
import { adjustedRateOf, DATA_SOURCE } from './parts/rates';
import { SIMILAR_CAMPAIGN_IDS } from './parts/similar-campaigns';
import { question, type Answer, type Arguments } from './question';

const RECOMMENDATION = record({
  code: text('Pattern code, e.g. TA-3.'),
  title: text('Plain text, no markup.'),
  message: text(
    'What to do and why, plain text. Its figures are of all channels together, whichever was asked for.',
  ),
  category: texts('Category path.'),
  kind: known(
    ADVICE_KINDS,
    'What it is about: content (words, length, form), timing, channel or sequence. Steps of a sequence are described and never recommended: only those who did not answer get a next one.',
  ),
  advice: known(
    ['do_more', 'avoid'],
    'do_more: more replies with it, so use it more; avoid: fewer replies with it, so use it less.',
  ),
  positive: flag('true: do more; false: avoid.'),
  tier: integer('Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional.'),
  evidence_tier: known(EVIDENCE_TIERS, 'The same in words.'),
  channel: nullable(
    known(
      CHANNELS,
      'Channel that rates and gain are of, as asked for; null for all. The effect is of all channels.',
    ),
  ),
  expected_gain: nullable(
    record(
      {
        replies: number(
          'Replies to expect on top in the days: every message does it (do_more), or none does (avoid). Shrunk for luck: of odds_ratio_expected, not of odds_ratio.',
        ),
        ci_low: number(
          'The same at the end of the 95 % interval of the effect nearer to none; below 0: it may cost replies.',
        ),
        ci_high: number('The same at the other end.'),
        days: integer('Horizon in days.', { minimum: 1 }),
        messages: count(
          'Messages sent in as many days, at the volume of the last ones, to which it applies.',
        ),
        share_with: nullable(share('Share of them that have the pattern today; null without any.')),
      },
      'What following it is worth at the volume of today. Null before the first run that counts volumes.',
    ),
  ),
  effect: record(
    {
      with_rate: adjustedRateOf('Reply rate with the pattern.'),
      without_rate: adjustedRateOf('Reply rate without it.'),
      level_since: nullable(
        day(
          'Where replies changed after counted_since: the rates are at the level of replies since this day. Null where they are at the level since counted_since.',
        ),
      ),
      lift: nullable(number('with_rate over without_rate, less 1: 0.25 = 25 % more replies.')),
      lift_low: nullable(number('Lower end of its 95 % interval, valid however often one looks.')),
      lift_high: nullable(number('Upper end of its 95 % interval.')),
      probability_positive: nullable(share('Probability that the pattern helps.')),
    },
    'Reply rates, adjusted, since the last change where there was one.',
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
    campaign_id: campaignId(
      'Gains at the volume of this campaign, and its variants only. Effects stay those of the whole company.',
    ),
    channel: channel(
      'Channel you write for: rates, volume and gain are its own; advice it has no use for (subject lines on LinkedIn) is left out.',
    ),
    kind: choice(ADVICE_KINDS, 'Only advice of this kind.'),
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
      'Most to return, of 51 codes. Left out: 10, or fewer where the answer would become large.',
      51,
      10,
    ),
  },
  required: [],
  result: resultOf({
    requested_campaign_id: nullable(text('campaign_id as given, else null.')),
    recommendation_count: count('Recommendations that match the filters, before limit.'),
    recommendations: list(RECOMMENDATION, 'Largest expected gain in replies first.'),
    volume: record(
      {
        days: integer('Days counted, and horizon of the gains.', { minimum: 1 }),
        messages: count('Messages sent in them, back from the newest send day.'),
        of: known(['company', 'channel', 'campaign'], 'Whose messages.'),
      },
      'Volume that gains are told at.',
    ),
    similar_campaign_ids: SIMILAR_CAMPAIGN_IDS,
    by_evidence_tier: record(
      { confirmed: count('Matches.'), likely: count('Matches.'), directional: count('Matches.') },
      'Matches per tier, before limit.',
    ),
    by_kind: record(
      {
        content: count('Matches.'),
        timing: count('Matches.'),
        channel: count('Matches.'),
        sequence: count('Matches.'),
      },
      'Matches per kind, before limit.',
    ),
    variants: VARIANT_CLAIMS,
    undecided: UNDECIDED,
    ...TRUST,
  }),
  rest: [
    {
      path: '/intelligence/recommendations',
      operation: 'recommendations',
      says: 'Recommendations, largest expected gain first.',
      summary: 'Recommendations',
      description:
        'What to do more of and what to avoid, in plain text, by the replies that it is worth in 30 days. Effects are company-wide; campaign_id and channel say at whose volume the gains are told. Like get_campaign_recommendations.',
    },
  ],
  tool: {
    name: 'get_campaign_recommendations',
    title: 'Message-pattern recommendations',
    description:
      "Lists what to do more of or avoid in wording, timing and channel, learned from your company's outcomes, by the replies to expect in 30 days at your volume (expected_gain), with adjusted reply rates and what the evidence rests on. Use this tool when deciding how to write or schedule the next messages; kind content is about wording alone. Set min_evidence_tier to confirmed before acting without review; up to half of the directional ones may be wrong. undecided says why nothing is claimed of the others and what to send to find out; variants lists texts that beat the others of their campaign. For one campaign use get_campaign_health; for one person, get_recipient_intelligence; for channel-by-position odds, get_bandit_state. Recomputed daily; an empty list means too little evidence so far. Uses 1 call of the key's quota.",
  },
  example: CAMPAIGN_RECOMMENDATIONS_EXAMPLE,
});
export type CampaignRecommendations = Answer<typeof CAMPAIGN_RECOMMENDATIONS>;
export type CampaignRecommendationsQuery = Arguments<typeof CAMPAIGN_RECOMMENDATIONS>;
