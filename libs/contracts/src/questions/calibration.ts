import {
  count,
  day,
  list,
  nullable,
  number,
  record,
  share,
  text,
  timestamp,
  type ObjectOf,
} from '../schemas/json-schema';
import { CALIBRATION_EXAMPLE } from './examples/calibration';
import { resultOf, TRUST, type ResultFrame, type Trust } from './parts/frame';
import { intervalOf, rateOf } from './parts/rates';
import { question, type Answer } from './question';

const SCORES = {
  predictions: count('Decisions whose advice was followed by a message with a settled outcome.'),
  expected_replies: number('Sum of the predicted chances.', { minimum: 0 }),
  observed_replies: count('Replies that came.'),
  observed_over_expected: intervalOf('Observed over expected replies; 1 is perfect.'),
  brier_score: nullable(share('Mean squared error of the predictions; lower is better.')),
  log_score: nullable(number('Mean logarithm of the chance given to what happened; 0 is perfect.')),
  interval_coverage: record(
    {
      groups: count('Groups of like predictions that expected at least two replies.'),
      covered: count('Groups whose replies lay within what their 95 % interval had announced.'),
      share: nullable(share('Covered over all; sound intervals give 0.95 or a little more.')),
    },
    'Whether the stated intervals held.',
  ),
};
/** How probabilities that were frozen with decisions came out, for one group of them. */
export type CalibrationScores = ObjectOf<typeof SCORES>;

/** How stated probabilities came out. Everything is null or empty before anything has settled. */
export const CALIBRATION = question({
  name: 'Calibration',
  arguments: {},
  required: [],
  result: resultOf({
    ...SCORES,
    engine_version: text('Version of the computation; empty before the first run.'),
    window: record(
      {
        from: nullable(timestamp('Oldest decision scored.')),
        to: nullable(timestamp('Newest decision scored.')),
        limit: count('Most decisions of each channel that are scored, those with the newest messages.'),
      },
      'Decisions scored.',
    ),
    awaiting: record(
      {
        unfollowed: count('Decisions that no message has followed.'),
        open: count('Decisions whose advice was followed by a message that has not settled.'),
        first_settles_on: nullable(day('Day on which the first of these settles.')),
      },
      'The newest decisions (at most `limit`) that cannot be scored yet.',
    ),
    base_rate: nullable(share('Share of messages that were answered.')),
    brier_skill: nullable(
      number('One minus the Brier score over that of the base rate; above 0 contacts are told apart.'),
    ),
    calibration_slope: intervalOf(
      'Slope of outcomes on predicted log-odds; 1 is perfect, null where predictions do not differ enough.',
    ),
    expected_calibration_error: nullable(
      share('Mean gap between predicted and observed rate over ten bins of equal mass.'),
    ),
    reliability_bins: list(
      record({
        predicted: share('Mean prediction of the bin.'),
        observed: rateOf('Share of the bin that was answered.'),
      }),
      'Predictions beside outcomes, in order of the prediction.',
    ),
    by_run: list(
      record({
        run_id: text('Run that made the predictions.'),
        decided_at: timestamp('When.'),
        ...SCORES,
      }),
      'Newest first, at most 30.',
    ),
    patterns: record(
      {
        ever_confirmed: count('Patterns that were confirmed at some time.'),
        retracted: count('Those that are neither confirmed nor likely any more.'),
        retracted_share: nullable(share('Retracted over ever confirmed.')),
      },
      'How lasting confirmed patterns were.',
    ),
    ...TRUST,
  }),
  rest: [
    {
      path: '/intelligence/calibration',
      operation: 'calibration',
      says: 'How stated probabilities came out.',
      summary: 'Calibration',
      description:
        'Probabilities that were frozen with decisions against the outcomes that came later: observed over expected replies, reliability bins, Brier and log score, interval coverage, by run. Before anything has settled it is empty, with the alert no_calibration_available.',
    },
  ],
  example: CALIBRATION_EXAMPLE,
});
export type Calibration = Answer<typeof CALIBRATION>;

/** Document `calibration` of a run: the answer without its frame. */
export type CalibrationDocument = Omit<Calibration, keyof ResultFrame | keyof Trust | 'awaiting'> & {
  readonly data_as_of: string;
  /** Absent in documents of earlier versions. */
  readonly awaiting?: Calibration['awaiting'];
};
