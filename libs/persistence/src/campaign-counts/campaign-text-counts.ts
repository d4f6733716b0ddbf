import { DIMENSIONS, LEVEL_COUNT, levelIndexesOf } from '@outcomes/contracts';
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

/** Texts of a campaign are told apart by so many bins. */
export const TEXT_BINS = 64;
const BINS_PER_SHARD = 8;

/** Timing, step and channel are no matter of the text. */
const OF_NO_TEXT = new Set(['weekday', 'daypart', 'sequence_step', 'channel']);
const IS_OF_TEXT = new Uint8Array(LEVEL_COUNT);
for (const { name } of DIMENSIONS) {
  for (const level of levelIndexesOf(name)) IS_OF_TEXT[level] = OF_NO_TEXT.has(name) ? 0 : 1;
}

/** @param textId - whole number from 0 to 2^32 - 1 */
export function textBinOf(textId: number): number {
  return textId % TEXT_BINS;
}

/** Which of a campaign's rows counts a text: a campaign of many texts is changed a part at a time. */
export function textShardOf(textId: number): number {
  return Math.floor(textBinOf(textId) / BINS_PER_SHARD);
}

/** Texts in ascending order, with the touches of each. */
interface SortedTexts {
  readonly ids: Float64Array;
  readonly touches: Int32Array;
}

const NO_TEXTS: SortedTexts = { ids: new Float64Array(0), touches: new Int32Array(0) };

/**
 * Messages of a campaign by text, and by bin of the text and level. May hold differences, too. What was read stays
 * sorted, and changes lie beside it: a campaign may have as many texts as messages, and one that leaves must not cost
 * the sorting of all.
 */
export class CampaignTextCounts {
  /** Per bin the touches of each level. */
  private readonly bins = new Map<number, Int32Array>();
  private readonly texts = new Map<number, number>();
  private read: SortedTexts = NO_TEXTS;

  /** @param sign - 1 for a message that came, -1 for one that left */
  add(textId: number, levels: readonly number[], sign: 1 | -1): void {
    this.texts.set(textId, (this.texts.get(textId) ?? 0) + sign);
    const row = this.rowOf(textBinOf(textId));
    for (const level of levels) {
      if (IS_OF_TEXT[level] === 1) row[level] = (row[level] as number) + sign;
    }
  }

  /** Whether it counts nothing; of differences, whether nothing changes. */
  get isEmpty(): boolean {
    if (this.read.ids.length > 0) return false;
    for (const touches of this.texts.values()) if (touches !== 0) return false;
    return areEmptyRows(this.bins.values());
  }

  merge(other: CampaignTextCounts): void {
    for (const { textId, touches } of other.textRows())
      this.texts.set(textId, (this.texts.get(textId) ?? 0) + touches);
    for (const [bin, row] of other.bins) addRow(this.rowOf(bin), row);
  }

  /** Touches by level, of each bin that has any; ascending. */
  *binRows(): Iterable<{ readonly bin: number; readonly levelTouches: Int32Array }> {
    for (const bin of ascending(this.bins.keys())) {
      yield { bin, levelTouches: this.bins.get(bin) as Int32Array };
    }
  }

  /**
   * Reads encoded counts without keeping them: a campaign may have as many texts as messages.
   * @param text - told every text, ascending, and its touches
   * @param bin - told the touches of every level of every bin
   */
  static read(
    bytes: Buffer,
    text: (textId: number, touches: number) => void,
    bin: (bin: number, level: number, touches: number) => void,
  ): void {
    const reader = new NumberReader(bytes);
    let textId = 0;
    for (let left = reader.count(); left > 0; left -= 1) {
      textId += reader.count();
      text(textId, reader.count());
    }
    let at = 0;
    for (let left = reader.count(); left > 0; left -= 1) {
      at += reader.count();
      let level = 0;
      for (let levels = reader.count(); levels > 0; levels -= 1) {
        level += reader.count();
        bin(at, level, reader.count());
      }
    }
  }

  /** Ascending. */
  *textRows(): Iterable<{ readonly textId: number; readonly touches: number }> {
    const { ids, touches } = this.all();
    for (let at = 0; at < ids.length; at += 1) {
      yield { textId: ids[at] as number, touches: touches[at] as number };
    }
  }

  /**
   * The same counts give the same bytes, however they came about.
   * @returns null where nothing is counted
   * @throws NegativeCountError
   */
  encode(): Buffer | null {
    const { ids, touches } = this.all();
    if (ids.length === 0) return null;
    const writer = new NumberWriter(512 + 8 * ids.length);
    writer.count(ids.length);
    for (let at = 0; at < ids.length; at += 1) {
      writer.count((ids[at] as number) - (at === 0 ? 0 : (ids[at - 1] as number)));
      writer.count(requireCount(touches[at] as number));
    }
    const bins = ascending(this.bins.keys()).filter((bin) => !isEmptyRow(this.bins.get(bin) as Int32Array));
    writeKeyed(writer, bins, (bin) => {
      const row = this.bins.get(bin) as Int32Array;
      writeKeyed(writer, filledPlaces(row, 0, LEVEL_COUNT), (level) =>
        writer.count(requireCount(row[level] as number)),
      );
    });
    return writer.finish();
  }

  static decode(bytes: Buffer): CampaignTextCounts {
    const counts = new CampaignTextCounts();
    const reader = new NumberReader(bytes);
    counts.read = readTexts(reader);
    readKeyed(reader, (bin) => {
      const row = counts.rowOf(bin);
      readKeyed(reader, (level) => {
        row[level] = reader.count();
      });
    });
    return counts;
  }

  /** What was read and what was added since, without texts that have no touches. */
  private all(): SortedTexts {
    const changed = ascending(this.texts.keys());
    const { ids, touches } = this.read;
    const room = ids.length + changed.length;
    const all = { ids: new Float64Array(room), touches: new Int32Array(room) };
    let [size, before, next] = [0, 0, 0];
    while (before < ids.length || next < changed.length) {
      const known = before < ids.length ? (ids[before] as number) : Infinity;
      const id = Math.min(known, changed[next] ?? Infinity);
      let sum = 0;
      if (known === id) sum += touches[before++] as number;
      if (changed[next] === id) {
        sum += this.texts.get(id) as number;
        next += 1;
      }
      if (sum === 0) continue;
      all.ids[size] = id;
      all.touches[size] = sum;
      size += 1;
    }
    return { ids: all.ids.subarray(0, size), touches: all.touches.subarray(0, size) };
  }

  private rowOf(bin: number): Int32Array {
    let row = this.bins.get(bin);
    if (row === undefined) this.bins.set(bin, (row = new Int32Array(LEVEL_COUNT)));
    return row;
  }
}

function readTexts(reader: NumberReader): SortedTexts {
  const size = reader.count();
  const texts = { ids: new Float64Array(size), touches: new Int32Array(size) };
  let id = 0;
  for (let at = 0; at < size; at += 1) {
    texts.ids[at] = id += reader.count();
    texts.touches[at] = reader.count();
  }
  return texts;
}
