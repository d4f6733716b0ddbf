import { CHANNELS } from '../outcomes/dimensions';
import {
  count,
  day,
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
import { CAMPAIGN_DAYS, campaignId, channel } from './parts/arguments';
import { WINDOW } from './parts/counted-window';
import { CAMPAIGN_VARIANTS } from './parts/evidence';
import { resultOf, TRUST } from './parts/frame';
import { HEALTH_STATUSES, HEALTH_STATUS_MEANING } from './parts/health-statuses';
import { DATA_SOURCE, OUTCOME_COUNTS, rateOf } from './parts/rates';
import { question, type Answer, type Arguments } from './question';

const ISSUE = record({
  code: text('Same code as in alerts where one exists.'),
  severity: known(['info', 'warning', 'critical'], 'How far to act on it.'),
  message: text('What was seen.'),
  suggested_action: text('What to do.'),
  value: nullable(number('The number behind the issue.')),
  ci_low: nullable(number('Lower end of its 95 % interval.')),
  ci_high: nullable(number('Upper end of its 95 % interval.')),
});
export type HealthIssue = TypeOf<typeof ISSUE>;

export const CAMPAIGN_HEALTH = question({
  name: 'CampaignHealth',
  arguments: { campaign_id: campaignId(), window_days: CAMPAIGN_DAYS, channel: channel() },
  required: ['campaign_id'],
  result: resultOf({
    campaign_id: text('Campaign the answer is about.'),
    similar_campaign_ids: texts('Up to 10 recent campaign ids, only where campaign_id is unknown.'),
    window: WINDOW,
    status: known(HEALTH_STATUSES, HEALTH_STATUS_MEANING),
    sample_size: count('Settled messages in the window.'),
    pending: count('Messages too young to count as answered or not; left out of the rates.'),
    outcomes: OUTCOME_COUNTS,
    replied_and_unsubscribed: count(
      'Messages of the window answered by a reply that asks to be removed. They count as unsubscribes, not as replies.',
    ),
    unique_recipients: count('Distinct contacts messaged.'),
    reply_rate: rateOf('Share of settled messages that were answered.'),
    bounce_rate: rateOf('Share of all messages that bounced.'),
    unsubscribe_rate: rateOf('Share of all messages that led to an unsubscribe.'),
    replies: record(
      {
        observed: count('Replies seen.'),
        expected: nullable(number('Replies expected of the same channels, positions and steps.')),
        ratio: nullable(number('Observed over expected, shrunk; 1 is as expected.')),
        ci_low: nullable(number('Lower end of its 95 % interval.')),
        ci_high: nullable(number('Upper end of its 95 % interval.')),
      },
      'Replies against expectation, so that an easier audience does not look like a better campaign.',
    ),
    baseline: record(
      {
        reply_rate: rateOf('Company reply rate in the same window.'),
        difference: nullable(number('Campaign minus company reply rate.')),
        probability_below: nullable(share('Probability that the campaign replies worse than the company.')),
      },
      'Company-wide figures for the same window.',
    ),
    by_step: list(
      record({
        sequence_step: count('Zero-based step.'),
        channel: known(CHANNELS, 'Channel.'),
        sent: count('Settled messages.'),
        responded: count('Replies.'),
      }),
      'Per sequence step, in order. The 51 rows with most messages, then results_truncated is among the alerts; one channel has no more.',
    ),
    issues: list(ISSUE, 'What drives the status, worst first.'),
    changes: list(
      record({
        channel: known(CHANNELS, 'Channel whose reply rate changed.'),
        since: day('First send day after the change.'),
        direction: known(['up', 'down'], 'Whether replies rose or fell.'),
        before: rateOf("The campaign's own reply rate before it, over its whole life."),
        after: rateOf("The campaign's own reply rate since then."),
      }),
      "The last change of each of its channels, with the campaign's own rates on both sides.",
    ),
    variants: CAMPAIGN_VARIANTS,
    first_sent_at: nullable(timestamp('First message of the campaign.')),
    last_sent_at: nullable(timestamp('Last message of the campaign.')),
    data_source: DATA_SOURCE,
    own_data_share: share("Share of the reply rate's weight that is the campaign's own outcomes."),
    ...TRUST,
  }),
  rest: [
    {
      path: '/intelligence/campaigns/{campaignId}/health',
      operation: 'campaignHealth',
      inPath: { campaignId: 'campaign_id' },
      says: 'Health of one campaign.',
      summary: 'Health of a campaign',
      description:
        'Outcome counts, reply, bounce and unsubscribe rates with 95 % intervals, and what is behind the status. An unknown campaign is no error: its status is insufficient_data, with the alert campaign_not_found. Like get_campaign_health.',
    },
  ],
  tool: {
    name: 'get_campaign_health',
    title: 'Campaign health check',
    description:
      "Reports how one campaign is doing over a recent window: outcome counts, reply, bounce and unsubscribe rates with 95 % intervals, replies against what its audience would be expected to give, the gap to the company, the issues behind its status, and its variants. Use this tool when a campaign under-performs, or before scaling it up. For what to change in the messages use get_campaign_recommendations; for whether the learned model still holds, get_drift_state; for a single prospect, get_recipient_intelligence. posteriors_trustworthy is about the channels of the campaign; replies against expectation rest on them, and a campaign whose replies fell with its channel is not healthy. Reply rates count messages that have settled (email after 14 days, LinkedIn after 21) and were sent since replies last changed: window.settled says which days; young ones are pending. Widen window_days on small_sample. An unknown campaign_id is no error: alert campaign_not_found, and similar_campaign_ids. Uses 1 call of the key's quota.",
  },
});
export type CampaignHealth = Answer<typeof CAMPAIGN_HEALTH>;
export type CampaignHealthQuery = Arguments<typeof CAMPAIGN_HEALTH>;
