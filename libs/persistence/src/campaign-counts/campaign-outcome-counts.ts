import { NumberReader, NumberWriter } from '../packing/number-codec';
import { DAYS_PER_FORTNIGHT, fortnightOf } from './campaign-key';
import { ascending, readKeyed, requireCount, writeKeyed } from './sparse-counts';

/** Room in the key of a count. */
const CHANNEL_ROOM = 8;
const STEP_ROOM = 64;
const POSITION_ROOM = 32;
const OUTCOME_ROOM = 8;
/** Added to the outcome of messages that were answered and led to an unsubscribe. */
const WITH_BOTH = 4;

/** Messages of one campaign and fortnight of send days that are alike in everything that health of campaigns looks at. */
export interface OutcomeKey {
  /** send day, in days since 1970-01-01 */
  readonly day: number;
  /** index into CHANNELS */
  readonly channel: number;
  /** the step itself, 0 to 50 */
  readonly step: number;
  /** index into POSITIONS */
  readonly position: number;
  /** index into OUTCOMES */
  readonly outcome: number;
  readonly isRepliedAndUnsubscribed: boolean;
}

export interface OutcomeCount extends OutcomeKey {
  readonly messages: number;
}

/**
 * Counts of one campaign and fortnight of send days by day, channel, step, position and outcome, as outcomes are known
 * now. May hold differences, too.
 */
export class CampaignOutcomeCounts {
  private readonly counts = new Map<number, number>();

  /** @param sign - 1 for a message that came, -1 for one that left */
  add(message: OutcomeKey, sign: 1 | -1): void {
    const key = keyOf(message);
    this.counts.set(key, (this.counts.get(key) ?? 0) + sign);
  }

  /** Whether it counts nothing; of differences, whether nothing changes. */
  get isEmpty(): boolean {
    return [...this.counts.values()].every((count) => count === 0);
  }

  merge(other: CampaignOutcomeCounts): void {
    for (const [key, count] of other.counts) this.counts.set(key, (this.counts.get(key) ?? 0) + count);
  }

  /**
   * The same counts give the same bytes, however they came about.
   * @returns null where nothing is counted
   * @throws NegativeCountError
   */
  encode(): Buffer | null {
    const kept = ascending(this.counts.keys()).filter((key) => this.counts.get(key) !== 0);
    if (kept.length === 0) return null;
    const writer = new NumberWriter(256);
    writeKeyed(writer, kept, (key) => writer.count(requireCount(this.counts.get(key) as number)));
    return writer.finish();
  }

  static decode(bytes: Buffer): CampaignOutcomeCounts {
    const read = new CampaignOutcomeCounts();
    const reader = new NumberReader(bytes);
    readKeyed(reader, (key) => read.counts.set(key, reader.count()));
    return read;
  }
}

/**
 * Reads encoded counts.
 * @param fortnight - of the row, in fortnights since 1970-01-01
 * @returns ascending by day, channel, step, position and outcome
 */
export function readOutcomeCounts(fortnight: number, bytes: Buffer): OutcomeCount[] {
  const reader = new NumberReader(bytes);
  const counts: OutcomeCount[] = [];
  readKeyed(reader, (key) => counts.push({ ...partsOf(fortnight, key), messages: reader.count() }));
  return counts;
}

function keyOf({ day, channel, step, position, outcome, isRepliedAndUnsubscribed }: OutcomeKey): number {
  const dayOfFortnight = day - fortnightOf(day) * DAYS_PER_FORTNIGHT;
  const stratum = (dayOfFortnight * CHANNEL_ROOM + channel) * STEP_ROOM + step;
  const slot = outcome + (isRepliedAndUnsubscribed ? WITH_BOTH : 0);
  return (stratum * POSITION_ROOM + position) * OUTCOME_ROOM + slot;
}

function partsOf(fortnight: number, key: number): OutcomeKey {
  const slot = key % OUTCOME_ROOM;
  const cell = Math.floor(key / OUTCOME_ROOM);
  const stratum = Math.floor(cell / POSITION_ROOM);
  const dayAndChannel = Math.floor(stratum / STEP_ROOM);
  return {
    day: fortnight * DAYS_PER_FORTNIGHT + Math.floor(dayAndChannel / CHANNEL_ROOM),
    channel: dayAndChannel % CHANNEL_ROOM,
    step: stratum % STEP_ROOM,
    position: cell % POSITION_ROOM,
    outcome: slot % WITH_BOTH,
    isRepliedAndUnsubscribed: slot >= WITH_BOTH,
  };
}
