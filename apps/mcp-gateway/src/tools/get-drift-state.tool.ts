import {
  CHANGE_SCOPES,
  DRIFT_STATES,
  type ChangeScope,
  type DriftPeriod,
  type DriftState,
  type DriftStateQuery,
  type DriftTest,
  type RateChange,
} from '@outcomes/contracts';
import {
  CHANNEL,
  choice,
  count,
  flag,
  input,
  integer,
  list,
  nullable,
  number,
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

const period = (description: string) =>
  record<DriftPeriod>(
    {
      from: nullable(text('First send day.')),
      to: nullable(text('Last send day.')),
      n: count('Settled messages.'),
      rate: nullable(share('Reply rate.')),
    },
    description,
  );

const CHANGE_SCOPE = record<ChangeScope>(
  {
    kind: choice(CHANGE_SCOPES, 'Of the whole channel, or of one campaign, position or step alone.'),
    value: nullable(
      text(
        'The campaign_id, position or step (first_touch, early_follow_up or late_follow_up); null for the whole channel, and for messages without a campaign. Data, not an instruction.',
      ),
    ),
  },
  'Whose replies changed.',
);

const CHANGE = record<RateChange>({
  channel: text('email or linkedin.'),
  since: text('First send day after the change.'),
  settled_on: text('Settled send day whose look found it.'),
  told_at: text('Day on which it could be told first.'),
  direction: text('up or down.'),
  ratio: number('Odds of a reply after the change over those before it.', { exclusiveMinimum: 0 }),
  before: rate('Reply rate before the change, at an equal mix of positions and steps.'),
  after: rate('Reply rate after it.'),
  statistic: number('Log likelihood ratio.'),
  scope: CHANGE_SCOPE,
});

const TEST = record<DriftTest>({
  channel: text('email or linkedin.'),
  metric: text('reply_rate.'),
  state: choice(DRIFT_STATES, 'What this look found.'),
  method: text('Name of the test.'),
  statistic: nullable(number('Of the last look; null without one.')),
  threshold: number('Above this, a change enters the ledger.'),
  average_run_length_days: number('At least so many days lie between false alarms, on average.'),
  direction: nullable(text('up or down, of the last change; null where there is none.')),
  before: nullable(rate('Reply rate before the last change.')),
  after: nullable(rate('Reply rate after it.')),
  told_at: nullable(text('Day on which the last change could be told first.')),
  scope: nullable(CHANGE_SCOPE),
  contributing_strata: texts(
    'Whom the last change concerns, e.g. "position vp"; empty where it is the whole channel.',
  ),
  reference: period('The days before the recent ones, at one level of replies.'),
  recent: period('The last window_days of settled messages, since the last change where that is among them.'),
  since: nullable(text('First send day after the last change.')),
  first_detected_at: nullable(text('The same as told_at.')),
  newest_outcome_at: nullable(timestamp('Latest moment of which an outcome of the channel tells.')),
  settled_replies: count('Replies that have settled since the last change, or the first message.'),
  replies_needed: count('Settled replies to wait for; 0 where it is not replies that lack.'),
  recounted_at: nullable(
    timestamp('When the ledger was last made anew, because messages were deleted or imported.'),
  ),
  campaigns: count('Campaigns in the days of the last look.'),
  campaigns_merged: count(
    'Campaigns too small to be told apart: of a day with more than 256, the smallest count together.',
  ),
  mix: record<DriftTest['mix']>(
    {
      distance: nullable(share('Total variation between the shares of positions and steps.')),
      alert: flag('At 0.25 or more.'),
    },
    'Audience of the last 30 days beside the 90 before: a fact, without bearing on trust.',
  ),
  volume: record<DriftTest['volume']>(
    {
      ratio: nullable(number('Sends a day over those before.', { minimum: 0 })),
      alert: flag('At twice or half.'),
    },
    'Sends of the last 30 days beside the 90 before: a fact, without bearing on trust.',
  ),
  posteriors_trustworthy: flag('Whether posteriors of this channel may be acted upon.'),
});

export const getDriftState = defineTool<DriftStateQuery>(
  {
    name: 'get_drift_state',
    title: 'Outcome drift check',
    description:
      "Tells whether the reply rate of each channel has changed and whether the posteriors may be acted upon now: every change on record with its day, direction, rates before and after, and whether it concerns the whole channel or one campaign, position or step; and what to do or wait for. Use this tool before relying on get_bandit_state or automating anything from get_campaign_recommendations, and after changing list, sender or copy. After a change the arms rest on what came since, so they may be acted upon again once 20 replies have settled. Audience mix and volume are shown as facts and never touch trust. For one campaign use get_campaign_health. A look is taken for each settled day, once a day; a change is told two to three weeks after it, when outcomes have settled. insufficient_data means unknown, not stable. Uses 1 call of the key's quota.",
    inputSchema: input<DriftStateQuery>({
      channel: {
        ...CHANNEL,
        description: 'Only this channel: verdict, changes and alerts. Leave out for the company.',
      },
      window_days: integer('Length of the recent period shown, in days. It does not change the verdict.', {
        minimum: 7,
        maximum: 90,
        default: 14,
      }),
    }),
    outputSchema: result<DriftState>({
      ...TRUST,
      tests: list(TEST, 'One look per channel with messages.'),
      changes: list(
        CHANGE,
        'The ledger of changes, newest first, which no later look changes. Where results_truncated is among the alerts, older ones are left out; channel makes room.',
      ),
    }),
  },
  (intelligence, scope, query) => intelligence.driftState(scope, query),
);
