import { CHANNELS } from '../outcomes/dimensions';
import { EVIDENCE_TIERS } from '../read-model/documents';
import {
  HEALTH_STATUSES,
  type CampaignHealth,
  type CampaignList,
  type CampaignRecommendations,
  type CountedWindow,
  type HealthIssue,
  type Recommendation,
} from '../read-model/results';
import {
  choice,
  count,
  day,
  flag,
  integer,
  list,
  nullable,
  number,
  record,
  share,
  text,
  texts,
  timestamp,
} from './json-schema';
import { CAMPAIGN_VARIANTS, EVIDENCE_RECORD_SCHEMA, UNDECIDED, VARIANT_CLAIMS } from './evidence-parts';
import { DATA_SOURCE, NEXT_CURSOR, OUTCOME_COUNTS, rateSchema, resultSchema, TRUST } from './shared-parts';

const WINDOW = record<CountedWindow>(
  {
    from: nullable(timestamp('Start of the window, inclusive.')),
    to: nullable(timestamp('End of the window, exclusive: the end of the day of newest_outcome_at.')),
    days: integer('Length in days.', { minimum: 1 }),
    settled: list(
      record<CountedWindow['settled'][number]>({
        channel: choice(CHANNELS, 'Channel.'),
        from: nullable(day('First send day that counts; null where none does.')),
        to: nullable(day('Last send day that counts.')),
        days: count('Days from the one to the other.'),
      }),
      'Send days of the window that reply rates count: settled (email after 14 days, LinkedIn after 21) and since replies on the channel last changed.',
    ),
  },
  'Period the counts cover.',
);

/** Result of GET /intelligence/campaigns. */
export const CAMPAIGN_LIST_SCHEMA = resultSchema<CampaignList>({
  campaign_count: count('Campaigns of the company.'),
  window: WINDOW,
  campaigns: list(
    record<CampaignList['campaigns'][number]>({
      campaign_id: text('Campaign, as sent at ingestion.'),
      status: choice(
        HEALTH_STATUSES,
        'Worst issue first decides; insufficient_data means unknown, not healthy.',
      ),
      sample_size: count('Settled messages in the window.'),
      reply_rate: rateSchema('Share of settled messages that were answered.'),
      first_sent_at: timestamp('First message of the campaign.'),
      last_sent_at: timestamp('Last message of the campaign.'),
    }),
    'In order of their id.',
  ),
  next_cursor: NEXT_CURSOR,
  ...TRUST,
});

/** Result of get_campaign_health. */
export const CAMPAIGN_HEALTH_SCHEMA = resultSchema<CampaignHealth>({
  campaign_id: text('Campaign the answer is about.'),
  similar_campaign_ids: texts('Up to 10 recent campaign ids, only where campaign_id is unknown.'),
  window: WINDOW,
  status: choice(HEALTH_STATUSES, 'Worst issue first decides; insufficient_data means unknown, not healthy.'),
  sample_size: count('Settled messages in the window.'),
  pending: count('Messages too young to count as answered or not; left out of the rates.'),
  outcomes: OUTCOME_COUNTS,
  replied_and_unsubscribed: count(
    'Messages of the window answered by a reply that asks to be removed. They count as unsubscribes, not as replies.',
  ),
  unique_recipients: count('Distinct contacts messaged.'),
  reply_rate: rateSchema('Share of settled messages that were answered.'),
  bounce_rate: rateSchema('Share of all messages that bounced.'),
  unsubscribe_rate: rateSchema('Share of all messages that led to an unsubscribe.'),
  replies: record<CampaignHealth['replies']>(
    {
      observed: count('Replies seen.'),
      expected: nullable(number('Replies expected of the same channels, positions and steps.')),
      ratio: nullable(number('Observed over expected, shrunk; 1 is as expected.')),
      ci_low: nullable(number('Lower end of its 95 % interval.')),
      ci_high: nullable(number('Upper end of its 95 % interval.')),
    },
    'Replies against expectation, so that an easier audience does not look like a better campaign.',
  ),
  baseline: record<CampaignHealth['baseline']>(
    {
      reply_rate: rateSchema('Company reply rate in the same window.'),
      difference: nullable(number('Campaign minus company reply rate.')),
      probability_below: nullable(share('Probability that the campaign replies worse than the company.')),
    },
    'Company-wide figures for the same window.',
  ),
  by_step: list(
    record<CampaignHealth['by_step'][number]>({
      sequence_step: count('Zero-based step.'),
      channel: choice(CHANNELS, 'Channel.'),
      sent: count('Settled messages.'),
      responded: count('Replies.'),
    }),
    'Per sequence step, in order.',
  ),
  issues: list(
    record<HealthIssue>({
      code: text('Same code as in alerts where one exists.'),
      severity: choice(['info', 'warning', 'critical'], 'How far to act on it.'),
      message: text('What was seen.'),
      suggested_action: text('What to do.'),
      value: nullable(number('The number behind the issue.')),
      ci_low: nullable(number('Lower end of its 95 % interval.')),
      ci_high: nullable(number('Upper end of its 95 % interval.')),
    }),
    'What drives the status, worst first.',
  ),
  changes: list(
    record<CampaignHealth['changes'][number]>({
      channel: choice(CHANNELS, 'Channel whose reply rate changed.'),
      since: day('First send day after the change.'),
      direction: choice(['up', 'down'], 'Whether replies rose or fell.'),
      before: rateSchema("The campaign's own reply rate before it, over its whole life."),
      after: rateSchema("The campaign's own reply rate since then."),
    }),
    "The last change of each of its channels, with the campaign's own rates on both sides.",
  ),
  variants: CAMPAIGN_VARIANTS,
  first_sent_at: nullable(timestamp('First message of the campaign.')),
  last_sent_at: nullable(timestamp('Last message of the campaign.')),
  data_source: DATA_SOURCE,
  own_data_share: share("Share of the reply rate's weight that is the campaign's own outcomes."),
  ...TRUST,
});

/** Result of get_campaign_recommendations. */
export const CAMPAIGN_RECOMMENDATIONS_SCHEMA = resultSchema<CampaignRecommendations>({
  requested_campaign_id: nullable(text('campaign_id as given, else null.')),
  recommendation_count: count('Recommendations that match the filters, before limit.'),
  recommendations: list(
    record<Recommendation>({
      code: text('Pattern code, e.g. TA-3.'),
      title: text('Plain text, no markup.'),
      message: text('What to do, plain text.'),
      category: texts('Category path.'),
      positive: flag('true: do more; false: avoid.'),
      tier: integer('Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional.'),
      evidence_tier: choice(EVIDENCE_TIERS, 'The same in words.'),
      channel: nullable(choice(CHANNELS, 'Channel measured, null for all.')),
      effect: record<Recommendation['effect']>(
        {
          with_rate: rateSchema('Reply rate with the pattern.'),
          without_rate: rateSchema('Reply rate without it.'),
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
      evidence: nullable(EVIDENCE_RECORD_SCHEMA),
      sample_size: count('Messages that show the pattern.'),
      data_source: DATA_SOURCE,
      updated: timestamp('Last recompute.'),
    }),
    'Strongest first.',
  ),
  by_evidence_tier: record<CampaignRecommendations['by_evidence_tier']>(
    { confirmed: count('Matches.'), likely: count('Matches.'), directional: count('Matches.') },
    'Matches per tier, before limit.',
  ),
  variants: VARIANT_CLAIMS,
  undecided: UNDECIDED,
  ...TRUST,
});
