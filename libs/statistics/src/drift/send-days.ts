import { requireDomain } from '../numerics/stats-domain-error';
import { BUCKETS, type ChannelCounts, checkChannelCounts, rowFrom } from './channel-counts';

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
  /** campaigns with sends of the days before days[i], counted day by day */
  readonly cellsBefore: Int32Array;
  readonly position: Int32Array;
  readonly step: Int32Array;
  readonly n: Int32Array;
  readonly y: Int32Array;
  /** sends and replies of each stratum before days[i], at i * strata + stratum: whole numbers, so differences are exact */
  readonly sendsBefore: Float64Array;
  readonly repliesBefore: Float64Array;
}

/** Rows in columns of one length. */
type RowColumns = Pick<ChannelCounts, 'size' | 'day' | 'position' | 'step' | 'campaign' | 'n' | 'y'>;

/** Columns that are filled row by row, without the rows that say nothing. */
class Rows implements RowColumns {
  size = 0;
  readonly day: Int32Array;
  readonly position: Int32Array;
  readonly step: Int32Array;
  readonly campaign: Int32Array;
  readonly n: Int32Array;
  readonly y: Int32Array;

  constructor(room: number) {
    const column = (): Int32Array => new Int32Array(room);
    [this.day, this.position, this.step] = [column(), column(), column()];
    [this.campaign, this.n, this.y] = [column(), column(), column()];
  }

  /** Puts a row behind the others, or adds it to the last one where it counts the same cell. */
  put(counts: ChannelCounts, row: number): void {
    const campaign = Math.max(0, counts.campaign[row] as number);
    const last = this.size - 1;
    const same =
      last >= 0 &&
      this.day[last] === counts.day[row] &&
      this.campaign[last] === campaign &&
      this.position[last] === counts.position[row] &&
      this.step[last] === counts.step[row];
    const at = same ? last : this.size++;
    this.day[at] = counts.day[row] as number;
    this.position[at] = counts.position[row] as number;
    this.step[at] = counts.step[row] as number;
    this.campaign[at] = campaign;
    this.n[at] = (this.n[at] as number) + (counts.n[row] as number);
    this.y[at] = (this.y[at] as number) + (counts.y[row] as number);
  }
}

/** Rows of a day, so that the cell and the row's place fit one number of 52 bits. */
const DAY_ROWS = 2 ** 20;

/** A row's place within its day, as one number. */
function cellOf({ position, step, campaign }: ChannelCounts, row: number): number {
  const bucket = (position[row] as number) * BUCKETS + (step[row] as number);
  return Math.max(0, campaign[row] as number) * BUCKETS * BUCKETS + bucket;
}

/** Whether rows stand as `canonicalRows` would put them: most are stored in that order. */
function areCanonical(counts: ChannelCounts, from: number, to: number): boolean {
  const { day, campaign, n } = counts;
  let lastCell = -1;
  for (let row = from; row < to; row++) {
    if ((n[row] as number) === 0 || (campaign[row] as number) < 0) return false;
    const cell = cellOf(counts, row);
    if (row > from && day[row] === day[row - 1] && cell <= lastCell) return false;
    lastCell = cell;
  }
  return true;
}

/**
 * The rows from..to in one order whatever order they came in: by day, campaign, position and step. Cell and place are
 * sorted as one number, since a comparing function would take longer than the look itself. Rows that stand in this order
 * are not copied.
 */
function canonicalRows(counts: ChannelCounts, from: number, to: number): RowColumns {
  if (areCanonical(counts, from, to)) {
    const part = (column: Int32Array): Int32Array => column.subarray(from, to);
    const { day, position, step, campaign, n, y } = counts;
    return {
      ...{ size: to - from, day: part(day), position: part(position), step: part(step) },
      ...{ campaign: part(campaign), n: part(n), y: part(y) },
    };
  }
  return sortedRows(counts, from, to);
}

function sortedRows(counts: ChannelCounts, from: number, to: number): Rows {
  const { day, n } = counts;
  const rows = new Rows(to - from);
  const keys = new Float64Array(to - from);
  for (let first = from; first < to;) {
    let found = 0;
    let row = first;
    for (; row < to && day[row] === day[first]; row++) {
      if ((n[row] as number) === 0) continue;
      keys[found++] = cellOf(counts, row) * DAY_ROWS + (row - first);
    }
    requireDomain(row - first <= DAY_ROWS, 'size', 'too many rows of one day');
    const sorted = keys.subarray(0, found).sort();
    for (let i = 0; i < found; i++) rows.put(counts, first + ((sorted[i] as number) % DAY_ROWS));
    first = row;
  }
  return rows;
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

/** Running number of campaigns per day: how many cells a window has. Rows of a campaign stand together. */
function runningCells(start: Int32Array, campaign: Int32Array): Int32Array {
  const cells = new Int32Array(start.length);
  for (let d = 0; d + 1 < start.length; d++) {
    let found = 0;
    const from = start[d] as number;
    for (let row = from; row < (start[d + 1] as number); row++)
      if (row === from || campaign[row] !== campaign[row - 1]) found++;
    cells[d + 1] = (cells[d] as number) + found;
  }
  return cells;
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

function largest(values: Int32Array): number {
  let top = 0;
  for (const value of values) if (value > top) top = value;
  return top;
}

/**
 * @param fromDay - first day that the looks may read
 * @throws StatsDomainError with code `size`, `order`, `range` or `count`
 */
export function sendDays(counts: ChannelCounts, fromDay: number, toDay: number): SendDays {
  const [from, to] = [rowFrom(counts, fromDay), rowFrom(counts, toDay + 1)];
  checkChannelCounts(counts, from, to);
  const rows = canonicalRows(counts, from, to);
  const { size } = rows;
  const { days, start } = dayStarts(rows.day, size);
  const [position, step, campaign, n, y] = [rows.position, rows.step, rows.campaign, rows.n, rows.y].map(
    (column) => column.subarray(0, size),
  ) as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];
  const steps = 1 + largest(step);
  const strata = steps * (1 + largest(position));
  const stratum = new Int32Array(size);
  for (let row = 0; row < size; row++)
    stratum[row] = (position[row] as number) * steps + (step[row] as number);
  return {
    days,
    start,
    stratum,
    strata,
    campaign,
    campaigns: 1 + largest(campaign),
    cellsBefore: runningCells(start, campaign),
    position,
    step,
    n,
    y,
    sendsBefore: runningSums(start, stratum, strata, n),
    repliesBefore: runningSums(start, stratum, strata, y),
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
