import {
  CAMPAIGN_VARIANTS,
  HEALTH_STATUSES,
  type CampaignHealth,
  type CampaignHealthQuery,
  type HealthIssue,
} from '@outcomes/contracts';
import {
  CAMPAIGN_ID,
  CHANNEL,
  choice,
  count,
  DATA_SOURCE,
  input,
  integer,
  list,
  nullable,
  number,
  OUTCOME_COUNTS,
  rate,
  record,
  result,
  share,
  text,
  texts,
  timestamp,
  TRUST,
} from '../json-schema';
import { defineTool } from './definition';

export const getCampaignHealth = defineTool<CampaignHealthQuery>(
  {
    name: 'get_campaign_health',
    title: 'Campaign health check',
    description:
      "Reports how one campaign is doing over a recent window: outcome counts, reply, bounce and unsubscribe rates with 95 % intervals, replies against what its own audience would be expected to give, the gap to your company baseline, the issues behind its status, and its variants against each other. Use this tool when one campaign under-performs, or before scaling it up. For what to change in the messages use get_campaign_recommendations; for whether the learned model still holds, get_drift_state; for a single prospect, get_recipient_intelligence. posteriors_trustworthy is about the channels of the campaign; replies against expectation rest on them, and a campaign whose replies fell with its channel is not healthy. Reply rates count messages that have settled (email after 14 days, LinkedIn after 21, so a window_days below 15 counts none) and were sent since replies last changed: window.settled says which days; young messages are pending. Widen window_days when small_sample is among the alerts. Figures end at newest_outcome_at. An unknown campaign_id is not an error: status is insufficient_data with the alert campaign_not_found. Uses 1 call of the key's quota.",
    inputSchema: input<CampaignHealthQuery>(
      {
        campaign_id: CAMPAIGN_ID,
        window_days: integer(
          'Look-back in days, ending at newest_outcome_at; below 15 nothing has settled.',
          {
            minimum: 1,
            maximum: 365,
            default: 30,
          },
        ),
        channel: CHANNEL,
      },
      ['campaign_id'],
    ),
    outputSchema: result<CampaignHealth>({
      campaign_id: text('Campaign the answer is about.'),
      similar_campaign_ids: texts('Up to 10 recent campaign ids, only where campaign_id is unknown.'),
      window: record<CampaignHealth['window']>(
        {
          from: nullable(text('First send day, inclusive.')),
          to: nullable(text('End of the window, exclusive: the end of the day of newest_outcome_at.')),
          days: integer('Length in days.'),
          settled: list(
            record<CampaignHealth['window']['settled'][number]>({
              channel: text('Channel.'),
              from: nullable(text('First send day that counts; null where none does.')),
              to: nullable(text('Last send day that counts.')),
              days: count('Days from the one to the other.'),
            }),
            'Send days that reply rates count: settled, and since replies on the channel last changed.',
          ),
        },
        'Period the counts cover.',
      ),
      status: choice(
        HEALTH_STATUSES,
        'Worst issue first decides; insufficient_data means unknown, not healthy.',
      ),
      sample_size: count('Settled messages in the window.'),
      pending: count('Messages too young to count as answered or not; left out of the rates.'),
      outcomes: OUTCOME_COUNTS,
      replied_and_unsubscribed: count(
        'Messages answered by a reply that asks to be removed. They count as unsubscribes, not as replies.',
      ),
      unique_recipients: count('Distinct contacts messaged.'),
      reply_rate: rate('Share of settled messages that were answered.'),
      bounce_rate: rate('Share of all messages that bounced.'),
      unsubscribe_rate: rate('Share of all messages that led to an unsubscribe.'),
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
          reply_rate: rate('Company reply rate in the same window.'),
          difference: nullable(number('Campaign minus company reply rate.')),
          probability_below: nullable(share('Probability that the campaign replies worse than the company.')),
        },
        'Company-wide figures for the same window.',
      ),
      by_step: list(
        record<CampaignHealth['by_step'][number]>({
          sequence_step: count('Zero-based step.'),
          channel: text('Channel.'),
          sent: count('Settled messages.'),
          responded: count('Replies.'),
        }),
        'Per sequence step, in order: the 51 rows with most messages, then results_truncated is among the alerts; one channel has no more.',
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
          channel: text('Channel whose reply rate changed.'),
          since: text('First send day after the change.'),
          direction: text('up or down.'),
          before: rate("The campaign's own reply rate before it."),
          after: rate("The campaign's own reply rate since then."),
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
  },
  (intelligence, scope, query) => intelligence.campaignHealth(scope, query),
);
