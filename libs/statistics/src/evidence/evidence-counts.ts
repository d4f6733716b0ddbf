import { requireDomain } from '../numerics/stats-domain-error';

/** Texts are sorted into this many bins by their id. */
export const TEXT_BINS = 64;

/**
 * The most ways in which texts of messages are told apart, such as by their body and by their subject: a message is in one
 * bin of each.
 */
const MAX_WAYS = 4;

/** Matured messages of one campaign, send fortnight, exact step, position and channel. */
export interface EvidenceCell {
  /** whole fortnights since the epoch */
  readonly fortnight: number;
  readonly step: number;
  readonly position: number;
  readonly channel: number;
  /** all messages and replies of the cell, whatever their levels */
  readonly n: number;
  readonly y: number;
  /** the levels that occur, with their messages and replies; three arrays of one length */
  readonly levels: ArrayLike<number>;
  readonly levelN: ArrayLike<number>;
  readonly levelY: ArrayLike<number>;
}

/** Messages per text id. */
export interface TextCounts {
  readonly ids: readonly (number | string)[];
  readonly n: ArrayLike<number>;
}

/** All that is kept of a campaign for the evidence. Cells of the same key are added, so corrections may be appended. */
export interface EvidenceCounts {
  /** the company's own number of the campaign, whole, >= 0, never given to another one */
  readonly campaign: number;
  readonly cells: readonly EvidenceCell[];
  /**
   * Messages per level and text bin, level * TEXT_BINS + bin; for the levels of a channel first touches only. Of texts that
   * are told apart in several ways one such block behind the other, all of the same messages.
   */
  readonly bins: ArrayLike<number>;
  /** Of each way; an id of one has nothing to do with the same id of another. */
  readonly texts: TextCounts | readonly TextCounts[];
}

/** @returns in how many ways the texts of bins are told apart: blocks of `width` levels each */
export function waysOf(width: number, bins: ArrayLike<number>): number {
  const ways = bins.length / (width * TEXT_BINS);
  requireDomain(
    width === 0 ? bins.length === 0 : Number.isInteger(ways) && ways >= 1 && ways <= MAX_WAYS,
    'size',
    'text bins need a place per level and bin',
  );
  return width === 0 ? 1 : ways;
}

/** The counts of a cell with a place for each level, in an array that all cells share: a view of it for each costs more. */
export interface MergedCell {
  readonly fortnight: number;
  readonly step: number;
  readonly position: number;
  readonly channel: number;
  n: number;
  y: number;
  readonly counts: Float64Array;
  /** where its messages by level begin in `counts` */
  readonly levelN: number;
  /** where its replies by level do */
  readonly levelY: number;
}

/** Parts of a cell's key that are left out where the dimension compared is itself that part. */
export type DroppedPart = 'channel' | 'step' | null;

const isWhole = (value: number): boolean => Number.isSafeInteger(value);

function addTo(cell: MergedCell, { n, y, levels, levelN, levelY }: EvidenceCell, width: number): void {
  requireDomain(
    levels.length === levelN.length && levels.length === levelY.length,
    'size',
    'levels, their messages and their replies go together',
  );
  cell.n += n;
  cell.y += y;
  for (let i = 0; i < levels.length; i++) {
    const level = levels[i] as number;
    requireDomain(isWhole(level) && level >= 0 && level < width, 'range', 'a level lies outside the design');
    const [atN, atY] = [cell.levelN + level, cell.levelY + level];
    cell.counts[atN] = (cell.counts[atN] as number) + (levelN[i] as number);
    cell.counts[atY] = (cell.counts[atY] as number) + (levelY[i] as number);
  }
}

function checkMerged({ n, y, counts, levelN, levelY }: MergedCell, width: number): void {
  requireDomain(
    isWhole(n) && isWhole(y) && y >= 0 && y <= n,
    'count',
    'a cell needs 0 <= replies <= messages',
  );
  for (let level = 0; level < width; level++) {
    const sends = counts[levelN + level] as number;
    const replies = counts[levelY + level] as number;
    if (sends === 0 && replies === 0) continue;
    const fits = isWhole(sends) && isWhole(replies) && replies >= 0 && replies <= sends && sends <= n;
    requireDomain(
      fits && replies <= y && sends - replies <= n - y,
      'count',
      'a level needs 0 <= replies <= messages, within its cell',
    );
  }
}

/** Counts of merged cells, by the part that is left out: some 100 kB that thousands of campaigns use in turn. */
const BLOCKS = new Map<DroppedPart, Float64Array>();

function cleared(dropped: DroppedPart, size: number): Float64Array {
  const known = BLOCKS.get(dropped);
  if (known && known.length >= size) return known.fill(0, 0, size);
  const block = new Float64Array(size);
  BLOCKS.set(dropped, block);
  return block;
}

/** Of the parts of a key that fit one whole number together. */
const KEY_ROOM = 1_024;
const FORTNIGHT_ROOM = 1_048_576;

/** One key per cell: a number where its parts are as small as they are in practice. */
function keyOf(fortnight: number, step: number, position: number, channel: number): number | string {
  const fits = (part: number): boolean => part >= 0 && part < KEY_ROOM;
  if (Math.abs(fortnight) < FORTNIGHT_ROOM && fits(step) && fits(position) && fits(channel))
    return ((fortnight * KEY_ROOM + step) * KEY_ROOM + position) * KEY_ROOM + channel;
  return `${fortnight} ${step} ${position} ${channel}`;
}

/**
 * Adds cells of the same key, in an order that does not depend on theirs; a key that sums to nothing is left out.
 *
 * @returns cells whose counts last until cells with the same part left out are merged again
 */
export function mergeCells(
  cells: readonly EvidenceCell[],
  width: number,
  dropped: DroppedPart = null,
): MergedCell[] {
  const merged = new Map<number | string, MergedCell>();
  const counts = cleared(dropped, 2 * width * cells.length);
  for (const cell of cells) {
    const { fortnight, position } = cell;
    const step = dropped === 'step' ? 0 : cell.step;
    const channel = dropped === 'channel' ? 0 : cell.channel;
    requireDomain(
      isWhole(fortnight) && isWhole(cell.step) && isWhole(position) && isWhole(cell.channel),
      'range',
      "a cell's fortnight, step, position and channel are whole numbers",
    );
    const key = keyOf(fortnight, step, position, channel);
    let sum = merged.get(key);
    if (!sum) {
      const levelN = 2 * merged.size * width;
      const sums = { n: 0, y: 0, counts, levelN, levelY: levelN + width };
      merged.set(key, (sum = { fortnight, step, position, channel, ...sums }));
    }
    addTo(sum, cell, width);
  }
  const sums = [...merged.values()];
  for (const sum of sums) checkMerged(sum, width);
  return sums
    .filter(({ n }) => n > 0)
    .sort(
      (a, b) =>
        a.fortnight - b.fortnight || a.step - b.step || a.position - b.position || a.channel - b.channel,
    );
}
