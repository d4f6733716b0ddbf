import type { CalibrationDocument, CalibrationScores, PatternRecord } from '@outcomes/contracts';
import {
  ENGINE_VERSION,
  calibrate,
  intervalCoverage,
  logScore,
  observedOverExpected,
  reliabilityBins,
  type PredictionCell,
} from '@outcomes/statistics';
import { rounded } from '../documents/rounding';
import { MAX_SCORED, type AwaitingDecisions, type ScoredCell } from './calibration.repository';

const BINS = 10;
const MAX_RUNS = 30;
/** A group that expects fewer replies keeps its interval whatever happens. */
const LEAST_EXPECTED = 2;
const Z = 1.959963984540054;

/**
 * How frozen predictions came out. Only what was stated before the outcome is looked at.
 * @param cells - settled predictions, newest run first
 * @param awaiting - decisions that cannot be scored yet
 */
export function calibrationDocument(
  cells: readonly ScoredCell[],
  awaiting: AwaitingDecisions,
  patterns: readonly PatternRecord[],
  dataAsOf: string,
): CalibrationDocument {
  const overall = cells.length > 0 ? calibrate(...predictionsOf(cells)) : undefined;
  const [slope, slopeSe] = [overall?.slope ?? null, overall?.slopeSe ?? null];
  const decided = cells.map(({ decidedAt }) => decidedAt.toISOString()).sort();
  return {
    data_as_of: dataAsOf,
    engine_version: ENGINE_VERSION,
    window: { from: decided[0] ?? null, to: decided.at(-1) ?? null, limit: MAX_SCORED },
    ...scoresOf(cells),
    awaiting: {
      unfollowed: awaiting.unfollowed,
      open: awaiting.open,
      first_settles_on: awaiting.firstSettlesOn,
    },
    base_rate: rounded(overall?.baseRate ?? null),
    brier_skill: rounded(overall?.brierSkill ?? null),
    calibration_slope: {
      value: rounded(slope),
      ci_low: slope === null || slopeSe === null ? null : rounded(slope - Z * slopeSe),
      ci_high: slope === null || slopeSe === null ? null : rounded(slope + Z * slopeSe),
    },
    expected_calibration_error: rounded(overall?.ece ?? null),
    reliability_bins: reliabilityBins(cells, BINS).map(({ n, predicted, observed, low, high }) => ({
      predicted: rounded(predicted),
      observed: { value: rounded(observed), ci_low: rounded(low), ci_high: rounded(high), n },
    })),
    by_run: [...Map.groupBy(cells, ({ runId, decidedAt }) => `${runId} ${decidedAt.toISOString()}`).values()]
      .slice(0, MAX_RUNS)
      .map((ofRun) => ({
        run_id: ofRun[0]?.runId ?? '',
        decided_at: ofRun[0]?.decidedAt.toISOString() ?? dataAsOf,
        ...scoresOf(ofRun),
      })),
    patterns: retractions(patterns),
  };
}

function scoresOf(cells: readonly ScoredCell[]): CalibrationScores {
  const predictions = total(cells, ({ n }) => n);
  const expected = total(cells, ({ n, probability }) => n * probability);
  const observed = total(cells, ({ y }) => y);
  const ratio = expected > 0 ? observedOverExpected(observed, expected) : undefined;
  const coverage = intervalCoverage(cells, LEAST_EXPECTED);
  return {
    predictions,
    expected_replies: rounded(expected),
    observed_replies: observed,
    observed_over_expected: {
      value: rounded(ratio?.ratio ?? null),
      ci_low: rounded(ratio?.low ?? null),
      ci_high: rounded(ratio?.high ?? null),
    },
    brier_score: predictions > 0 ? rounded(calibrate(...predictionsOf(cells)).brier) : null,
    log_score: rounded(logScore(cells)),
    interval_coverage: {
      groups: coverage.cells,
      covered: coverage.covered,
      share: coverage.cells > 0 ? rounded(coverage.covered / coverage.cells) : null,
    },
  };
}

/** Cells as one prediction and one outcome each; there are at most MAX_SCORED of each channel. */
function predictionsOf(cells: readonly PredictionCell[]): [number[], number[]] {
  const predictions = cells.flatMap(({ probability, n }) => Array.from({ length: n }, () => probability));
  const outcomes = cells.flatMap(({ n, y }) => Array.from({ length: n }, (_, i) => (i < y ? 1 : 0)));
  return [predictions, outcomes];
}

function retractions(patterns: readonly PatternRecord[]): CalibrationDocument['patterns'] {
  const confirmed = patterns.filter((record) => record.first_confirmed_at !== undefined);
  const retracted = confirmed.filter((record) => record.retracted_at !== undefined);
  return {
    ever_confirmed: confirmed.length,
    retracted: retracted.length,
    retracted_share: confirmed.length > 0 ? rounded(retracted.length / confirmed.length) : null,
  };
}

function total(cells: readonly ScoredCell[], value: (cell: ScoredCell) => number): number {
  return cells.reduce((sum, cell) => sum + value(cell), 0);
}
