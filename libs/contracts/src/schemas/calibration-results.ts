import type { CalibrationScores } from '../read-model/documents';
import type { Calibration } from '../read-model/results';
import { count, day, list, nullable, number, record, share, text, timestamp } from './json-schema';
import { rateSchema, resultSchema, TRUST } from './shared-parts';

const interval = (value: string) =>
  record<CalibrationScores['observed_over_expected']>({
    value: nullable(number(value)),
    ci_low: nullable(number('Lower end of the 95 % interval.')),
    ci_high: nullable(number('Upper end of the 95 % interval.')),
  });

const SCORES: { readonly [Name in keyof CalibrationScores]: ReturnType<typeof number> } = {
  predictions: count('Decisions whose advice was followed by a message with a settled outcome.'),
  expected_replies: number('Sum of the predicted chances.', { minimum: 0 }),
  observed_replies: count('Replies that came.'),
  observed_over_expected: interval('Observed over expected replies; 1 is perfect.'),
  brier_score: nullable(share('Mean squared error of the predictions; lower is better.')),
  log_score: nullable(number('Mean logarithm of the chance given to what happened; 0 is perfect.')),
  interval_coverage: record<CalibrationScores['interval_coverage']>(
    {
      groups: count('Groups of like predictions that expected at least two replies.'),
      covered: count('Groups whose replies lay within what their 95 % interval had announced.'),
      share: nullable(share('Covered over all; sound intervals give 0.95 or a little more.')),
    },
    'Whether the stated intervals held.',
  ),
};

/** Result of GET /intelligence/calibration. */
export const CALIBRATION_SCHEMA = resultSchema<Calibration>({
  ...SCORES,
  engine_version: text('Version of the computation; empty before the first run.'),
  window: record<Calibration['window']>(
    {
      from: nullable(timestamp('Oldest decision scored.')),
      to: nullable(timestamp('Newest decision scored.')),
      limit: count('Most decisions that are looked at, newest first.'),
    },
    'Decisions looked at.',
  ),
  awaiting: record<Calibration['awaiting']>(
    {
      unfollowed: count('Decisions that no message has followed.'),
      open: count('Decisions whose advice was followed by a message that has not settled.'),
      first_settles_on: nullable(day('Day on which the first of these settles.')),
    },
    'Decisions looked at that cannot be scored yet.',
  ),
  base_rate: nullable(share('Share of messages that were answered.')),
  brier_skill: nullable(number('One minus the Brier score over that of the base rate.')),
  calibration_slope: interval('Slope of outcomes on predicted log-odds; 1 is perfect.'),
  expected_calibration_error: nullable(
    share('Mean gap between predicted and observed rate over ten bins of equal mass.'),
  ),
  reliability_bins: list(
    record<Calibration['reliability_bins'][number]>({
      predicted: share('Mean prediction of the bin.'),
      observed: rateSchema('Share of the bin that was answered.'),
    }),
    'Predictions beside outcomes, in order of the prediction.',
  ),
  by_run: list(
    record<Calibration['by_run'][number]>({
      run_id: text('Run that made the predictions.'),
      decided_at: timestamp('When.'),
      ...SCORES,
    }),
    'Newest first, at most 30.',
  ),
  patterns: record<Calibration['patterns']>(
    {
      ever_confirmed: count('Patterns that were confirmed at some time.'),
      retracted: count('Those that are neither confirmed nor likely any more.'),
      retracted_share: nullable(share('Retracted over ever confirmed.')),
    },
    'How lasting confirmed patterns were.',
  ),
  ...TRUST,
});
