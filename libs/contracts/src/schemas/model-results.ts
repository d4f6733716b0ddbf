import { CHANNELS, POSITIONS } from '../outcomes/dimensions';
import { DRIFT_STATES, type ArmRecord, type RateChange } from '../read-model/documents';
import { type BanditState, type DriftPeriod, type DriftState, type DriftTest } from '../read-model/results';
import {
  choice,
  constant,
  count,
  day,
  flag,
  list,
  nullable,
  number,
  record,
  share,
  text,
  texts,
  timestamp,
} from './json-schema';
import { CHANGE_SCOPE, rateSchema, resultSchema, TRUST } from './shared-parts';

const period = (description: string) =>
  record<DriftPeriod>(
    {
      from: nullable(day('First send day.')),
      to: nullable(day('Last send day.')),
      n: count('Settled messages.'),
      rate: nullable(share('Reply rate.')),
    },
    description,
  );

const DIRECTION = choice(['up', 'down'], 'Whether replies rose or fell.');
/** One row of the ledger of changes. */
const RATE_CHANGE = record<RateChange>({
  channel: choice(CHANNELS, 'Channel whose reply rate changed.'),
  since: day('First send day after the change.'),
  settled_on: day('Settled send day whose look found it.'),
  told_at: day('Day on which it could be told first.'),
  direction: DIRECTION,
  ratio: number('Odds of a reply after the change over those before it.', { exclusiveMinimum: 0 }),
  before: rateSchema('Reply rate before the change, at an equal mix of positions and steps.'),
  after: rateSchema('Reply rate after it, at the same mix.'),
  statistic: number('Log likelihood ratio.'),
  scope: CHANGE_SCOPE,
});

const MIX = record<DriftTest['mix']>(
  {
    distance: nullable(share('Total variation between the shares of positions and steps.')),
    alert: flag('Whether audience_mix_changed is among the alerts.'),
  },
  'Audience of the last 30 days beside that of the 90 before: a fact, without bearing on trust.',
);
const VOLUME = record<DriftTest['volume']>(
  {
    ratio: nullable(number('Sends a day over those before.', { minimum: 0 })),
    alert: flag('Whether volume_changed is among the alerts.'),
  },
  'Sends of the last 30 days beside those of the 90 before: a fact, without bearing on trust.',
);

/** Result of get_bandit_state. */
export const BANDIT_STATE_SCHEMA = resultSchema<BanditState>({
  arm_count: count('Arms that match the filters, before top_n.'),
  position: nullable(
    choice(
      POSITIONS,
      'Bucket that the position asked for was taken for; null where none was, or none is known.',
    ),
  ),
  prior: record<BanditState['prior']>(
    {
      source: nullable(
        choice(
          ['platform', 'market'],
          'What at least twenty other companies have in common, or a fixed prior; null before a run.',
        ),
      ),
      expected_rate: nullable(share('Reply rate that it expects before any outcome.')),
    },
    'What the arms lean on while data is scarce.',
  ),
  arms: list(
    record<ArmRecord>({
      channel: choice(CHANNELS, 'Channel of the arm.'),
      position: choice(POSITIONS, 'Position bucket of the recipients.'),
      alpha: number('Beta alpha.', { exclusiveMinimum: 0 }),
      beta: number('Beta beta.', { exclusiveMinimum: 0 }),
      interval_target: constant(
        'next_30_days_mean_rate',
        'What alpha, beta and the interval are about: the mean reply rate of the next 30 days.',
      ),
      posterior_mean: share('alpha / (alpha + beta).'),
      posterior_variance: number('Beta variance.', { minimum: 0 }),
      ci_low: share('Lower end of the 95 % interval.'),
      ci_high: share('Upper end of the 95 % interval.'),
      interval_type: constant('equal_tailed_95', 'How the interval is cut.'),
      current_low: share("Lower end of the 95 % interval of the next seven days' mean rate."),
      current_high: share('Upper end of it.'),
      data_from: day('First send day that counts: that of the last change, or of the first message.'),
      memory_days: number('Mean age of the messages as they are weighted, in days.', { minimum: 0 }),
      forward_sd: number(
        'By how much the rate may move in the next 30 days: a standard deviation on the logit.',
        { minimum: 0 },
      ),
      data_source: choice(
        ['migration', 'live'],
        'migration: bootstrapped from history; live: outcomes have streamed in. Both count alike.',
      ),
      observations: count("The tenant's own messages in the arm, undiscounted."),
      replies: count('Replies among them.'),
      effective_n: number('Messages left after older ones were discounted.', { minimum: 0 }),
      own_data_share: share(
        "Share of the posterior's precision that is the tenant's own data; below 0.5 the arm is mostly borrowed.",
      ),
      prior_weight: share('1 - own_data_share.'),
      market_mean: share(
        "posterior_mean without other companies' outcomes: the difference is what the platform prior did.",
      ),
      immature_share: share("Share of the arm's messages whose reply may still come."),
      probability_best: share('Chance that this arm is the best of the matching arms.'),
      last_outcome_at: nullable(timestamp('Newest outcome in the arm.')),
    }),
    'Best posterior mean first.',
  ),
  ...TRUST,
});

/** Result of get_drift_state. */
export const DRIFT_STATE_SCHEMA = resultSchema<DriftState>({
  ...TRUST,
  tests: list(
    record<DriftTest>({
      channel: choice(CHANNELS, 'Channel.'),
      metric: constant('reply_rate', 'What is looked at.'),
      state: choice(DRIFT_STATES, 'What this look found.'),
      method: text('Name of the test.'),
      statistic: nullable(number('Largest log likelihood ratio of the last look; null without one.')),
      threshold: number('Above this, a change enters the ledger.'),
      average_run_length_days: number('At least so many days lie between false alarms, on average.'),
      direction: nullable({ ...DIRECTION, description: 'Of the last change; null where there is none.' }),
      before: nullable(rateSchema('Reply rate before the last change.')),
      after: nullable(rateSchema('Reply rate after it.')),
      told_at: nullable(day('Day on which the last change could be told first.')),
      scope: nullable(CHANGE_SCOPE),
      contributing_strata: texts(
        'Whom the last change concerns, e.g. "position vp"; empty where it is the whole channel.',
      ),
      reference: period(
        'The days before the recent ones, at most a year, at the same level of replies as the last of them.',
      ),
      recent: period(
        'The last window_days of settled messages, since the last change where that is among them.',
      ),
      since: nullable(day('First send day after the last change.')),
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
      mix: MIX,
      volume: VOLUME,
      posteriors_trustworthy: flag('Whether posteriors of this channel may be acted upon.'),
    }),
    'One look per channel with messages.',
  ),
  changes: list(
    RATE_CHANGE,
    'The ledger of accepted changes, newest first. No later look changes a row. Where results_truncated is among the alerts, the oldest are left out.',
  ),
});
