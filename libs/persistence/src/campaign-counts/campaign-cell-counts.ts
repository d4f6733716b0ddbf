import { LEVEL_COUNT } from '@outcomes/contracts';
import { NumberReader, NumberWriter } from '../packing/number-codec';
import {
  addRow,
  areEmptyRows,
  ascending,
  filledPlaces,
  isEmptyRow,
  readKeyed,
  requireCount,
  writeKeyed,
} from './sparse-counts';

/** Room for steps and positions in the key of a cell. */
const STEP_ROOM = 64;
const POSITION_ROOM = 32;

/** Where the parts of a cell's row begin: touches, replies, then both by level. */
const TOUCHES = 0;
const REPLIES = 1;
const LEVEL_TOUCHES = 2;
const LEVEL_REPLIES = LEVEL_TOUCHES + LEVEL_COUNT;
const ROW_LENGTH = LEVEL_REPLIES + LEVEL_COUNT;

/** Within a campaign and fortnight: messages that differ in what they say, and in nothing else that is known. */
export interface CellKey {
  /** index into CHANNELS */
  readonly channel: number;
  /** the step itself, 0 to 50 */
  readonly step: number;
  /** index into POSITIONS */
  readonly position: number;
}

export interface Cell extends CellKey {
  readonly touches: number;
  readonly replies: number;
  /** By index into LEVELS, LEVEL_COUNT long; a view, not to be changed. */
  readonly levelTouches: Int32Array;
  readonly levelReplies: Int32Array;
}

/** A cell with those levels alone that occur, ascending: three arrays of one length. */
export interface SparseCell extends CellKey {
  readonly touches: number;
  readonly replies: number;
  readonly levels: readonly number[];
  readonly levelTouches: readonly number[];
  readonly levelReplies: readonly number[];
}

/** Messages of one cell that carry one variant. */
export interface VariantCell extends CellKey {
  readonly variantId: string;
  readonly touches: number;
  readonly replies: number;
}

/** One message, or the loss of one. */
export interface CellMember extends CellKey {
  readonly levels: readonly number[];
  readonly variantId: string | null;
  readonly isReply: boolean;
}

/** Counts of one campaign and fortnight of send days, by cell, level and variant. May hold differences, too. */
export class CampaignCellCounts {
  private readonly cells = new Map<number, Int32Array>();
  /** Per variant and cell the touches and the replies. */
  private readonly variants = new Map<string, Map<number, Int32Array>>();

  /** @param sign - 1 for a message that came, -1 for one that left */
  add(member: CellMember, sign: 1 | -1): void {
    const key = keyOf(member);
    const reply = member.isReply ? sign : 0;
    const row = this.rowOf(key);
    row[TOUCHES] = (row[TOUCHES] as number) + sign;
    row[REPLIES] = (row[REPLIES] as number) + reply;
    for (const level of member.levels) {
      row[LEVEL_TOUCHES + level] = (row[LEVEL_TOUCHES + level] as number) + sign;
      row[LEVEL_REPLIES + level] = (row[LEVEL_REPLIES + level] as number) + reply;
    }
    if (member.variantId === null) return;
    const variant = this.variantRowOf(member.variantId, key);
    variant[TOUCHES] = (variant[TOUCHES] as number) + sign;
    variant[REPLIES] = (variant[REPLIES] as number) + reply;
  }

  /** Whether it counts nothing; of differences, whether nothing changes. */
  get isEmpty(): boolean {
    return (
      areEmptyRows(this.cells.values()) &&
      [...this.variants.values()].every((rows) => areEmptyRows(rows.values()))
    );
  }

  merge(other: CampaignCellCounts): void {
    for (const [key, row] of other.cells) addRow(this.rowOf(key), row);
    for (const [variantId, cells] of other.variants) {
      for (const [key, row] of cells) addRow(this.variantRowOf(variantId, key), row);
    }
  }

  /** Ascending by channel, step and position. */
  *rows(): Iterable<Cell> {
    for (const key of ascending(this.cells.keys())) {
      const row = this.cells.get(key) as Int32Array;
      yield {
        ...partsOf(key),
        touches: row[TOUCHES] as number,
        replies: row[REPLIES] as number,
        levelTouches: row.subarray(LEVEL_TOUCHES, LEVEL_REPLIES),
        levelReplies: row.subarray(LEVEL_REPLIES, ROW_LENGTH),
      };
    }
  }

  /** Ascending by the variant's code units, then by cell. */
  *variantRows(): Iterable<VariantCell> {
    for (const [variantId, cells] of this.sortedVariants()) {
      for (const key of ascending(cells.keys())) {
        const row = cells.get(key) as Int32Array;
        yield {
          ...partsOf(key),
          variantId,
          touches: row[TOUCHES] as number,
          replies: row[REPLIES] as number,
        };
      }
    }
  }

  /**
   * The same counts give the same bytes, however they came about.
   * @returns null where nothing is counted
   * @throws NegativeCountError
   */
  encode(): Buffer | null {
    const kept = keptKeys(this.cells);
    if (kept.length === 0) return null;
    const writer = new NumberWriter(512);
    writeKeyed(writer, kept, (key) => writeCell(writer, this.cells.get(key) as Int32Array));
    const variants = this.sortedVariants().filter(([, cells]) => keptKeys(cells).length > 0);
    writer.count(variants.length);
    for (const [variantId, cells] of variants) {
      writer.bytes(Buffer.from(variantId));
      writeKeyed(writer, keptKeys(cells), (key) => {
        const row = cells.get(key) as Int32Array;
        writer.count(requireCount(row[TOUCHES] as number));
        writer.count(requireCount(row[REPLIES] as number));
      });
    }
    return writer.finish();
  }

  static decode(bytes: Buffer): CampaignCellCounts {
    const counts = new CampaignCellCounts();
    const reader = new NumberReader(bytes);
    readKeyed(reader, (key) => readCell(reader, counts.rowOf(key)));
    for (let left = reader.count(); left > 0; left -= 1) {
      const variantId = reader.bytes().toString();
      readKeyed(reader, (key) => {
        const row = counts.variantRowOf(variantId, key);
        row[TOUCHES] = reader.count();
        row[REPLIES] = reader.count();
      });
    }
    return counts;
  }

  private sortedVariants(): [string, Map<number, Int32Array>][] {
    return [...this.variants].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  private rowOf(key: number): Int32Array {
    let row = this.cells.get(key);
    if (row === undefined) this.cells.set(key, (row = new Int32Array(ROW_LENGTH)));
    return row;
  }

  private variantRowOf(variantId: string, key: number): Int32Array {
    let cells = this.variants.get(variantId);
    if (cells === undefined) this.variants.set(variantId, (cells = new Map<number, Int32Array>()));
    let row = cells.get(key);
    if (row === undefined) cells.set(key, (row = new Int32Array(2)));
    return row;
  }
}

/**
 * Reads encoded counts without a place for every level: of a cell of some twenty messages most are empty.
 * @returns cells and variants in the order of `rows` and `variantRows`
 */
export function readSparseCells(bytes: Buffer): {
  readonly cells: readonly SparseCell[];
  readonly variants: readonly VariantCell[];
} {
  const reader = new NumberReader(bytes);
  const cells: SparseCell[] = [];
  readKeyed(reader, (key) => cells.push(readSparseCell(reader, key)));
  const variants: VariantCell[] = [];
  for (let left = reader.count(); left > 0; left -= 1) {
    const variantId = reader.bytes().toString();
    readKeyed(reader, (key) => {
      variants.push({ ...partsOf(key), variantId, touches: reader.count(), replies: reader.count() });
    });
  }
  return { cells, variants };
}

function readSparseCell(reader: NumberReader, key: number): SparseCell {
  const touches = reader.count();
  const replies = reader.count();
  const size = reader.count();
  const levels = new Array<number>(size);
  const levelTouches = new Array<number>(size);
  const levelReplies = new Array<number>(size);
  for (let at = 0, level = 0; at < size; at += 1) {
    levels[at] = level += reader.count();
    levelTouches[at] = reader.count();
    levelReplies[at] = replies > 0 ? reader.count() : 0;
  }
  const { channel, step, position } = partsOf(key);
  return { channel, step, position, touches, replies, levels, levelTouches, levelReplies };
}

function keyOf({ channel, step, position }: CellKey): number {
  return (channel * STEP_ROOM + step) * POSITION_ROOM + position;
}

function partsOf(key: number): CellKey {
  const channelAndStep = Math.floor(key / POSITION_ROOM);
  return {
    channel: Math.floor(channelAndStep / STEP_ROOM),
    step: channelAndStep % STEP_ROOM,
    position: key % POSITION_ROOM,
  };
}

function keptKeys(rows: ReadonlyMap<number, Int32Array>): number[] {
  return ascending(rows.keys()).filter((key) => !isEmptyRow(rows.get(key) as Int32Array));
}

function writeCell(writer: NumberWriter, row: Int32Array): void {
  const replies = requireCount(row[REPLIES] as number);
  writer.count(requireCount(row[TOUCHES] as number));
  writer.count(replies);
  writeKeyed(writer, filledPlaces(row, LEVEL_TOUCHES, LEVEL_REPLIES), (level) => {
    writer.count(requireCount(row[LEVEL_TOUCHES + level] as number));
    // Most cells have no reply, and none of their levels has.
    if (replies > 0) writer.count(requireCount(row[LEVEL_REPLIES + level] as number));
  });
}

function readCell(reader: NumberReader, row: Int32Array): void {
  row[TOUCHES] = reader.count();
  const replies = (row[REPLIES] = reader.count());
  readKeyed(reader, (level) => {
    row[LEVEL_TOUCHES + level] = reader.count();
    if (replies > 0) row[LEVEL_REPLIES + level] = reader.count();
  });
}
