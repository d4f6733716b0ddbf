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
  /** position and step as one dense index, per row; below 64 times 64 */
  readonly stratum: Uint16Array;
  readonly strata: number;
  /** per row; 0: without campaign */
  readonly campaign: Int32Array;
  /** above every campaign index */
  readonly campaigns: number;
  /** campaigns with sends of the days before days[i], counted day by day */
  readonly cellsBefore: Int32Array;
  readonly position: Uint8Array;
  readonly step: Uint8Array;
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
  readonly position: Uint8Array;
  readonly step: Uint8Array;
  readonly campaign: Int32Array;
  readonly n: Int32Array;
  readonly y: Int32Array;

  constructor(room: number) {
    const column = (): Int32Array => new Int32Array(room);
    [this.day, this.campaign, this.n, this.y] = [column(), column(), column(), column()];
    [this.position, this.step] = [new Uint8Array(room), new Uint8Array(room)];
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
const DAY_ROWS = 1_048_576;

/** A row's place within its day, as one number. */
function cellOf({ position, step, campaign }: ChannelCounts, row: number): number {
  const bucket = (position[row] as number) * BUCKETS + (step[row] as number);
  return Math.max(0, campaign[row] as number) * BUCKETS * BUCKETS + bucket;
}

/** Whether rows stand as `canonicalRows` would put them: most are stored in that order. */
function areCanonical(counts: ChannelCounts, from: number, to: number): boolean {
  const { day, position, step, campaign, n } = counts;
  let [lastDay, lastCampaign, lastBucket] = [-Infinity, -1, -1];
  for (let row = from; row < to; row++) {
    const own = campaign[row] as number;
    if ((n[row] as number) === 0 || own < 0) return false;
    const bucket = (position[row] as number) * BUCKETS + (step[row] as number);
    if (
      (day[row] as number) === lastDay &&
      (own < lastCampaign || (own === lastCampaign && bucket <= lastBucket))
    )
      return false;
    lastDay = day[row] as number;
    lastCampaign = own;
    lastBucket = bucket;
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
      ...{ size: to - from, day: part(day), position: position.subarray(from, to) },
      ...{ step: step.subarray(from, to), campaign: part(campaign), n: part(n), y: part(y) },
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

function largest(values: Int32Array | Uint8Array): number {
  let top = 0;
  for (let at = 0; at < values.length; at++) if ((values[at] as number) > top) top = values[at] as number;
  return top;
}

/** What was made of some counts last, and of which rows: the looks of a run rest on the same days. */
const lastDays = new WeakMap<
  ChannelCounts,
  { readonly from: number; readonly to: number; readonly sent: SendDays }
>();

/**
 * @param counts - not to be changed afterwards
 * @param fromDay - first day that the looks may read; what comes out may hold more
 * @throws StatsDomainError with code `size`, `order`, `range` or `count`
 */
export function sendDays(counts: ChannelCounts, fromDay: number, toDay: number): SendDays {
  const [from, to] = [rowFrom(counts, fromDay), rowFrom(counts, toDay + 1)];
  const last = lastDays.get(counts);
  if (last && last.from <= from && to <= last.to) return last.sent;
  checkChannelCounts(counts, from, to);
  const sent = sendDaysOf(canonicalRows(counts, from, to));
  lastDays.set(counts, { from, to, sent });
  return sent;
}

function sendDaysOf({ size, day, ...rows }: RowColumns): SendDays {
  const [position, step] = [rows.position.subarray(0, size), rows.step.subarray(0, size)];
  const [campaign, n, y] = [rows.campaign, rows.n, rows.y].map((column) => column.subarray(0, size)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const steps = 1 + largest(step);
  const strata = steps * (1 + largest(position));
  const stratum = new Uint16Array(size);
  const days: number[] = [];
  const start: number[] = [];
  // Running numbers, so that those of any window are one subtraction: campaigns of the days, which stand together in
  // each, and sends and replies per stratum.
  const cells = [0];
  const sends: Float64Array[] = [new Float64Array(strata)];
  const replies: Float64Array[] = [new Float64Array(strata)];
  for (let row = 0; row < size;) {
    const own = day[row] as number;
    days.push(own);
    start.push(row);
    let found = 0;
    let current = -1;
    const sendsOfDay = (sends.at(-1) as Float64Array).slice();
    const repliesOfDay = (replies.at(-1) as Float64Array).slice();
    for (; row < size && day[row] === own; row++) {
      const s = (position[row] as number) * steps + (step[row] as number);
      stratum[row] = s;
      if (campaign[row] !== current) {
        found++;
        current = campaign[row] as number;
      }
      sendsOfDay[s] = (sendsOfDay[s] as number) + (n[row] as number);
      repliesOfDay[s] = (repliesOfDay[s] as number) + (y[row] as number);
    }
    cells.push((cells.at(-1) as number) + found);
    sends.push(sendsOfDay);
    replies.push(repliesOfDay);
  }
  return {
    days: Int32Array.from(days),
    start: Int32Array.from([...start, size]),
    ...{ stratum, strata, campaign, position, step, n, y },
    campaigns: 1 + largest(campaign),
    cellsBefore: Int32Array.from(cells),
    sendsBefore: joined(sends, strata),
    repliesBefore: joined(replies, strata),
  };
}

function joined(parts: readonly Float64Array[], size: number): Float64Array {
  const all = new Float64Array(parts.length * size);
  parts.forEach((part, i) => all.set(part, i * size));
  return all;
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
