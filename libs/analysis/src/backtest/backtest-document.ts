import type {
  BacktestDocument,
  BacktestForecast,
  BacktestScores,
  ClaimEntry,
  NoBacktestReason,
} from '@outcomes/contracts';
import { intervalCoverage, observedOverExpected, reliabilityBins } from '@outcomes/statistics';
import { isoDay } from '../cohorts/days';
import { rounded } from '../documents/rounding';
import type { ClaimRow } from '../evidence/claims';

const BINS = 10;
/** A forecast that expects fewer replies keeps its interval whatever happens. */
const LEAST_EXPECTED = 2;

/** What was folded. Mondays are days since 1970-01-01, ascending. */
export interface Backtested {
  readonly mondays: readonly number[];
  readonly claims: readonly ClaimRow[];
  readonly forecasts: readonly BacktestForecast[];
}

export function backtestDocument({ mondays, claims, forecasts }: Backtested, madeAt: Date): BacktestDocument {
  const [first, last] = [mondays[0], mondays.at(-1)];
  return {
    ...{ made_at: madeAt.toISOString(), reason: null },
    from: first === undefined ? null : isoDay(first),
    through: last === undefined ? null : isoDay(last),
    weeks: mondays.length,
    claims: entriesOf(claims),
    scores: scoresOf(forecasts),
    forecasts,
  };
}

/** Why there is none. */
export function noBacktest(reason: NoBacktestReason, madeAt: Date): BacktestDocument {
  return { ...backtestDocument({ mondays: [], claims: [], forecasts: [] }, madeAt), reason };
}

/** Newest first, each with what was claimed of its code before. */
function entriesOf(claims: readonly ClaimRow[]): ClaimEntry[] {
  const newest = new Map<string, ClaimRow>();
  const entries = claims.map((row): ClaimEntry => {
    const previousTier = newest.get(row.code)?.tier ?? null;
    newest.set(row.code, row);
    const { eValue: _eValue, isUp, since, oddsRatio, oddsRatioLow, oddsRatioHigh, ...rest } = row;
    return {
      ...{ ...rest, previousTier, isMore: isUp, since: since.toISOString(), oddsRatio: rounded(oddsRatio) },
      ...{ oddsRatioLow: rounded(oddsRatioLow), oddsRatioHigh: rounded(oddsRatioHigh) },
    };
  });
  return entries.reverse();
}

function scoresOf(forecasts: readonly BacktestForecast[]): BacktestScores {
  const cells = forecasts.map(({ predicted, low, high, n, y }) => ({
    probability: predicted,
    low,
    high,
    n,
    y,
  }));
  const sum = (value: (cell: (typeof cells)[number]) => number) =>
    cells.reduce((total, cell) => total + value(cell), 0);
  const expected = sum(({ n, probability }) => n * probability);
  const observed = sum(({ y }) => y);
  const ratio = expected > 0 ? observedOverExpected(observed, expected) : null;
  const coverage = intervalCoverage(cells, LEAST_EXPECTED);
  return {
    ...{ forecasts: cells.length, messages: sum(({ n }) => n) },
    ...{ expectedReplies: rounded(expected), observedReplies: observed },
    observedOverExpected: ratio && {
      ...{ value: rounded(ratio.ratio), low: rounded(ratio.low), high: rounded(ratio.high) },
    },
    ...{ groups: coverage.cells, covered: coverage.covered },
    bins: reliabilityBins(cells, BINS).map((bin) => ({
      ...{ predicted: rounded(bin.predicted), observed: rounded(bin.observed), n: bin.n },
      ...{ low: rounded(bin.low), high: rounded(bin.high) },
    })),
  };
}
