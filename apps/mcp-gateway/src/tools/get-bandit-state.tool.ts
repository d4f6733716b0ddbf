import { POSITIONS, type ArmRecord, type BanditState, type BanditStateQuery } from '@outcomes/contracts';
import {
  CHANNEL,
  choice,
  count,
  input,
  limitOf,
  list,
  nullable,
  number,
  record,
  result,
  share,
  text,
  timestamp,
  TRUST,
} from '../json-schema';
import { defineTool } from './definition';

export const getBanditState = defineTool<BanditStateQuery>(
  {
    name: 'get_bandit_state',
    title: 'Channel and position posteriors',
    description:
      "Returns the Bayesian reply-rate posteriors, one arm per channel and recipient position, best mean first, each with the 95 % interval of the next 30 days' mean rate, what it rests on since when, and marked as imported history (migration) or streamed outcomes (live). Use this tool when choosing a channel for a position, or to see how certain the model is. Call get_drift_state first, and do not act on these posteriors while posteriors_trustworthy is false. For wording and timing use get_campaign_recommendations; for one person, get_recipient_intelligence. Filters apply before top_n, and arm_count counts every match, so compare it with the arms returned. Recomputed once a day. A tenant without outcomes gets no arms and the alert no_bandit_state_available. Uses 1 call of the key's quota.",
    inputSchema: input<BanditStateQuery>({
      channel: { ...CHANNEL, description: 'Only arms of this channel.' },
      position: text(
        `Only arms of this position: a job title (VP Sales) or its bucket (${POSITIONS.join(', ')}); position in the answer says which was taken. Leave out for all.`,
        {
          minLength: 1,
          maxLength: 64,
        },
      ),
      top_n: limitOf('Most arms to return, best posterior mean first.', 100, 10),
    }),
    outputSchema: result<BanditState>({
      arm_count: count('Arms that match the filters, before top_n.'),
      position: nullable(
        text('Bucket that the position asked for was taken for; null where none was, or none is known.'),
      ),
      prior: record<BanditState['prior']>(
        {
          source: nullable(
            choice(['platform', 'market'], 'Twenty other companies or more, or a fixed prior.'),
          ),
          expected_rate: nullable(share('Reply rate that it expects before any outcome.')),
        },
        'What the arms lean on while data is scarce.',
      ),
      arms: list(
        record<ArmRecord>({
          channel: text('email or linkedin.'),
          position: text('Position bucket.'),
          alpha: number('Beta alpha.', { exclusiveMinimum: 0 }),
          beta: number('Beta beta.', { exclusiveMinimum: 0 }),
          interval_target: text(
            'What alpha, beta and the interval are about: next_30_days_mean_rate, the mean reply rate of the next 30 days.',
          ),
          posterior_mean: share('alpha / (alpha + beta).'),
          posterior_variance: number('Beta variance.', { minimum: 0 }),
          ci_low: share('Lower end of the 95 % interval.'),
          ci_high: share('Upper end of the 95 % interval.'),
          interval_type: text('equal_tailed_95.'),
          current_low: share("Lower end of the 95 % interval of the next seven days' mean rate."),
          current_high: share('Upper end of it.'),
          data_from: text(
            'First send day that counts: that of the last change of the channel, or of its first message.',
          ),
          memory_days: number('Mean age of the messages as they are weighted, in days.', { minimum: 0 }),
          forward_sd: number(
            'By how much the rate may move in the next 30 days: a standard deviation on the logit.',
            { minimum: 0 },
          ),
          data_source: choice(
            ['migration', 'live'],
            'migration: imported history; live: outcomes have streamed in. It has no bearing on trust.',
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
    }),
  },
  (intelligence, scope, query) => intelligence.banditState(scope, query),
);
