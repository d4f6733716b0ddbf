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

/** Room for positions in a slot; the vocabulary may grow to it. */
const POSITION_ROOM = 32;
/** Room for steps in a slot. */
export const STEP_ROOM = 3;
const SLOTS = STEP_ROOM * POSITION_ROOM;

/** Messages of one campaign, step bucket and position, and those of them that were answered in time. */
export interface CampaignDayRow {
  readonly campaign: number;
  /** index into STEP_BUCKETS */
  readonly step: number;
  /** index into POSITIONS */
  readonly position: number;
  readonly touches: number;
  readonly replies: number;
}

/** Counts of one channel and send day by campaign, step bucket and position. May hold differences, too. */
export class CampaignDayCounts {
  /** Per campaign the touches of each slot, then the replies. */
  private readonly campaigns = new Map<number, Int32Array>();

  add(campaign: number, step: number, position: number, touches: number, replies: number): void {
    const row = this.rowOf(campaign);
    const slot = step * POSITION_ROOM + position;
    row[slot] = (row[slot] as number) + touches;
    row[SLOTS + slot] = (row[SLOTS + slot] as number) + replies;
  }

  merge(other: CampaignDayCounts): void {
    for (const [campaign, row] of other.campaigns) addRow(this.rowOf(campaign), row);
  }

  /** Whether it counts nothing; of differences, whether nothing changes. */
  get isEmpty(): boolean {
    return areEmptyRows(this.campaigns.values());
  }

  /** Whether messages came or went, and not only replies. */
  get changesTouches(): boolean {
    return [...this.campaigns.values()].some((row) => filledPlaces(row, 0, SLOTS).length > 0);
  }

  /** Ascending by campaign, step and position. */
  *rows(): Iterable<CampaignDayRow> {
    for (const campaign of ascending(this.campaigns.keys())) {
      const row = this.campaigns.get(campaign) as Int32Array;
      for (const slot of filledPlaces(row, 0, SLOTS)) {
        yield {
          campaign,
          step: Math.floor(slot / POSITION_ROOM),
          position: slot % POSITION_ROOM,
          touches: row[slot] as number,
          replies: row[SLOTS + slot] as number,
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
    const kept = ascending(this.campaigns.keys()).filter(
      (campaign) => !isEmptyRow(this.campaigns.get(campaign) as Int32Array),
    );
    if (kept.length === 0) return null;
    const writer = new NumberWriter(512);
    writeKeyed(writer, kept, (campaign) => {
      const row = this.campaigns.get(campaign) as Int32Array;
      writeKeyed(writer, filledSlots(row), (slot) => {
        writer.count(requireCount(row[slot] as number));
        writer.count(requireCount(row[SLOTS + slot] as number));
      });
    });
    return writer.finish();
  }

  static decode(bytes: Buffer): CampaignDayCounts {
    const counts = new CampaignDayCounts();
    const reader = new NumberReader(bytes);
    readKeyed(reader, (campaign) => {
      const row = counts.rowOf(campaign);
      readKeyed(reader, (slot) => {
        row[slot] = reader.count();
        row[SLOTS + slot] = reader.count();
      });
    });
    return counts;
  }

  private rowOf(campaign: number): Int32Array {
    let row = this.campaigns.get(campaign);
    if (row === undefined) this.campaigns.set(campaign, (row = new Int32Array(2 * SLOTS)));
    return row;
  }
}

/** Where the reader puts a slot: by position, and by step within it. */
const PLACES = Uint8Array.from(
  { length: SLOTS },
  (_, slot) => (slot % POSITION_ROOM) * STEP_ROOM + Math.floor(slot / POSITION_ROOM),
);

/**
 * Reads encoded counts campaign by campaign, without an object for each: half a year of a busy channel are half a
 * million cells.
 */
export class CampaignDayReader {
  /** Messages and replies of the campaign whose turn it is, at `position * STEP_ROOM + step`. */
  readonly touches = new Int32Array(SLOTS);
  readonly replies = new Int32Array(SLOTS);

  /**
   * @param campaign - told each campaign, ascending, and how many places of `touches` and `replies` reach up to its last
   * cell with messages; replies are of a meaning beside messages alone, and nothing that stands there is afterwards
   */
  read(bytes: Buffer, campaign: (key: number, places: number) => void): void {
    const reader = new NumberReader(bytes);
    let key = 0;
    for (let left = reader.count(); left > 0; left -= 1) {
      key += reader.count();
      const places = this.readCells(reader);
      campaign(key, places);
      // Replies without messages are not looked at.
      this.touches.fill(0, 0, places);
    }
  }

  private readCells(reader: NumberReader): number {
    const { touches, replies } = this;
    let [slot, places] = [0, 0];
    for (let left = reader.count(); left > 0; left -= 1) {
      slot += reader.count();
      const sent = reader.count();
      const answered = reader.count();
      if (sent === 0) continue;
      const place = PLACES[slot] as number;
      touches[place] = sent;
      replies[place] = answered;
      if (place >= places) places = place + 1;
    }
    return places;
  }
}

/** Campaigns that encoded counts have an entry for. */
export function campaignsOfDay(bytes: Buffer): number {
  return new NumberReader(bytes).count();
}

/** Slots with touches, or with a reply that has no message: the latter is a fault, and is not passed over. */
function filledSlots(row: Int32Array): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < SLOTS; slot += 1) {
    if (row[slot] !== 0 || row[SLOTS + slot] !== 0) slots.push(slot);
  }
  return slots;
}
