import type { PatternRecord } from '@outcomes/contracts';
import { calibrationDocument } from './calibration-document';
import type { ScoredCell } from './calibration.repository';

const NONE_AWAITING = { unfollowed: 0, open: 0, firstSettlesOn: null };
const NOTHING = { value: null, ci_low: null, ci_high: null };
const cell = (run: number, [probability, low, high]: readonly number[], n: number, y: number) =>
  ({ runId: `run ${run}`, decidedAt: new Date(run * 1_000), probability, low, high, n, y }) as ScoredCell;
const documentOf = (cells: readonly ScoredCell[], patterns: readonly Partial<PatternRecord>[] = []) =>
  calibrationDocument(cells, NONE_AWAITING, patterns as PatternRecord[], '2026-06-01T00:00:00.000Z');

// Newest first. 4 + 4 + 1 replies expected of 80 predictions, and 8 came.
const CELLS = [
  cell(2, [0.1, 0.05, 0.2], 40, 5),
  cell(2, [0.2, 0.1, 0.3], 20, 3),
  cell(1, [0.05, 0.01, 0.1], 20, 0),
];

describe('how predictions came out', () => {
  it('is nothing while none has settled', () => {
    expect(
      calibrationDocument([], { unfollowed: 3, open: 2, firstSettlesOn: '2026-06-04' }, [], 'now'),
    ).toEqual({
      ...{ data_as_of: 'now', engine_version: expect.any(String) },
      window: { from: null, to: null, limit: 20_000 },
      ...{ predictions: 0, expected_replies: 0, observed_replies: 0, observed_over_expected: NOTHING },
      ...{ brier_score: null, log_score: null, base_rate: null, brier_skill: null },
      ...{ calibration_slope: NOTHING, expected_calibration_error: null, reliability_bins: [], by_run: [] },
      interval_coverage: { groups: 0, covered: 0, share: null },
      awaiting: { unfollowed: 3, open: 2, first_settles_on: '2026-06-04' },
      patterns: { ever_confirmed: 0, retracted: 0, retracted_share: null },
    });
  });

  it('is scored over all predictions, each with its own outcome', () => {
    const document = documentOf(CELLS);
    const logScore =
      5 * Math.log(0.1) + 35 * Math.log(0.9) + 3 * Math.log(0.2) + 17 * Math.log(0.8) + 20 * Math.log(0.95);
    expect(document).toMatchObject({
      window: { from: '1970-01-01T00:00:01.000Z', to: '1970-01-01T00:00:02.000Z' },
      ...{ predictions: 80, expected_replies: 9, observed_replies: 8, base_rate: 0.1 },
      observed_over_expected: { value: 0.888889 },
      // (5 x .9² + 35 x .1² + 3 x .8² + 17 x .2² + 20 x .05²) / 80, and against .1 x .9
      brier_score: 0.088125,
      brier_skill: expect.closeTo(1 - 0.088125 / 0.09, 5),
      log_score: expect.closeTo(logScore / 80, 5),
      // What expects a single reply is not judged.
      interval_coverage: { groups: 2, covered: 2, share: 1 },
    });
    const { value, ci_low, ci_high } = document.observed_over_expected;
    expect([(ci_low ?? 1) < (value ?? 0), (ci_high ?? 0) > (value ?? 0)]).toEqual([true, true]);
    const missed = documentOf([...CELLS, cell(1, [0.1, 0.05, 0.2], 100, 60)]).interval_coverage;
    expect(missed).toEqual({ groups: 3, covered: 2, share: 0.666667 });
    expect(documentOf(CELLS.slice(0, 1)).interval_coverage.share).toBe(1);
  });

  it('has a slope with an interval to both sides of it, and every prediction in one bin', () => {
    const {
      calibration_slope: slope,
      reliability_bins: bins,
      expected_calibration_error,
    } = documentOf(CELLS);
    const [value = 0, low = 0, high = 0] = [slope.value, slope.ci_low, slope.ci_high].map((one) => one ?? 0);
    expect(low).toBeLessThan(value);
    expect(high - value).toBeCloseTo(value - low, 4);
    expect(expected_calibration_error).toBeGreaterThan(0);
    const sum = (of: (bin: (typeof bins)[number]) => number) =>
      bins.reduce((total, bin) => total + of(bin), 0);
    expect(sum(({ observed: { n } }) => n)).toBe(80);
    expect(sum(({ observed: { n, value: rate } }) => n * (rate ?? 0))).toBeCloseTo(8, 3);
    expect(sum(({ observed: { n }, predicted }) => n * predicted)).toBeCloseTo(9, 3);
    for (const { observed } of bins) expect(observed.ci_low).toBeLessThan(observed.ci_high ?? 0);
    // One constant prediction has no slope.
    expect(documentOf(CELLS.slice(0, 1)).calibration_slope).toEqual(NOTHING);
  });

  it('is told run by run, the newest thirty, and anew where a run decided again', () => {
    expect(documentOf(CELLS).by_run).toMatchObject([
      { run_id: 'run 2', decided_at: '1970-01-01T00:00:02.000Z', predictions: 60, observed_replies: 8 },
      { run_id: 'run 1', decided_at: '1970-01-01T00:00:01.000Z', predictions: 20, expected_replies: 1 },
    ]);
    const runs = Array.from({ length: 31 }, (_, run) => cell(40 - run, [0.1, 0.05, 0.2], 10, 1));
    expect(documentOf(runs).by_run.map(({ run_id }) => run_id)).toEqual(
      Array.from({ length: 30 }, (_, run) => `run ${40 - run}`),
    );
    expect(documentOf(runs).window).toMatchObject({
      from: '1970-01-01T00:00:10.000Z',
      to: '1970-01-01T00:00:40.000Z',
    });
    const again = { ...cell(2, [0.1, 0.05, 0.2], 10, 1), decidedAt: new Date(0) };
    expect(documentOf([...CELLS.slice(0, 1), again]).by_run).toHaveLength(2);
  });

  it('counts of what was confirmed once how much was retracted', () => {
    const dates = { first_confirmed_at: '2026-01-01', retracted_at: '2026-02-01' };
    const { first_confirmed_at, retracted_at } = dates;
    const patterns = [dates, { first_confirmed_at }, { first_confirmed_at }, { retracted_at }, {}];
    expect(documentOf([], patterns).patterns).toEqual({
      ...{ ever_confirmed: 3, retracted: 1, retracted_share: 0.333333 },
    });
  });
});
