import { type ChannelCounts, checkChannelCounts } from './channel-counts';

/**
 * The counts of a channel by send day, ready for many looks. Rows of a day stand in one order whatever order they
 * came in, and every number that a look takes from here depends on the rows of its window alone: so a replay of two
 * years and the look of one day give the same bytes.
 */
export interface SendDays {
  /** days with sends, ascending */
  readonly days: Int32Array;
  /** rows of days[i]: start[i] up to start[i + 1] */
  readonly start: Int32Array;
  /** position and step as one dense index, per row */
  readonly stratum: Int32Array;
  readonly strata: number;
  /** per row; 0: without campaign */
  readonly campaign: Int32Array;
  /** above every campaign index */
  readonly campaigns: number;
  readonly position: Int32Array;
  readonly step: Int32Array;
  readonly n: Int32Array;
  readonly y: Int32Array;
  /** sends and replies of each stratum before days[i], at i * strata + stratum: whole numbers, so differences are exact */
  readonly sendsBefore: Float64Array;
  readonly repliesBefore: Float64Array;
}

/** Rows within a day by campaign, position, step and counts. */
function canonicalOrder(counts: ChannelCounts): Int32Array {
  const { size, day, position, step, campaign, n, y } = counts;
  const order = Int32Array.from({ length: size }, (_, i) => i);
  const compare = (a: number, b: number): number =>
    Math.max(0, campaign[a] as number) - Math.max(0, campaign[b] as number) ||
    (position[a] as number) - (position[b] as number) ||
    (step[a] as number) - (step[b] as number) ||
    (n[a] as number) - (n[b] as number) ||
    (y[a] as number) - (y[b] as number);
  let from = 0;
  let sorted = true;
  for (let i = 1; i <= size; i++) {
    if (i < size && day[i] === day[from]) {
      sorted &&= compare(i - 1, i) <= 0;
      continue;
    }
    if (!sorted) order.subarray(from, i).sort(compare);
    from = i;
    sorted = true;
  }
  return order;
}

/** First row of every day with sends, and one past the last row. */
function dayStarts(day: Int32Array, size: number): { days: Int32Array; start: Int32Array } {
  const days: number[] = [];
  const start: number[] = [];
  for (let i = 0; i < size; i++) {
    if (i > 0 && day[i] === day[i - 1]) continue;
    days.push(day[i] as number);
    start.push(i);
  }
  return { days: Int32Array.from(days), start: Int32Array.from([...start, size]) };
}

/** Running sums per stratum: any window's sums are then one subtraction. */
function runningSums(
  start: Int32Array,
  stratum: Int32Array,
  strata: number,
  values: Int32Array,
): Float64Array {
  const days = start.length - 1;
  const sums = new Float64Array((days + 1) * strata);
  for (let d = 0; d < days; d++) {
    sums.copyWithin((d + 1) * strata, d * strata, (d + 1) * strata);
    for (let row = start[d] as number; row < (start[d + 1] as number); row++) {
      const at = (d + 1) * strata + (stratum[row] as number);
      sums[at] = (sums[at] as number) + (values[row] as number);
    }
  }
  return sums;
}

/** @throws StatsDomainError with code `size`, `order`, `range` or `count` */
export function sendDays(counts: ChannelCounts): SendDays {
  checkChannelCounts(counts);
  const withSends = rowsWithSends(counts);
  const order = canonicalOrder(withSends);
  const take = (column: Int32Array): Int32Array => order.map((row) => column[row] as number);
  const [position, step, n, y] = [withSends.position, withSends.step, withSends.n, withSends.y].map(take) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const steps = 1 + step.reduce((a, b) => Math.max(a, b), 0);
  const strata = steps * (1 + position.reduce((a, b) => Math.max(a, b), 0));
  const stratum = position.map((p, row) => p * steps + (step[row] as number));
  const campaign = take(withSends.campaign).map((index) => Math.max(0, index));
  const { days, start } = dayStarts(withSends.day, withSends.size);
  return {
    days,
    start,
    stratum,
    strata,
    campaign,
    campaigns: 1 + campaign.reduce((a, b) => Math.max(a, b), 0),
    position,
    step,
    n,
    y,
    sendsBefore: runningSums(start, stratum, strata, n),
    repliesBefore: runningSums(start, stratum, strata, y),
  };
}

/** A row without sends says nothing, and must not make its day a day with sends. */
function rowsWithSends(counts: ChannelCounts): ChannelCounts {
  const { size, n } = counts;
  const kept: number[] = [];
  for (let row = 0; row < size; row++) if ((n[row] as number) > 0) kept.push(row);
  const take = (column: Int32Array): Int32Array => Int32Array.from(kept, (row) => column[row] as number);
  return {
    size: kept.length,
    day: take(counts.day),
    position: take(counts.position),
    step: take(counts.step),
    campaign: take(counts.campaign),
    n: take(n),
    y: take(counts.y),
  };
}

/** Index of the first day with sends that is not before `day`. */
export function firstDayFrom({ days }: SendDays, day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] as number) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
