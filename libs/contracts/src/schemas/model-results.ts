import { CHANNELS, POSITIONS } from '../outcomes/dimensions';
import { DRIFT_KINDS, type ArmRecord } from '../read-model/documents';
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
import { rateSchema, resultSchema } from './shared-parts';

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

/** Result of get_bandit_state. */
export const BANDIT_STATE_SCHEMA = resultSchema<BanditState>({
  arm_count: count('Arms that match the filters, before top_n.'),
  arms: list(
    record<ArmRecord>({
      channel: choice(CHANNELS, 'Channel of the arm.'),
      position: choice(POSITIONS, 'Position bucket of the recipients.'),
      alpha: number('Beta alpha.', { exclusiveMinimum: 0 }),
      beta: number('Beta beta.', { exclusiveMinimum: 0 }),
      posterior_mean: share('alpha / (alpha + beta).'),
      posterior_variance: number('Beta variance.', { minimum: 0 }),
      ci_low: share('Lower end of the 95 % interval.'),
      ci_high: share('Upper end of the 95 % interval.'),
      interval_type: constant('equal_tailed_95', 'How the interval is cut.'),
      data_source: choice(
        ['migration', 'live'],
        'migration: bootstrapped from history; live: outcomes have streamed in.',
      ),
      observations: count("The tenant's own messages in the arm, undiscounted."),
      replies: count('Replies among them.'),
      effective_n: number('Messages left after older ones were discounted.', { minimum: 0 }),
      own_data_share: share(
        "Share of the posterior's precision that is the tenant's own data; below 0.5 the arm is mostly borrowed.",
      ),
      prior_weight: share('1 - own_data_share.'),
      immature_share: share("Share of the arm's messages whose reply may still come."),
      probability_best: share('Chance that this arm is the best of the matching arms.'),
      last_outcome_at: nullable(timestamp('Newest outcome in the arm.')),
    }),
    'Best posterior mean first.',
  ),
  drift_state: choice(DRIFT_KINDS, 'What the latest drift test found; insufficient_data means unknown.'),
  posteriors_trustworthy: flag('false while outcomes drift, or where no arm has live data.'),
});

/** Result of get_drift_state. */
export const DRIFT_STATE_SCHEMA = resultSchema<DriftState>({
  drift_state: choice(
    DRIFT_KINDS,
    'Worst of the tests: none, rate (reply rates moved), mix (the audience changed), volume, or insufficient_data (unknown).',
  ),
  posteriors_trustworthy: flag('Whether get_bandit_state may be acted upon.'),
  tests: list(
    record<DriftTest>({
      channel: choice([...CHANNELS, 'all'], 'Channel, or all.'),
      metric: choice(['reply_rate', 'outcome_mix', 'volume'], 'What was tested.'),
      state: choice(DRIFT_KINDS, 'What this test found.'),
      method: text('Name of the test.'),
      statistic: nullable(number('Test statistic.')),
      threshold: nullable(number('Drift at or above this.')),
      average_run_length_days: nullable(number('Days between false alarms, on average, at this threshold.')),
      direction: nullable(choice(['up', 'down'], 'Null where nothing changed.')),
      before: nullable(rateSchema('Reply rate before the change.')),
      after: nullable(rateSchema('Reply rate after the change.')),
      contributing_strata: texts('Where the change is concentrated.'),
      reference: period('The period before the recent one.'),
      recent: period('The last window_days of settled messages.'),
      first_detected_at: nullable(day('First send day after the change.')),
      posteriors_trustworthy: flag('Whether posteriors of this channel may be acted upon.'),
    }),
    'Worst first.',
  ),
  recommended_action: text('What to do now.'),
});
