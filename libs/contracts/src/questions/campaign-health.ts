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
import { CAMPAIGN_HEALTH_EXAMPLE } from './examples/campaign-health';
import { CAMPAIGNS_HEALTH_EXAMPLE } from './examples/campaigns-health';
import { CAMPAIGN_DAYS, campaignId, channel, limitOf } from './parts/arguments';
import { WINDOW } from './parts/counted-window';
import { CAMPAIGN_VARIANTS } from './parts/evidence';
import { resultOf, TRUST } from './parts/frame';
import { HEALTH_STATUSES, HEALTH_STATUS_MEANING } from './parts/health-statuses';
import { DATA_SOURCE, intervalOf, OUTCOME_COUNTS, rateOf } from './parts/rates';
import { SIMILAR_CAMPAIGN_IDS } from './parts/similar-campaigns';
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

const CAMPAIGN_ROW = record({
  campaign_id: text('Campaign, as sent at ingestion.'),
  status: known(HEALTH_STATUSES, HEALTH_STATUS_MEANING),
  issues: texts('Codes of what drives the status, worst first.'),
  sample_size: count('Settled messages in the window.'),
  pending: count('Messages too young to count as answered or not.'),
  reply_rate: rateOf('Share of settled messages that were answered.'),
  reply_ratio: intervalOf('Replies observed over expected, shrunk; 1 is as expected.'),
  bounce_rate: nullable(share('Share of the messages of the window that bounced.')),
  unsubscribe_rate: nullable(share('Share of them that led to an unsubscribe.')),
  first_sent_at: timestamp('First message of the campaign.'),
  last_sent_at: timestamp('Last message of the campaign.'),
});

export const CAMPAIGN_HEALTH = question({
  name: 'CampaignHealth',
  arguments: {
    campaign_id: campaignId(
      'Campaign, exactly as sent at ingestion in metadata.campaign_id or metadata.sequence_id. Leave out to list all, worst first.',
    ),
    window_days: CAMPAIGN_DAYS,
    channel: channel('Only this channel, variants aside. Default: all.'),
    limit: limitOf('Most campaigns to list without campaign_id.', 100, 10),
  },
  required: [],
  result: resultOf({
    campaign_id: nullable(text('Campaign the answer is about; null where it is about all.')),
    similar_campaign_ids: SIMILAR_CAMPAIGN_IDS,
    campaign_count: count(
      'Campaigns that the answer is about: 1, 0 where it is unknown, or all that were judged.',
    ),
    by_status: record(
      {
        insufficient_data: count('Campaigns.'),
        healthy: count('Campaigns.'),
        watch: count('Campaigns.'),
        critical: count('Campaigns.'),
      },
      'Campaigns by status. Without campaign_id all that sent in the window: of the 100 latest to send, or fewer where they are very large.',
    ),
    campaigns: list(
      CAMPAIGN_ROW,
      'Without campaign_id: all, worst first. All other fields are of them together, and by_step, issues, changes and variants are empty.',
    ),
    window: WINDOW,
    status: known(HEALTH_STATUSES, HEALTH_STATUS_MEANING),
    sample_size: count('Settled messages in the window.'),
    pending: count('Messages too young to count as answered or not; left out of the rates.'),
    outcomes: OUTCOME_COUNTS,
    replied_and_unsubscribed: count(
      'Messages of the window answered by asking to be removed. They count as unsubscribes, not as replies.',
    ),
    unique_recipients: nullable(
      count(
        'Distinct contacts messaged; null above 20,000 messages. Without campaign_id summed over campaigns.',
      ),
    ),
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
      'Replies against expectation. So an easier audience does not look like a better campaign. Of one that is over half of what its company sent, and of all together, the ratio is that of their own reply rate, not shrunk.',
    ),
    baseline: record(
      {
        reply_rate: rateOf('Company reply rate in the same window.'),
        difference: nullable(number('Campaign minus company reply rate.')),
        probability_below: nullable(
          share(
            'Probability that the campaign replies worse than the rest of the company; null where it is all that the company sent.',
          ),
        ),
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
        since: day(
          'Likeliest first send day after the change: mostly exact with thousands of messages a day, else often a day early; with few it may be some days off.',
        ),
        direction: known(['up', 'down'], 'Whether replies rose or fell.'),
        before: rateOf("The campaign's own reply rate before it, over its whole life."),
        after: rateOf("The campaign's own reply rate since then."),
      }),
      "The last change of each of its channels. With the campaign's own rates on both sides.",
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
    {
      path: '/intelligence/campaigns/health',
      operation: 'campaignsHealth',
      example: CAMPAIGNS_HEALTH_EXAMPLE,
      says: 'Health of the campaigns, worst first.',
      summary: 'Health of all campaigns',
      description:
        'Campaigns that sent in the window, worst first, each judged as in the answer about it alone. Like get_campaign_health without campaign_id.',
    },
  ],
  tool: {
    name: 'get_campaign_health',
    title: 'Campaign health check',
    description:
      "Reports how campaigns are doing over a recent window: without campaign_id all of them, worst first; with one its outcomes, reply, bounce and unsubscribe rates with 95 % intervals, replies against what its audience would be expected to give, the issues behind its status, and its variants. Use this tool when looking for a campaign in trouble, or before scaling one up. For what to change in the messages use get_campaign_recommendations; for whether the learned model still holds, get_drift_state; for one prospect, get_recipient_intelligence. Reply rates count messages that have settled (email after 14 days, LinkedIn after 21) and were sent since replies last changed; young ones are pending. Widen window_days on small_sample. An unknown campaign_id is no error: alert campaign_not_found, and similar_campaign_ids. Uses 1 call of the key's quota.",
  },
  example: CAMPAIGN_HEALTH_EXAMPLE,
});
export type CampaignHealth = Answer<typeof CAMPAIGN_HEALTH>;
export type CampaignHealthQuery = Arguments<typeof CAMPAIGN_HEALTH>;
