import { requireDomain } from '../numerics/stats-domain-error';

/** Texts are sorted into this many bins by their id. */
export const TEXT_BINS = 64;

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
  /** messages per level and text bin, level * TEXT_BINS + bin; for the levels of a channel first touches only */
  readonly bins: ArrayLike<number>;
  readonly texts: TextCounts;
}

/** The counts of a cell as full arrays. */
export interface MergedCell {
  readonly fortnight: number;
  readonly step: number;
  readonly position: number;
  readonly channel: number;
  n: number;
  y: number;
  readonly levelN: Float64Array;
  readonly levelY: Float64Array;
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
    cell.levelN[level] = (cell.levelN[level] as number) + (levelN[i] as number);
    cell.levelY[level] = (cell.levelY[level] as number) + (levelY[i] as number);
  }
}

function checkMerged({ n, y, levelN, levelY }: MergedCell): void {
  requireDomain(
    isWhole(n) && isWhole(y) && y >= 0 && y <= n,
    'count',
    'a cell needs 0 <= replies <= messages',
  );
  for (let level = 0; level < levelN.length; level++) {
    const sends = levelN[level] as number;
    const replies = levelY[level] as number;
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
  const merged = new Map<string, MergedCell>();
  const block = cleared(dropped, 2 * width * cells.length);
  const counts = (place: number): Float64Array => block.subarray(place * width, (place + 1) * width);
  for (const cell of cells) {
    const { fortnight, position } = cell;
    const step = dropped === 'step' ? 0 : cell.step;
    const channel = dropped === 'channel' ? 0 : cell.channel;
    requireDomain(
      isWhole(fortnight) && isWhole(cell.step) && isWhole(position) && isWhole(cell.channel),
      'range',
      "a cell's fortnight, step, position and channel are whole numbers",
    );
    const key = `${fortnight} ${step} ${position} ${channel}`;
    let sum = merged.get(key);
    if (!sum) {
      const [levelN, levelY] = [counts(2 * merged.size), counts(2 * merged.size + 1)];
      merged.set(key, (sum = { fortnight, step, position, channel, n: 0, y: 0, levelN, levelY }));
    }
    addTo(sum, cell, width);
  }
  const sums = [...merged.values()];
  sums.forEach(checkMerged);
  return sums
    .filter(({ n }) => n > 0)
    .sort(
      (a, b) =>
        a.fortnight - b.fortnight || a.step - b.step || a.position - b.position || a.channel - b.channel,
    );
}
