import { createHash } from 'node:crypto';
import { CHANNELS, LEVEL_COUNT, LEVELS } from '@outcomes/contracts';
import { campaignKeyOf, NumberReader, NumberWriter } from '@outcomes/persistence';

/** Changes with the form of an encoded day. */
const FORM = 2;

/** What encoded days of today are made with; those of another make are made anew. */
export const INDUSTRY_DAY_MAKE = createHash('sha256')
  .update(JSON.stringify([FORM, LEVELS, CHANNELS]))
  .digest('hex')
  .slice(0, 32);

/** Messages of a day that are alike but for their levels. */
export interface IndustryMessages {
  readonly campaignId: string | null;
  readonly industry: string | null;
  readonly channel: number;
  readonly step: number;
  readonly position: number;
  readonly answered: boolean;
  readonly messages: number;
  /** The levels of each, as Postgres writes arrays, one behind the other: `{3,17}{3}`. */
  readonly levels: string;
}

/** What the messages of an industry are told apart by. */
interface Stratum {
  /** See campaignKeyOf. */
  readonly campaign: number;
  readonly channel: number;
  readonly step: number;
  readonly position: number;
}

/** Messages and replies per level of LEVELS. */
interface LevelCounts {
  readonly n: Int32Array;
  readonly y: Int32Array;
}

interface Cell extends Stratum, LevelCounts {
  replies: number;
}

/** Messages of one industry, "" where none is known, in one stratum. */
export interface IndustryDayCell extends Stratum {
  readonly industry: string;
  readonly replies: number;
  /** For addLevelsOf, once. */
  readonly levels: NumberReader;
}

/**
 * Sums one day's messages; they come in any order. Those that name no campaign are in no stratum: campaigns differ, so
 * that without them a group that answers to a campaign seems to answer to what the campaign is like.
 */
export class IndustryDayWriter {
  private readonly messages = new Float64Array(CHANNELS.length);
  private readonly industries = new Map<
    string,
    { messages: Float64Array; replies: Float64Array; cells: Map<string, Cell> }
  >();
  private readonly campaigns = new Map<string, number>();

  add({ campaignId, channel, step, position, answered, messages, levels, ...of }: IndustryMessages): void {
    this.messages[channel] = (this.messages[channel] ?? 0) + messages;
    const industry = of.industry ?? '';
    let sums = this.industries.get(industry);
    if (sums === undefined) {
      const none = () => new Float64Array(CHANNELS.length);
      this.industries.set(industry, (sums = { messages: none(), replies: none(), cells: new Map() }));
    }
    sums.messages[channel] = (sums.messages[channel] ?? 0) + messages;
    if (answered) sums.replies[channel] = (sums.replies[channel] ?? 0) + messages;
    if (campaignId === null) return;
    const campaign = this.campaignOf(campaignId);
    const key = `${campaign} ${channel} ${step} ${position}`;
    let cell = sums.cells.get(key);
    if (cell === undefined) {
      const none = () => new Int32Array(LEVEL_COUNT);
      sums.cells.set(key, (cell = { campaign, channel, step, position, replies: 0, n: none(), y: none() }));
    }
    addLevels(levels, cell.n);
    if (!answered) return;
    cell.replies += messages;
    addLevels(levels, cell.y);
  }

  private campaignOf(campaignId: string): number {
    const campaign = this.campaigns.get(campaignId) ?? campaignKeyOf(campaignId);
    this.campaigns.set(campaignId, campaign);
    return campaign;
  }

  /** The same messages give the same bytes, in whichever order they came. */
  finish(): Buffer {
    const writer = DAY.restart();
    writer.counts(this.messages);
    const industries = [...this.industries].sort(([a], [b]) => (a < b ? -1 : 1));
    writer.count(industries.length);
    for (const [industry, { messages, replies, cells }] of industries) {
      writer.bytes(Buffer.from(industry));
      writer.counts(messages);
      writer.counts(replies);
      writer.bytes(encodeCells([...cells.values()].sort(inOrder)));
    }
    return Buffer.from(writer.finish());
  }
}

/** One day of messages by industry, as IndustryDayWriter left it; what is not asked for is not decoded. */
export class IndustryDay {
  constructor(private readonly encoded: Buffer) {}

  /** Messages per channel, those of no known industry included. */
  messages(): Float64Array {
    return new NumberReader(this.encoded).counts();
  }

  /** Messages and replies per channel; "" stands for those of no known industry. */
  *industries(): Generator<{
    industry: string;
    messages: Float64Array;
    replies: Float64Array;
    cells: Buffer;
  }> {
    const reader = new NumberReader(this.encoded);
    reader.counts();
    for (let rest = reader.count(); rest > 0; rest -= 1) {
      const industry = reader.bytes().toString();
      yield { industry, messages: reader.counts(), replies: reader.counts(), cells: reader.bytes() };
    }
  }

  /** Each is read by `addLevelsOf`, or not at all. */
  *cells(): Generator<IndustryDayCell> {
    for (const { industry, cells } of this.industries()) {
      const reader = new NumberReader(cells);
      let campaign = 0;
      for (let rest = reader.count(); rest > 0; rest -= 1) {
        campaign += reader.count();
        const [channel, step, position] = [reader.count(), reader.count(), reader.count()];
        const replies = reader.count();
        yield { industry, campaign, channel, step, position, replies, levels: reader.part() };
      }
    }
  }
}

const inOrder = (a: Stratum, b: Stratum): number =>
  a.campaign - b.campaign || a.position - b.position || a.step - b.step || a.channel - b.channel;

/** Of a day, of an industry in it, and of a cell in that: thousands of days and cells use the same room in turn. */
const [DAY, INDUSTRY, LEVELS_OF_CELL] = [new NumberWriter(), new NumberWriter(), new NumberWriter()] as const;

/** @returns bytes over room that the next call writes over */
function encodeCells(cells: readonly Cell[]): Buffer {
  const writer = INDUSTRY.restart();
  writer.count(cells.length);
  let before = 0;
  for (const { campaign, channel, step, position, replies, n, y } of cells) {
    for (const part of [campaign - before, channel, step, position, replies]) writer.count(part);
    before = campaign;
    const levels = LEVELS_OF_CELL.restart();
    for (let level = 0, skipped = 0; level < LEVEL_COUNT; level += 1, skipped += 1) {
      if ((n[level] ?? 0) === 0) continue;
      levels.count(skipped);
      levels.count(n[level] ?? 0);
      levels.count(y[level] ?? 0);
      skipped = -1;
    }
    writer.bytes(levels.finish());
  }
  return writer.finish();
}

/** Adds a cell's messages and replies per level of LEVELS; some hundred thousand numbers a run. */
export function addLevelsOf({ levels }: IndustryDayCell, { n, y }: LevelCounts, also?: LevelCounts): void {
  for (let level = 0; !levels.ended; level += 1) {
    level += levels.count();
    const [messages, replies] = [levels.count(), levels.count()];
    n[level] = (n[level] ?? 0) + messages;
    y[level] = (y[level] ?? 0) + replies;
    if (also === undefined) continue;
    also.n[level] = (also.n[level] ?? 0) + messages;
    also.y[level] = (also.y[level] ?? 0) + replies;
  }
}

function addLevels(arrays: string, counts: Int32Array): void {
  let level = -1;
  for (let i = 0; i < arrays.length; i += 1) {
    const digit = arrays.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) {
      level = (level < 0 ? 0 : level * 10) + digit;
    } else if (level >= 0) {
      counts[level] = (counts[level] ?? 0) + 1;
      level = -1;
    }
  }
}
