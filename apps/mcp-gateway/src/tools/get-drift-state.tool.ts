import {
  DRIFT_KINDS,
  type DriftPeriod,
  type DriftState,
  type DriftStateQuery,
  type DriftTest,
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

export const getDriftState = defineTool<DriftStateQuery>(
  {
    name: 'get_drift_state',
    title: 'Outcome drift check',
    description:
      "Tells whether recent outcomes still match the history the model learned from, overall and per channel: whether the reply rate itself, the audience mix or the volume changed, since when and in which direction, and whether the posteriors may be trusted now. Use this tool before relying on get_bandit_state or automating anything from get_campaign_recommendations, and after changing list, sender or copy. It does not say which campaign is at fault (get_campaign_health) nor what to write instead. Tests run once a day on settled messages; window_days only sets the recent period whose rates are shown. Too few outcomes give insufficient_data, which means unknown, not stable. Uses 1 call of the key's quota.",
    inputSchema: input<DriftStateQuery>({
      channel: { ...CHANNEL, description: 'Only the test of this channel. Leave out for all.' },
      window_days: integer('Length of the recent period shown, in days. It does not change the verdict.', {
        minimum: 7,
        maximum: 90,
        default: 14,
      }),
    }),
    outputSchema: result<DriftState>({
      drift_state: choice(
        DRIFT_KINDS,
        'Worst of the tests: none, rate (reply rates moved), mix (the audience changed), volume, or insufficient_data (unknown).',
      ),
      posteriors_trustworthy: flag('Whether get_bandit_state may be acted upon.'),
      tests: list(
        record<DriftTest>({
          channel: text('email, linkedin or all.'),
          metric: text('reply_rate, outcome_mix or volume.'),
          state: choice(DRIFT_KINDS, 'What this test found.'),
          method: text('Name of the test.'),
          statistic: nullable(number('Test statistic.')),
          threshold: nullable(number('Drift at or above this.')),
          average_run_length_days: nullable(
            number('Days between false alarms, on average, at this threshold.'),
          ),
          direction: nullable(text('up or down; null where nothing changed.')),
          before: nullable(rate('Reply rate before the change.')),
          after: nullable(rate('Reply rate after the change.')),
          contributing_strata: texts(
            'Where the change is concentrated: channel, step bucket (first_touch, early_follow_up or late_follow_up) and position.',
          ),
          reference: period('The period before the recent one.'),
          recent: period('The last window_days of settled messages.'),
          first_detected_at: nullable(text('First send day after the change.')),
          posteriors_trustworthy: flag('Whether posteriors of this channel may be acted upon.'),
        }),
        'Worst first.',
      ),
      recommended_action: text('What to do now.'),
    }),
  },
  (intelligence, scope, query) => intelligence.driftState(scope, query),
);
