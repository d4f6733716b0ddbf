// What a series did over a time, robustly: the median slope of Theil and Sen, with an interval that allows for noise that
// lasts, and the ratio of two samples after Hodges and Lehmann.

export interface Point {
  /** Seconds. */
  readonly at: number;
  readonly value: number;
}

/** `slope` per hour; the interval holds the true one in 99 of 100 runs. `points` that it rests on. */
export interface Trend {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly points: number;
}

export interface Ratio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** 99 %: a run judges some thirty series, and is to fail of noise less than once in ten runs even where each is at its limit. */
const Z = 2.576;
/** Of noise, from point to point. What remembers more cannot be told from a trend by so few points. */
const MOST_MEMORY = 0.8;
/** Fewer say nothing: the interval is infinite. */
const LEAST_POINTS = 8;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** The median of the points of each stretch of time: heaps are saw teeth, and neighbouring samples say the same. */
export function blocks(points: readonly Point[], seconds: number): Point[] {
  const stretches = Map.groupBy(points, ({ at }) => Math.floor(at / seconds));
  return [...stretches.values()].map((some) => ({
    at: median(some.map(({ at }) => at)),
    value: median(some.map(({ value }) => value)),
  }));
}

/**
 * The slope of Theil (1950) and Sen (1968), whose interval comes from the variance of Kendall's S. That variance
 * supposes noise without memory. Where residuals resemble their neighbours it is widened by (1 + r) / (1 - r), r being
 * their correlation at lag 1 (Yue and Wang 2004); a saw tooth that is longer than a block would be a trend otherwise.
 */
export function trendOf(points: readonly Point[]): Trend {
  const slopes: number[] = [];
  for (const [index, one] of points.entries()) {
    for (const other of points.slice(index + 1)) {
      if (other.at > one.at) slopes.push((other.value - one.value) / (other.at - one.at));
    }
  }
  const level = median(points.map(({ value }) => value));
  if (points.length < LEAST_POINTS) {
    return { slope: NaN, low: -Infinity, high: Infinity, level, points: points.length };
  }
  slopes.sort((a, b) => a - b);
  const slope = median(slopes);
  const residuals = points.map(({ at, value }) => value - slope * at);
  const n = points.length;
  const variance = ((n * (n - 1) * (2 * n + 5)) / 18) * inflation(residuals);
  const half = (Z * Math.sqrt(variance)) / 2;
  const low = Math.floor(slopes.length / 2 - half);
  const high = Math.ceil(slopes.length / 2 + half);
  const perHour = (value: number) => 3_600 * value;
  return {
    ...{ slope: perHour(slope), level, points: n },
    low: perHour(slopes[low] ?? -Infinity),
    high: perHour(slopes[high] ?? Infinity),
  };
}

function inflation(residuals: readonly number[]): number {
  const middle = median(residuals);
  let [products, squares] = [0, 0];
  for (const [index, value] of residuals.entries()) {
    squares += (value - middle) ** 2;
    if (index > 0) products += (value - middle) * ((residuals[index - 1] ?? 0) - middle);
  }
  const r = squares === 0 ? 0 : Math.min(MOST_MEMORY, Math.max(0, products / squares));
  return (1 + r) / (1 - r);
}

/**
 * How many times larger one sample is than another: the median of all ratios (Hodges and Lehmann 1963), with the
 * interval of Mann and Whitney's U. Medians of minutes: one bad minute is not a trend.
 */
export function ratioOf(later: readonly number[], earlier: readonly number[]): Ratio {
  const ratios = later.flatMap((value) => earlier.map((other) => value / other)).sort((a, b) => a - b);
  if (Math.min(later.length, earlier.length) < 4) return { ratio: median(ratios), low: 0, high: Infinity };
  const half = Z * Math.sqrt((later.length * earlier.length * (later.length + earlier.length + 1)) / 12);
  return {
    ratio: median(ratios),
    low: ratios[Math.floor(ratios.length / 2 - half)] ?? 0,
    high: ratios[Math.ceil(ratios.length / 2 + half)] ?? Infinity,
  };
}
