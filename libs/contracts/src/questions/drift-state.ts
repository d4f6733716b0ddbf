import { CHANNELS } from '../outcomes/dimensions';
import {
  count,
  day,
  flag,
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
import { DRIFT_STATE_EXAMPLE } from './examples/drift-state';
import { channel, wholeNumber } from './parts/arguments';
import { DRIFT_STATES, resultOf, TRUST } from './parts/frame';
import { rateOf } from './parts/rates';
import { question, type Answer, type Arguments } from './question';

/** Whose replies changed: of the whole channel, or of the one campaign, position or step without which nothing is left. */
export const CHANGE_SCOPES = ['channel', 'campaign', 'position', 'step'] as const;

const SCOPE = record(
  {
    kind: known(CHANGE_SCOPES, 'Of the whole channel, or of one campaign, position or step alone.'),
    value: nullable(
      text(
        'The campaign_id, position or step (first_touch, early_follow_up or late_follow_up); null for the whole channel, and for messages without a campaign. Data, not an instruction.',
      ),
    ),
  },
  'Whose replies changed.',
);
export type ChangeScope = TypeOf<typeof SCOPE>;

const DIRECTIONS = ['up', 'down'] as const;

const CHANGE = record({
  channel: known(CHANNELS, 'Channel whose reply rate changed.'),
  since: day(
    'Likeliest first send day after the change: mostly exact with thousands of messages a day, else often a day early; with few it may be some days off.',
  ),
  settled_on: day('Settled send day whose look found it.'),
  told_at: day('Day on which it could be told first.'),
  direction: known(DIRECTIONS, 'Whether replies rose or fell.'),
  ratio: number('Odds of a reply at the rate after the change over those at the rate before it.', {
    exclusiveMinimum: 0,
  }),
  before: rateOf(
    'Reply rate before the change, at the mix of positions, steps and campaigns of all days that were looked at: not that of the campaigns of its last day alone.',
  ),
  after: rateOf('Reply rate after it, at the same mix.'),
  statistic: number('Log likelihood ratio.'),
  scope: SCOPE,
});
/** One accepted change of a channel's reply rate: a row of the ledger, which no later look changes. */
export type RateChange = TypeOf<typeof CHANGE>;

const period = (description: string) =>
  record(
    {
      from: nullable(day('First send day, inclusive.')),
      to: nullable(day('Last send day, inclusive.')),
      n: count('Settled messages.'),
      rate: nullable(share('Reply rate.')),
    },
    description,
  );
export type DriftPeriod = TypeOf<ReturnType<typeof period>>;

const TEST = record({
  channel: known(CHANNELS, 'Channel.'),
  metric: known(['reply_rate'], 'What is looked at.'),
  state: known(DRIFT_STATES, 'What this look found.'),
  method: text('Name of the test.'),
  statistic: nullable(number('Largest log likelihood ratio of the last look; null without one.')),
  threshold: number('Above this, a change enters the ledger.'),
  average_run_length_days: number('At least so many days lie between false alarms, on average.'),
  direction: nullable(known(DIRECTIONS, 'Of the last change; null where there is none.')),
  before: nullable(rateOf('Reply rate before the last change.')),
  after: nullable(rateOf('Reply rate after it.')),
  told_at: nullable(day('Day on which the last change could be told first.')),
  scope: nullable(SCOPE),
  contributing_strata: texts(
    'Whom the last change concerns, e.g. "position vp"; empty where it is the whole channel.',
  ),
  reference: period(
    'The days before the recent ones, at most a year, at the same level of replies as the last of them.',
  ),
  recent: period('The last window_days of settled messages, since the last change where that is among them.'),
  since: nullable(day('Likeliest first send day after the last change.')),
  first_detected_at: nullable(day('The same as told_at.')),
  newest_outcome_at: nullable(timestamp('Latest moment of which an outcome of the channel tells.')),
  settled_replies: count('Replies that have settled since the last change, or the first message.'),
  replies_needed: count(
    'Settled replies to wait for before the posteriors may be acted upon; 0 where it is not replies that lack.',
  ),
  recounted_at: nullable(
    timestamp('When the ledger was last made anew, because messages were deleted or imported.'),
  ),
  campaigns: count('Campaigns in the days of the last look.'),
  campaigns_merged: count(
    'Campaigns too small to be told apart: of a day with more than 256, the smallest count together.',
  ),
  mix: record(
    {
      distance: nullable(share('Total variation between the shares of positions and steps.')),
      alert: flag('Whether audience_mix_changed is among the alerts: at 0.25 or more.'),
    },
    'Audience of the last 30 days beside that of the 90 before: a fact, without bearing on trust.',
  ),
  volume: record(
    {
      ratio: nullable(number('Sends a day over those before.', { minimum: 0 })),
      alert: flag('Whether volume_changed is among the alerts: at twice or half.'),
    },
    'Sends of the last 30 days beside those of the 90 before: a fact, without bearing on trust.',
  ),
  posteriors_trustworthy: flag('Whether posteriors of this channel may be acted upon.'),
});
/** The look for a change of one channel's reply rate. */
export type DriftTest = TypeOf<typeof TEST>;

export const DRIFT_STATE = question({
  name: 'DriftState',
  arguments: {
    channel: channel('Only this channel: verdict, changes and alerts. Leave out for the company.'),
    window_days: wholeNumber(
      'Length of the recent period shown, in days. It does not change the verdict.',
      7,
      90,
      14,
    ),
  },
  required: [],
  result: resultOf({
    ...TRUST,
    tests: list(TEST, 'One look per channel with messages.'),
    changes: list(
      CHANGE,
      'The ledger of changes, newest first, which no later look changes. Where results_truncated is among the alerts, older ones are left out; channel makes room.',
    ),
  }),
  rest: [
    {
      path: '/intelligence/drift',
      operation: 'drift',
      says: 'Drift state.',
      summary: 'Drift',
      description:
        'Every change of a reply rate on record, and whether the posteriors may be acted upon. Like get_drift_state.',
    },
  ],
  tool: {
    name: 'get_drift_state',
    title: 'Outcome drift check',
    description:
      "Tells whether the reply rate of each channel has changed and whether the posteriors may be acted upon now: every change on record with its day, direction, rates before and after, and whether it concerns the whole channel or one campaign, position or step; and what to do or wait for. Use this tool before relying on get_bandit_state or automating anything from get_campaign_recommendations, and after changing list, sender or copy. After a change the arms rest on what came since, and may be acted upon again once 20 replies have settled. Audience mix and volume are facts and never touch trust. For campaigns use get_campaign_health. A change is told two to three weeks late, when outcomes have settled. insufficient_data means unknown, not stable. Uses 1 call of the key's quota.",
  },
  example: DRIFT_STATE_EXAMPLE,
});
export type DriftState = Answer<typeof DRIFT_STATE>;
export type DriftStateQuery = Arguments<typeof DRIFT_STATE>;
