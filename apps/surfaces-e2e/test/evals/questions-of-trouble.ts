import { CHANNELS, DAY_MS } from '@outcomes/contracts';
import { choice, near, type Ask } from './eval-question';
import type { EvalCompany } from './planted-truth';
import { DRIFT, healthOf, troubleOf } from './questions-of-leaders';

/** Of the company in which replies fell, and of the one with a campaign that has gone bad. */
export const questionsOfTrouble: Partial<Readonly<Record<EvalCompany, readonly Ask[]>>> = {
  'just changed': [
    (truth) => ({
      asker: 'leader',
      text: 'How many days ago did replies fall?',
      form: 'a number of days',
      calls: [DRIFT],
      read: ({ changes: [last] }) => last && (truth.plan.readAt - Date.parse(last.since)) / DAY_MS,
      isRight: near((truth.plan.readAt - truth.changedAt) / DAY_MS, 7),
    }),
    (truth) => ({
      asker: 'leader',
      text: 'What was the reply rate by email before it changed?',
      form: 'a number of per cent',
      calls: [{ name: 'get_drift_state', arguments: { channel: CHANNELS[0] } }],
      read: ({ changes: [last] }) => last && last.before.value * 100,
      isRight: near(truth.shareBefore('responded', truth.changedAt) * 100, 5),
    }),
  ],
  'one campaign gone bad': [
    (truth) => ({
      asker: 'leader',
      text: 'What share of the messages of winter bounces?',
      form: 'a number of per cent',
      calls: [healthOf('winter', 90)],
      read: ({ bounce_rate }) => bounce_rate.value * 100,
      isRight: near(truth.share('bounced', 'winter', 90) * 100, 6),
    }),
    () => ({
      asker: 'leader',
      text: 'Is the campaign spring in trouble?',
      form: 'yes or no',
      calls: [healthOf('spring')],
      read: troubleOf,
      isRight: choice('no'),
    }),
  ],
};
