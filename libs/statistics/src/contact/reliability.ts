import { jeffreysInterval } from '../numerics/jeffreys-interval';
import { gammaQuantile } from '../numerics/incomplete-gamma';
import { log } from '../numerics/log';
import { log1p } from '../numerics/log1p';
import { logit } from '../numerics/logistic';
import { requireDomain } from '../numerics/stats-domain-error';

/** Predictions that were alike, and what came of them. */
export interface PredictionCell {
  /** predicted reply chance, in (0, 1) */
  readonly probability: number;
  /** its 95 % interval, in [0, 1]: of a rate of which little is known the ends are 0 and 1 in double precision */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly y: number;
}

export interface ReliabilityBin {
  readonly n: number;
  readonly y: number;
  /** mean prediction of the bin */
  readonly predicted: number;
  readonly observed: number;
  /** 95 % interval of the observed rate */
  readonly low: number;
  readonly high: number;
}

/** Spread of a 95 % interval in standard deviations. */
const WIDTH = 2 * 1.959963984540054;
const TAIL = 0.025;
/** Of a Beta distribution so wide that next to all of it lies at 0 and 1. */
const LEAST_STRENGTH = 1e-6;

/**
 * Predictions beside outcomes, in bins of about equal mass.
 *
 * Shapes: G cells in, at most `bins` records out.
 * @param cells - predictions in (0, 1), 0 <= y <= n
 * @param bins - most bins to make, >= 1
 * @returns bins in order of the prediction; equal predictions are never parted, so there may be fewer
 * @throws StatsDomainError with code `count`, `mass` or `range`
 *
 * Reference: Brown, Cai and DasGupta (2001), Statistical Science 16, 101-133 (Jeffreys interval).
 *
 * @example
 * reliabilityBins([{ probability: 0.1, low: 0.05, high: 0.2, n: 50, y: 5 }], 10)[0].observed; // 0.1
 */
export function reliabilityBins(cells: readonly PredictionCell[], bins: number): ReliabilityBin[] {
  requireDomain(bins >= 1, 'range', 'there must be a bin');
  const total = sum(cells, checked);
  const made: ReliabilityBin[] = [];
  let [n, y, mass, done] = [0, 0, 0, 0];
  for (const cell of [...cells].sort((a, b) => a.probability - b.probability)) {
    n += cell.n;
    y += cell.y;
    mass += cell.n * cell.probability;
    if (n === 0 || done + n < ((made.length + 1) * total) / bins - 1e-9) continue;
    made.push({
      n,
      y,
      predicted: mass / n,
      observed: y / n,
      ...jeffreysInterval(y, n, 1 - 2 * TAIL),
    });
    done += n;
    [n, y, mass] = [0, 0, 0];
  }
  return made;
}

/**
 * Mean logarithm of the chance that was given to what happened: 0 is perfect, lower is worse.
 *
 * Shapes: G cells in, scalar out.
 * @param cells - predictions in (0, 1), 0 <= y <= n
 * @returns number <= 0; null without predictions
 * @throws StatsDomainError with code `count` or `mass`
 *
 * Reference: Good (1952), Journal of the Royal Statistical Society B 14, 107-114.
 *
 * @example
 * logScore([{ probability: 0.5, low: 0.4, high: 0.6, n: 10, y: 5 }]); // -0.6931471805599453
 */
export function logScore(cells: readonly PredictionCell[]): number | null {
  const total = sum(cells, checked);
  if (total === 0) return null;
  return sum(cells, ({ probability, n, y }) => y * log(probability) + (n - y) * log1p(-probability)) / total;
}

/**
 * Observed over expected replies with an exact 95 % Poisson interval.
 *
 * Shapes: scalars in, one record out.
 * @param observed - replies, >= 0
 * @param expected - sum of the predictions, > 0
 * @returns ratio and interval, each >= 0
 * @throws StatsDomainError with code `count` or `mass`
 *
 * Reference: Garwood (1936), Biometrika 28, 437-442.
 *
 * @example
 * observedOverExpected(10, 10).ratio; // 1
 */
export function observedOverExpected(
  observed: number,
  expected: number,
): { ratio: number; low: number; high: number } {
  requireDomain(observed >= 0, 'count', 'replies must be >= 0');
  requireDomain(expected > 0, 'mass', 'something must be expected');
  return {
    ratio: observed / expected,
    low: observed === 0 ? 0 : gammaQuantile(TAIL, observed) / expected,
    high: gammaQuantile(1 - TAIL, observed + 1) / expected,
  };
}

/**
 * How many cells saw a number of replies that their 95 % interval had announced.
 *
 * A cell announces how many of its n contacts will reply: beta-binomial, with the mean and the spread of the
 * predicted interval. Counts are whole, so that sound intervals cover somewhat more than 95 % of the cells. A share of
 * replies inside the interval is covered in any case.
 *
 * Shapes: G cells in, one record out.
 * @param cells - predictions in (0, 1), 0 <= y <= n
 * @param leastExpected - cells that expect fewer replies announce nothing that could fail, and are left out; > 0
 * @returns cells judged and cells covered
 * @throws StatsDomainError with code `count`, `mass` or `range`
 *
 * Reference: Skellam (1948), Journal of the Royal Statistical Society B 10, 257-261 (the beta-binomial).
 * Oracle: fixtures/coverage.json (mpmath at 50 digits), the same counts.
 *
 * @example
 * intervalCoverage([{ probability: 0.1, low: 0.08, high: 0.12, n: 100, y: 60 }], 2); // { cells: 1, covered: 0 }
 */
export function intervalCoverage(
  cells: readonly PredictionCell[],
  leastExpected: number,
): { cells: number; covered: number } {
  requireDomain(leastExpected > 0, 'range', 'a cell must expect something');
  sum(cells, checked);
  const judged = cells.filter(({ probability, n }) => probability * n >= leastExpected);
  return { cells: judged.length, covered: judged.filter(isCovered).length };
}

function isCovered({ probability, low, high, n, y }: PredictionCell): boolean {
  if (y >= n * low && y <= n * high) return true;
  const [from, to] = [Math.max(low, Number.MIN_VALUE), Math.min(high, 1 - Number.EPSILON / 2)];
  const spread = ((logit(to) - logit(from)) / WIDTH) * probability * (1 - probability);
  // The widest intervals have more spread on the logit than any Beta distribution with their mean.
  const strength = Math.max(LEAST_STRENGTH, (probability * (1 - probability)) / (spread * spread) - 1);
  const [a, b] = [probability * strength, (1 - probability) * strength];
  // P(Y <= y) and P(Y >= y) in units of P(Y = y), each term from the one before: from P(Y = 0) on, which is 0 in double
  // precision where some thousands are expected, all would be 0.
  let [atMost, atLeast] = [1, 1];
  for (let k = y, term = 1; k > 0; k--) {
    term *= (k * (b + n - k)) / ((n - k + 1) * (a + k - 1));
    atMost += term;
  }
  for (let k = y, term = 1; k < n; k++) {
    term *= ((n - k) * (a + k)) / ((k + 1) * (b + n - k - 1));
    atLeast += term;
  }
  const least = TAIL * (atMost + atLeast - 1);
  return atMost > least && atLeast > least;
}

function checked({ probability, low, high, n, y }: PredictionCell): number {
  requireDomain(probability > 0 && probability < 1, 'mass', 'a prediction must be in (0, 1)');
  requireDomain(low >= 0 && low < high && high <= 1, 'mass', 'an interval must lie in [0, 1]');
  requireDomain(y >= 0 && y <= n, 'count', 'outcomes must be 0 to n');
  return n;
}

function sum(cells: readonly PredictionCell[], value: (cell: PredictionCell) => number): number {
  return cells.reduce((total, cell) => total + value(cell), 0);
}
