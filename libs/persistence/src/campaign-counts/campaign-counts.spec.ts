import { LEVEL_COUNT } from '@outcomes/contracts';
import fc from 'fast-check';
import { CampaignCellCounts, readSparseCells, type CellMember } from './campaign-cell-counts';
import {
  CampaignDayCounts,
  CampaignDayReader,
  campaignsOfDay,
  STEP_ROOM,
  type CampaignDayRow,
} from './campaign-day-counts';
import { CampaignOutcomeCounts, readOutcomeCounts } from './campaign-outcome-counts';
import { campaignKeyOf, dayNumberOf, fortnightOf, NO_CAMPAIGN } from './campaign-key';
import { CampaignTextCounts, textBinOf, textShardOf } from './campaign-text-counts';
import { NumberReader, NumberWriter } from '../packing/number-codec';
import { filledPlaces, NegativeCountError, readKeyed, writeFilled, writeKeyed } from './sparse-counts';

interface Message extends CellMember {
  readonly campaign: number;
  readonly textId: number;
  readonly day: number;
  readonly outcome: number;
  readonly isRepliedAndUnsubscribed: boolean;
}

const message: fc.Arbitrary<Message> = fc.record({
  campaign: fc.constantFrom(NO_CAMPAIGN, 7, campaignKeyOf('spring'), 2 ** 48 - 1),
  channel: fc.nat(1),
  step: fc.constantFrom(0, 1, 2, 3, 50),
  position: fc.constantFrom(0, 5, 10),
  levels: fc.uniqueArray(fc.nat(LEVEL_COUNT - 1), { maxLength: 18 }),
  variantId: fc.constantFrom(null, 'a', 'b', 'ä “quoted”'),
  isReply: fc.boolean(),
  textId: fc.constantFrom(0, 63, 64, 1_000_003, 2 ** 32 - 1),
  day: fc.integer({ min: 20_426, max: 20_439 }),
  outcome: fc.nat(3),
  isRepliedAndUnsubscribed: fc.boolean(),
});

interface Packed {
  encode(): Buffer | null;
}

/** How each of the four counts a list of messages, and how it reads itself again. */
const KINDS: readonly {
  readonly name: string;
  readonly count: (messages: readonly Message[], sign?: 1 | -1) => Packed & { merge(other: never): void };
  readonly decode: (bytes: Buffer) => Packed;
}[] = [
  {
    name: 'a day',
    count: (messages, sign = 1) => {
      const counts = new CampaignDayCounts();
      for (const { campaign, step, position, isReply } of messages)
        counts.add(campaign, Math.min(step, 2), position, sign, isReply ? sign : 0);
      return counts;
    },
    decode: (bytes) => CampaignDayCounts.decode(bytes),
  },
  {
    name: 'a fortnight',
    count: (messages, sign = 1) => {
      const counts = new CampaignCellCounts();
      for (const one of messages) counts.add(one, sign);
      return counts;
    },
    decode: (bytes) => CampaignCellCounts.decode(bytes),
  },
  {
    name: 'the outcomes',
    count: (messages, sign = 1) => {
      const counts = new CampaignOutcomeCounts();
      for (const one of messages) counts.add(one, sign);
      return counts;
    },
    decode: (bytes) => CampaignOutcomeCounts.decode(bytes),
  },
  {
    name: 'the texts',
    count: (messages, sign = 1) => {
      const counts = new CampaignTextCounts();
      for (const { textId, levels } of messages) counts.add(textId, levels, sign);
      return counts;
    },
    decode: (bytes) => CampaignTextCounts.decode(bytes),
  },
];

describe.each(KINDS)('counts by campaign: $name', ({ count, decode }) => {
  it('are the same bytes whatever order the messages came in', () => {
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        expect(count(messages.toReversed()).encode()).toEqual(count(messages).encode());
      }),
    );
  });

  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1 }), (messages) => {
        const bytes = count(messages).encode() ?? Buffer.alloc(0);
        expect(decode(bytes).encode()).toEqual(bytes);
      }),
    );
  });

  it('are the same bytes as if what left had never come, over any number of steps', () => {
    fc.assert(
      fc.property(fc.array(message), fc.array(message), (kept, gone) => {
        const counts = count([...kept, ...gone]);
        counts.merge(count(gone, -1) as never);
        expect(counts.encode()).toEqual(count(kept).encode());
      }),
    );
  });

  it('refuse to fall below zero', () => {
    const [one] = fc.sample(message, { numRuns: 1, seed: 1 });
    expect(() => count([one as Message], -1).encode()).toThrow(NegativeCountError);
  });

  it('have no bytes where nothing is counted', () => {
    expect(count([]).encode()).toBeNull();
  });
});

describe('the rows of counts', () => {
  const at = (parts: Partial<Message>): Message => ({
    ...{
      campaign: 7,
      channel: 1,
      step: 4,
      position: 3,
      levels: [0, 20],
      variantId: 'a',
      isReply: false,
      textId: 65,
      ...{ day: 20_430, outcome: 1, isRepliedAndUnsubscribed: false },
    },
    ...parts,
  });
  const messages = [at({}), at({ isReply: true }), at({ position: 2, levels: [1], variantId: null })];

  it('tell messages and answers by campaign, step bucket and position', () => {
    const counts = new CampaignDayCounts();
    for (const { campaign, position, isReply } of messages)
      counts.add(campaign, 2, position, 1, isReply ? 1 : 0);
    expect([...counts.rows()]).toEqual([
      { campaign: 7, step: 2, position: 2, touches: 1, replies: 0 },
      { campaign: 7, step: 2, position: 3, touches: 2, replies: 1 },
    ]);
  });

  it('tell them by cell, level and variant', () => {
    const counts = new CampaignCellCounts();
    for (const one of messages) counts.add(one, 1);
    const [, second] = [...counts.rows()];
    expect(second).toMatchObject({ channel: 1, step: 4, position: 3, touches: 2, replies: 1 });
    expect([second?.levelTouches[0], second?.levelTouches[20], second?.levelTouches[1]]).toEqual([2, 2, 0]);
    expect([second?.levelReplies[0], second?.levelReplies[1]]).toEqual([1, 0]);
    expect([...counts.variantRows()]).toEqual([
      { channel: 1, step: 4, position: 3, variantId: 'a', touches: 2, replies: 1 },
    ]);
  });

  it('tell outcomes by send day, each for itself, also of days before 1970', () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1 }),
        fc.constantFrom(0, -20_426, -20_440),
        (some, earlier) => {
          const sent = some.map(({ day, ...one }) => ({ ...one, day: day + earlier }));
          const counts = new CampaignOutcomeCounts();
          for (const one of sent) counts.add(one, 1);
          const line = (one: (typeof sent)[number]) =>
            JSON.stringify([
              one.day,
              one.channel,
              one.step,
              one.position,
              one.outcome,
              one.isRepliedAndUnsubscribed,
            ]);
          const read = readOutcomeCounts(fortnightOf(sent[0]?.day ?? 0), counts.encode() ?? Buffer.alloc(0));
          const lines = read.flatMap(({ messages: times, ...one }) =>
            Array.from({ length: times }, () => line(one as (typeof sent)[number])),
          );
          expect(lines.sort()).toEqual(sent.map(line).sort());
        },
      ),
    );
  });

  it('tell texts, and levels by bin', () => {
    const counts = new CampaignTextCounts();
    for (const { textId, levels } of messages) counts.add(textId, levels, 1);
    expect([...counts.textRows()]).toEqual([{ textId: 65, touches: 3 }]);
    const [row] = [...counts.binRows()];
    expect(row?.bin).toBe(textBinOf(65));
    expect([row?.levelTouches[0], row?.levelTouches[1]]).toEqual([2, 1]);
  });

  it('leave out of the bins what a text has no part in', () => {
    const counts = new CampaignTextCounts();
    // A weekday, a part of the day, a step and a channel.
    counts.add(1, [5, 12, LEVEL_COUNT - 3, LEVEL_COUNT - 1], 1);
    expect([...counts.binRows()].every(({ levelTouches }) => levelTouches.every((n) => n === 0))).toBe(true);
  });
});

describe('counts that are read without being kept', () => {
  const packed = (kind: number, messages: readonly Message[]) =>
    KINDS[kind]?.count(messages).encode() ?? Buffer.alloc(0);
  const some = fc.array(message, { minLength: 1 });

  it('are the rows of a day', () => {
    fc.assert(
      fc.property(some, (messages) => {
        const bytes = packed(0, messages);
        const rows: CampaignDayRow[] = [];
        const reader = new CampaignDayReader();
        // Twice: nothing of a day is left in the next.
        for (let turn = 0; turn < 2; turn += 1) {
          rows.length = 0;
          reader.read(bytes, (campaign, places) => {
            for (let place = 0; place < places; place += 1) {
              const [touches, replies] = [reader.touches[place] ?? 0, reader.replies[place] ?? 0];
              const [step, position] = [place % STEP_ROOM, Math.floor(place / STEP_ROOM)];
              if (touches > 0) rows.push({ campaign, step, position, touches, replies });
            }
          });
        }
        rows.sort((a, b) => a.campaign - b.campaign || a.step - b.step || a.position - b.position);
        expect(rows).toEqual([...CampaignDayCounts.decode(bytes).rows()]);
        expect(campaignsOfDay(bytes)).toBe(new Set(rows.map(({ campaign }) => campaign)).size);
      }),
    );
  });

  it('are the cells and variants of a fortnight', () => {
    fc.assert(
      fc.property(some, (messages) => {
        const bytes = packed(1, messages);
        const { cells, variants } = readSparseCells(bytes);
        const counts = CampaignCellCounts.decode(bytes);
        expect(variants).toEqual([...counts.variantRows()]);
        const dense = cells.map(({ levels, levelTouches, levelReplies, ...cell }) => {
          const full = {
            levelTouches: new Int32Array(LEVEL_COUNT),
            levelReplies: new Int32Array(LEVEL_COUNT),
          };
          levels.forEach((level, at) => {
            full.levelTouches[level] = levelTouches[at] ?? 0;
            full.levelReplies[level] = levelReplies[at] ?? 0;
          });
          return { ...cell, ...full };
        });
        expect(dense).toEqual([...counts.rows()]);
        expect(cells.every(({ levelTouches }) => levelTouches.every((n) => n > 0))).toBe(true);
      }),
    );
  });

  it('are the texts of a campaign, and their levels by bin', () => {
    fc.assert(
      fc.property(some, (messages) => {
        const bytes = packed(2, messages);
        const counts = CampaignTextCounts.decode(bytes);
        const bins = new Map<number, Int32Array>();
        const texts: { textId: number; touches: number }[] = [];
        CampaignTextCounts.read(
          bytes,
          (textId, touches) => texts.push({ textId, touches }),
          (bin, level, n) => {
            const row = bins.get(bin) ?? new Int32Array(LEVEL_COUNT);
            bins.set(bin, row);
            row[level] = n;
          },
        );
        expect(texts).toEqual([...counts.textRows()]);
        expect([...bins].map(([bin, levelTouches]) => ({ bin, levelTouches }))).toEqual([
          ...counts.binRows(),
        ]);
      }),
    );
  });
});

describe('a row of many places', () => {
  it('is written as its filled places are, one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant(0), fc.nat(100_000))), (values) => {
        const row = Float64Array.from(values);
        const [one, other] = [new NumberWriter(8), new NumberWriter(8)];
        writeFilled(one, row);
        writeKeyed(other, filledPlaces(row, 0, row.length), (place) => other.count(row[place] as number));
        expect(one.finish()).toEqual(other.finish());
        const read = new Float64Array(row.length);
        const reader = new NumberReader(one.finish());
        readKeyed(reader, (place) => (read[place] = reader.count()));
        expect(read).toEqual(row);
      }),
    );
  });
});

describe('keys', () => {
  it('are 48 bits of a hash for campaigns, and 0 for none', () => {
    expect(campaignKeyOf(null)).toBe(NO_CAMPAIGN);
    // printf spring | sha256sum | cut -c 1-12
    expect(campaignKeyOf('spring').toString(16).padStart(12, '0')).toMatch(/^[0-9a-f]{12}$/);
    expect(campaignKeyOf('spring')).not.toBe(campaignKeyOf('Spring'));
    expect(campaignKeyOf('')).toBe(0xe3b0c44298fc);
  });

  it('are fortnights since 1970, also before it', () => {
    expect(fortnightOf(dayNumberOf('1970-01-14'))).toBe(0);
    expect(fortnightOf(dayNumberOf('1970-01-15'))).toBe(1);
    expect(fortnightOf(dayNumberOf('1969-12-31'))).toBe(-1);
  });

  it('put texts of one bin into one shard', () => {
    for (const textId of [0, 7, 8, 63, 64, 2 ** 32 - 1]) {
      expect(textShardOf(textId)).toBe(Math.floor(textBinOf(textId) / 8));
    }
  });
});
