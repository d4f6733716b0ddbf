import { CHANNELS, POSITIONS } from '../outcomes/dimensions';
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
  timestamp,
  type TypeOf,
} from '../schemas/json-schema';
import { channel, limitOf } from './parts/arguments';
import { EXAMPLE_FRAME } from './parts/examples';
import { resultOf, TRUST } from './parts/frame';
import { question, type Answer, type Arguments } from './question';

const ARM = record({
  channel: known(CHANNELS, 'Channel of the arm.'),
  position: known(POSITIONS, 'Position bucket of the recipients.'),
  alpha: number('Beta alpha.', { exclusiveMinimum: 0 }),
  beta: number('Beta beta.', { exclusiveMinimum: 0 }),
  interval_target: known(
    ['next_30_days_mean_rate'],
    'What alpha, beta and the interval are about: the mean reply rate of the next 30 days.',
  ),
  posterior_mean: share('alpha / (alpha + beta).'),
  posterior_variance: number('Beta variance.', { minimum: 0 }),
  ci_low: share('Lower end of the 95 % interval.'),
  ci_high: share('Upper end of the 95 % interval.'),
  interval_type: known(['equal_tailed_95'], 'How the interval is cut.'),
  current_low: share("Lower end of the 95 % interval of the next seven days' mean rate."),
  current_high: share('Upper end of it.'),
  data_from: day(
    'First send day that counts: that of the last change of the channel, or of its first message.',
  ),
  memory_days: number('Mean age of the messages as they are weighted, in days.', { minimum: 0 }),
  forward_sd: number(
    'By how much the rate may move in the next 30 days: a standard deviation on the logit.',
    { minimum: 0 },
  ),
  data_source: known(
    ['migration', 'live'],
    'migration: every outcome came with imported history; live: outcomes have streamed in. It has no bearing on trust.',
  ),
  observations: count("The tenant's own messages in the arm, undiscounted."),
  replies: count('Replies among them.'),
  effective_n: number('Messages left after older ones were discounted.', { minimum: 0 }),
  own_data_share: share(
    "Share of the posterior's precision that is the tenant's own data; below 0.5 the arm is mostly borrowed.",
  ),
  prior_weight: share('1 - own_data_share, kept for readers of the older name.'),
  market_mean: share(
    "posterior_mean without other companies' outcomes: the difference is what the platform prior did.",
  ),
  immature_share: share("Share of the arm's messages whose reply may still come."),
  probability_best: share('Chance that this arm is the best of the matching arms.'),
  last_outcome_at: nullable(timestamp('Newest outcome in the arm.')),
});
/** Posterior of one (channel, position) arm. */
export type ArmRecord = TypeOf<typeof ARM>;

export const BANDIT_STATE = question({
  name: 'BanditState',
  arguments: {
    channel: channel('Only arms of this channel. Leave out for all channels.'),
    position: text(
      `Only arms of this position: a job title (VP Sales) or a bucket such as c_suite or vp; position in the answer says which was taken. Leave out for all.`,
      {
        minLength: 1,
        maxLength: 64,
      },
    ),
    top_n: limitOf('Most arms to return, best posterior mean first.', 100, 10),
  },
  required: [],
  result: resultOf({
    arm_count: count('Arms that match the filters, before top_n.'),
    position: nullable(
      known(
        POSITIONS,
        'Bucket that the position asked for was taken for; null where none was, or none is known.',
      ),
    ),
    prior: record(
      {
        source: nullable(
          known(
            ['platform', 'market'],
            'What at least twenty other companies have in common, or a fixed prior; null before a run.',
          ),
        ),
        expected_rate: nullable(share('Reply rate that it expects before any outcome.')),
      },
      'What the arms lean on while data is scarce.',
    ),
    arms: list(ARM, 'Best posterior mean first.'),
    ...TRUST,
  }),
  rest: [
    {
      path: '/intelligence/bandit',
      operation: 'bandit',
      says: 'Reply-rate posteriors per channel and position.',
      summary: 'Reply-rate posteriors',
      description:
        'One arm per channel and position, best mean first. Do not act on them while posteriors_trustworthy is false. Like get_bandit_state.',
    },
  ],
  tool: {
    name: 'get_bandit_state',
    title: 'Channel and position posteriors',
    description:
      "Returns the Bayesian reply-rate posteriors, one arm per channel and recipient position, best mean first, each with the 95 % interval of the next 30 days' mean rate, what it rests on since when, and whether that is imported history (migration) or streamed (live). Use this tool when choosing a channel for a position or job title, or to see how certain the model is. Do not act on them while posteriors_trustworthy is false; get_drift_state says why. For wording and timing use get_campaign_recommendations; for one person, get_recipient_intelligence. Filters apply before top_n, and arm_count counts every match. Follows each counted batch. Without any arm the alert is no_bandit_state_available. Uses 1 call of the key's quota.",
  },
  example: {
    ...EXAMPLE_FRAME,
    summary:
      '1 arm; the best mean is email to vp with a reply rate of 5.0 % (95 % interval 3.3 % to 7.1 %), the best of these ' +
      'with probability 100.0 %. The posteriors may be acted upon.',
    arm_count: 1,
    position: null,
    prior: { source: 'market', expected_rate: 0.0474 },
    arms: [
      {
        channel: 'email',
        position: 'vp',
        alpha: 25,
        beta: 475,
        interval_target: 'next_30_days_mean_rate',
        posterior_mean: 0.05,
        posterior_variance: 0.0000948104,
        ci_low: 0.0327,
        ci_high: 0.0707,
        interval_type: 'equal_tailed_95',
        current_low: 0.0336,
        current_high: 0.0698,
        data_from: '2025-06-02',
        memory_days: 74.2,
        forward_sd: 0.08,
        data_source: 'live',
        observations: 520,
        replies: 26,
        effective_n: 470,
        own_data_share: 0.94,
        prior_weight: 0.06,
        market_mean: 0.05,
        immature_share: 0.1,
        probability_best: 1,
        last_outcome_at: '2026-02-02T16:20:00.000Z',
      },
    ],
    drift_state: 'none',
    posteriors_trustworthy: true,
    recommended_action: 'None.',
  },
});
export type BanditState = Answer<typeof BANDIT_STATE>;
export type BanditStateQuery = Arguments<typeof BANDIT_STATE>;
