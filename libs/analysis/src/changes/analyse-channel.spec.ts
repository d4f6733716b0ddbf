import { DAY_MS, POSITIONS } from '@outcomes/contracts';
import { campaignTurnover, seededRng } from '@outcomes/statistics';
import { channelWorld, type ChannelWorld } from '@outcomes/statistics/testing';
import type { SettledShare } from '../rates/settled-share';
import { analyseChannel, type ChannelFindings } from './analyse-channel';
import { ChannelColumns } from './channel-columns';
import { NEW_CHANNEL, type ChannelHistory, type ChannelState, type KeptChange } from './channel-history';

const EMAIL = 0;
const DAYS = 260;

interface Row {
  readonly day: number;
  readonly campaign: number;
  readonly step: number;
  readonly position: number;
  touches: number;
  replies: number;
}

/** A channel as Postgres keeps it, in memory: counts, and what runs leave. */
class KeptChannel {
  private state: ChannelState = NEW_CHANNEL;
  private ledger: readonly KeptChange[] = [];

  /** Days that were read at a time, at most. */
  longestRead = 0;

  private readonly perDay: ReadonlyMap<number, readonly Row[]>;

  constructor(
    readonly rows: readonly Row[],
    private readonly settledShare: SettledShare = (_, age) => Math.min(1, (age + 0.5) / 14),
  ) {
    this.perDay = Map.groupBy(rows, ({ day }) => day);
  }

  /** Somebody changed counts: as a fold notes it. */
  note(change: Partial<Pick<ChannelState, 'recountFrom' | 'rescoreFrom'>>): void {
    this.state = { ...this.state, ...change };
  }

  async run(observedUntil: number, looks = true, sentUntil?: number): Promise<ChannelFindings> {
    const findings = await analyseChannel(this.history(), {
      ...{ observedUntil, ...(sentUntil !== undefined && { sentUntil }) },
      settledShare: this.settledShare,
      inTime: () => 0.97,
      now: new Date(observedUntil * DAY_MS),
      looks,
    });
    const { notes } = findings;
    if (notes !== undefined) {
      const { generation, lookedThrough, memory, recountedAt, appended } = notes;
      const kept = generation === this.state.generation ? this.ledger : [];
      this.ledger = [...kept, ...appended];
      this.state = { ...NEW_CHANNEL, generation, lookedThrough, memory, recountedAt };
    }
    return findings;
  }

  private history(): ChannelHistory {
    return {
      channel: EMAIL,
      firstDay: this.rows.find(({ touches }) => touches > 0)?.day ?? 0,
      state: this.state,
      ledger: this.ledger,
      isKept: true,
      days: async (from, to) => {
        this.longestRead = Math.max(this.longestRead, to - from + 1);
        const columns = new ChannelColumns();
        for (const [day, rows] of this.perDay) {
          const sent = day >= from && day <= to ? rows.filter(({ touches }) => touches > 0) : [];
          if (sent.length > 0) columns.pushDay(day, sent);
        }
        return columns.finish();
      },
      campaignIdOf: async (campaign) => `campaign ${campaign}`,
    };
  }
}

function rowsOf({ counts }: ChannelWorld): Row[] {
  return Array.from({ length: counts.size }, (_, row) => ({
    day: counts.day[row] ?? 0,
    // As hashes are: large, and in no order of time.
    campaign: ((counts.campaign[row] ?? 0) * 7_919_000_017) % 2 ** 46,
    step: Math.min(2, counts.step[row] ?? 0),
    position: Math.min(POSITIONS.length - 1, counts.position[row] ?? 0),
    touches: counts.n[row] ?? 0,
    replies: counts.y[row] ?? 0,
  })).sort((a, b) => a.day - b.day || a.campaign - b.campaign);
}

const world = channelWorld(
  { days: DAYS, sendsPerDay: 80, changes: [{ day: 120, logOdds: -1.1 }], campaignSd: 0.3, daySd: 0.2 },
  seededRng(11),
);
/** Anew for each test: some change what was counted. */
const worldRows = () => rowsOf(world);

const withoutNotes = ({ notes: _notes, ...findings }: ChannelFindings) => findings;

describe('a channel that is looked at every day', () => {
  it('is found the same as from scratch, bit for bit', async () => {
    const daily = new KeptChannel(worldRows());
    for (let day = 10; day < DAYS; day += 1) {
      const found = await daily.run(day);
      if (day % 40 !== 0) continue;
      const scratch = await new KeptChannel(worldRows()).run(day);
      expect(withoutNotes(found)).toEqual(withoutNotes(scratch));
      expect(found.notes?.memory).toEqual(scratch.notes?.memory);
    }
    const { ledger, dataFrom } = await daily.run(DAYS - 1);
    expect(ledger.length).toBeGreaterThan(0);
    const change = ledger.find(({ since }) => Math.abs(since - 120) <= 5);
    expect(change).toMatchObject({ direction: 'down' });
    expect(dataFrom).toBe(ledger.at(-1)?.since);
  });

  it('is read some months at a time however long its history is, and found the same', async () => {
    const rows = rowsOf(
      channelWorld(
        {
          ...{ days: 900, sendsPerDay: 40, campaignSd: 0.3, daySd: 0.2 },
          changes: [
            { day: 200, logOdds: -1.1 },
            { day: 700, logOdds: 1.2 },
          ],
        },
        seededRng(12),
      ),
    );
    const [daily, scratch] = [new KeptChannel(rows), new KeptChannel(rows)];
    for (let day = 60; day < 899; day += 31) await daily.run(day);
    const [found, expected] = [await daily.run(899), await scratch.run(899)];
    expect(withoutNotes(found)).toEqual(withoutNotes(expected));
    expect(found.notes?.memory).toEqual(expected.notes?.memory);
    expect(expected.ledger.length).toBeGreaterThanOrEqual(2);
    expect(scratch.longestRead).toBeLessThan(420);
    expect(daily.longestRead).toBeLessThan(420);
  });

  it('counts what has settled since its first message where nothing has changed', async () => {
    const world = { days: 420, sendsPerDay: 40, changes: [], campaignSd: 0.1, daySd: 0.1 };
    const rows = rowsOf(channelWorld(world, seededRng(13)));
    const daily = new KeptChannel(rows);
    for (let day = 60; day < 419; day += 7) await daily.run(day);
    const [found, scratch] = [await daily.run(419), await new KeptChannel(rows).run(419)];
    expect(found.ledger).toEqual([]);
    expect(withoutNotes(found)).toEqual(withoutNotes(scratch));
    const through = (last: number) => {
      const settled = rows.filter(({ day }) => day <= last);
      return {
        touches: settled.reduce((sum, { touches }) => sum + touches, 0),
        replies: settled.reduce((sum, { replies }) => sum + replies, 0),
      };
    };
    expect(found.settled).toEqual(through(found.settledThrough));
    // Between runs no day is looked at: those that have settled since are counted all the same.
    const between = await daily.run(425, false);
    expect(between.settledThrough).toBe(found.settledThrough + 6);
    expect(between.settled).toEqual(through(between.settledThrough));
    expect(between.settled.replies).toBeGreaterThan(found.settled.replies);
  });

  it('is found the same after a silence that is longer than a look looks back', async () => {
    const rows = rowsOf(
      channelWorld({ days: 160, sendsPerDay: 60, campaignSd: 0.3, daySd: 0.2 }, seededRng(14)),
    ).map((row) => (row.day < 80 ? row : { ...row, day: row.day + 300 }));
    const daily = new KeptChannel(rows);
    for (let day = 40; day < 459; day += 1) await daily.run(day);
    const [found, scratch] = [await daily.run(459), await new KeptChannel(rows).run(459)];
    expect(withoutNotes(found)).toEqual(withoutNotes(scratch));
    expect(found.notes?.memory).toEqual(scratch.notes?.memory);
  });

  it('keeps what was settled of messages that have expired since', async () => {
    const rows = rowsOf(channelWorld({ days: 420, sendsPerDay: 40 }, seededRng(15)));
    const whole = new KeptChannel(rows);
    const before = await whole.run(418);
    const left = new KeptChannel(rows.filter(({ day }) => day >= 20));
    Object.assign(left, { state: Reflect.get(whole, 'state'), ledger: Reflect.get(whole, 'ledger') });
    const after = await left.run(419);
    expect([before.ledger, after.ledger]).toEqual([[], []]);
    expect(after.settled.touches).toBeGreaterThan(before.settled.touches);
  });

  it('counts what has settled since the last change of the ledger, whatever the memory has taken', async () => {
    const rows = worldRows();
    const changed = new KeptChannel(rows);
    const { ledger } = await changed.run(230);
    const since = ledger.at(-1)?.since ?? 0;
    expect(since).toBeGreaterThan(100);
    /** Between runs, with the memory of that run and another ledger. */
    const settledBy = async (kept: readonly KeptChange[]) => {
      const other = new KeptChannel(rows);
      Object.assign(other, { state: Reflect.get(changed, 'state'), ledger: kept });
      const { settled, dataFrom } = await other.run(235, false);
      return { settled, dataFrom };
    };
    const sentSince = (first: number) => {
      const own = rows.filter(({ day }) => day >= first && day <= 221);
      return {
        touches: own.reduce((sum, { touches }) => sum + touches, 0),
        replies: own.reduce((sum, { replies }) => sum + replies, 0),
      };
    };
    const later = { ...(ledger.at(-1) as KeptChange), since: since + 40, settledOn: 200 };
    for (const [kept, from] of [
      [ledger, since],
      [[...ledger, later], since + 40],
      [[], 0],
    ] as const)
      expect(await settledBy(kept)).toEqual({ settled: sentSince(from), dataFrom: from });
  });

  it('counts the campaigns of the days that the last look looks at, and reads no others', async () => {
    const campaigns = 30;
    const rows = Array.from({ length: 300 }, (_, day) => ({
      ...{ day, campaign: 1 + Math.floor(day / 10), step: 0, position: 0, touches: 40, replies: day % 5 },
    }));
    const channel = new KeptChannel(rows);
    await channel.run(298);
    channel.longestRead = 0;
    const found = await channel.run(299);
    expect(found.ledger).toEqual([]);
    // Days 106 to 285: from the eleventh campaign to the twenty-ninth.
    expect(found.campaigns).toBe(19);
    expect(found.campaigns).toBeLessThan(campaigns);
    expect(channel.longestRead).toBeLessThanOrEqual(196);
    // Nothing has settled since: no day more is read.
    channel.longestRead = 0;
    await channel.run(299);
    expect(channel.longestRead).toBeLessThanOrEqual(196);
    // What changed after the last day that was looked at is no reason to read more either, and that day is one.
    for (const [day, isMore] of [
      [286, false],
      [285, true],
    ] as const)
      for (const change of [{ recountFrom: day }, { rescoreFrom: day }]) {
        channel.note(change);
        channel.longestRead = 0;
        await channel.run(299);
        expect([day, channel.longestRead > 196]).toEqual([day, isMore]);
      }
  });

  it('is made anew where its ledger holds the rows of two', async () => {
    const rows = worldRows();
    const channel = new KeptChannel(rows);
    const { ledger } = await channel.run(230);
    const [row] = ledger as readonly [KeptChange];
    const fresh = await new KeptChannel(rows).run(231);
    const after = async (...mixed: readonly KeptChange[]) => {
      const other = new KeptChannel(rows);
      Object.assign(other, { state: Reflect.get(channel, 'state'), ledger: mixed });
      return other.run(231);
    };
    for (const mixed of [
      [row, { ...row, since: row.since - 1, settledOn: row.settledOn + 1 }],
      [{ ...row, since: row.settledOn + 1 }],
    ]) {
      const found = await after(...mixed);
      expect(found.ledger).toEqual(fresh.ledger);
      expect([found.notes?.generation, found.notes?.appended]).toEqual([2, fresh.ledger]);
      expect(found.recountedAt).not.toBeNull();
    }
    expect((await after(...ledger)).notes?.generation).toBe(1);
  });

  it('stands between runs where the newest messages were deleted', async () => {
    const rows = worldRows();
    const channel = new KeptChannel(rows);
    const before = await channel.run(230);
    const between = await channel.run(200, false);
    expect(between.ledger).toEqual(before.ledger);
    expect([between.settledThrough, between.notes]).toEqual([186, undefined]);
    // The memory is of days that had settled by then.
    expect(between.settled.touches).toBe(before.settled.touches);
  });

  it('is found the same where it has more campaigns a day than are told apart, and says how many were merged', async () => {
    const rng = seededRng(5);
    const rows = Array.from({ length: 45 * 600 }, (_, i) => ({
      day: Math.floor(i / 600),
      campaign: 1 + Math.floor(900 * rng.next()),
      step: i % 3,
      position: i % 4,
      touches: 1 + (i % 2),
      replies: rng.next() < 0.1 ? 1 : 0,
    }));
    const daily = new KeptChannel(rows);
    for (let day = 20; day < 44; day += 1) await daily.run(day);
    const [found, scratch] = [await daily.run(44), await new KeptChannel(rows).run(44)];
    expect(withoutNotes(found)).toEqual(withoutNotes(scratch));
    // Each of the 900 is among the smallest of its day sooner or later.
    expect(found.campaignsMerged).toBe(900);
    expect(found.campaigns).toBeGreaterThan(850);
    expect(found.campaigns).toBeLessThanOrEqual(900);
  });

  it('says the same when asked twice, and between runs goes on from what stands', async () => {
    const channel = new KeptChannel(worldRows());
    const first = await channel.run(200);
    expect(withoutNotes(await channel.run(200))).toEqual(withoutNotes(first));
    const between = await channel.run(205, false);
    expect(between.notes).toBeUndefined();
    expect(between.ledger).toEqual(first.ledger);
    expect(between.arms[0]?.n).not.toBe(first.arms[0]?.n);
  });

  it('keeps its ledger when replies come late, and corrects what the arms rest on', async () => {
    const rows = worldRows();
    const channel = new KeptChannel(rows);
    const before = await channel.run(200);
    for (const row of rows) if (row.day === 150) row.replies = row.touches;
    const unaware = new KeptChannel(rows);
    Object.assign(unaware, { state: Reflect.get(channel, 'state'), ledger: Reflect.get(channel, 'ledger') });
    channel.note({ rescoreFrom: 150 });
    const [after, without] = [await channel.run(201), await unaware.run(201)];
    expect(after.ledger.slice(0, before.ledger.length)).toEqual(before.ledger);
    const repliesIn = ({ arms }: ChannelFindings) => arms.reduce((sum, { y }) => sum + y, 0);
    expect(repliesIn(after)).toBeGreaterThan(repliesIn(without) + 5);
  });

  it('looks once more where messages were deleted, and says so where the ledger comes out otherwise', async () => {
    const rows = worldRows();
    const channel = new KeptChannel(rows);
    const before = await channel.run(230);
    expect(before.recountedAt).toBeNull();
    // All that told of the change.
    for (const row of rows) if (row.day >= 110 && row.day < 230) row.touches = row.replies = 0;
    channel.note({ recountFrom: 110, rescoreFrom: 110 });
    const after = await channel.run(231);
    expect(after.recountedAt).not.toBeNull();
    expect(after.notes?.generation).toBe(2);
    const fresh = await new KeptChannel(rows).run(231);
    expect(after.ledger).toEqual(fresh.ledger);
    expect(after.notes?.memory).toEqual(fresh.notes?.memory);
  });

  it('looks once more and says nothing of it where it comes out as it was', async () => {
    const rows = worldRows();
    const channel = new KeptChannel(rows);
    const before = await channel.run(230);
    channel.note({ recountFrom: 100, rescoreFrom: 100 });
    const after = await channel.run(230);
    expect(after.recountedAt).toBeNull();
    expect(after.notes?.generation).toBe(1);
    expect(withoutNotes(after)).toEqual(withoutNotes(before));
  });

  it('goes back where the newest messages were deleted', async () => {
    const rows = worldRows();
    const channel = new KeptChannel(rows);
    await channel.run(230);
    const earlier = rows.filter(({ day }) => day <= 140);
    const shrunk = new KeptChannel(earlier);
    Object.assign(shrunk, { state: Reflect.get(channel, 'state'), ledger: Reflect.get(channel, 'ledger') });
    const after = await shrunk.run(140);
    const fresh = await new KeptChannel(earlier).run(140);
    expect(after.ledger).toEqual(fresh.ledger);
    expect(after.notes?.lookedThrough).toBe(126);
    expect(after.notes?.memory).toEqual(fresh.notes?.memory);
  });
});

describe('what is told of one day', () => {
  it('is nothing but a prior where nothing has settled', async () => {
    const rows = worldRows().filter(({ day }) => day < 6);
    const found = await new KeptChannel(rows).run(6);
    expect(found).toMatchObject({ look: null, ledger: [], settled: { touches: 0, replies: 0 } });
    expect(found.arms.every(({ n, y }) => n >= y && y >= 0)).toBe(true);
    expect(found.arms[0]?.n).toBeGreaterThan(0);
  });

  it('counts a young message as far as its replies can have come, and no day less than its own replies', async () => {
    const young = [
      { day: 3, campaign: 7, step: 0, position: 0, touches: 100, replies: 0 },
      { day: 5, campaign: 8, step: 0, position: 0, touches: 10, replies: 10 },
    ];
    const found = await new KeptChannel(young).run(6);
    // A quarter of the replies to the first have come; everybody has answered the others.
    const [arm] = found.arms;
    expect((arm?.n ?? 0) / (arm?.y ?? 1)).toBeLessThan(0.97 * 3.5);
    expect((arm?.n ?? 0) / (arm?.y ?? 1)).toBeGreaterThan(0.97 * 3.3);
    expect(found.campaignSums.map(({ campaign, replies }) => [campaign, replies])).toEqual([
      [7, 0],
      [8, 10],
    ]);
    expect(found.campaignSums.map(({ messages }) => messages[0])).toEqual([
      expect.closeTo((0.97 * 100 * 3.5) / 14, 9),
      expect.closeTo((0.97 * 10 * 1.5) / 14, 9),
    ]);
  });

  it('counts nothing of a day that is too young, not even what has been answered', async () => {
    const sent = { campaign: 7, step: 0, position: 0 };
    const minutesOld = { ...sent, day: 40, touches: 400, replies: 40 };
    const days = [{ ...sent, day: 3, touches: 1_000, replies: 50 }, minutesOld];
    const share = (_: number, age: number) => (age > 0 ? 1 : 0);
    const [arm] = (await new KeptChannel(days, share).run(40)).arms;
    expect((arm?.y ?? 1) / (arm?.n ?? 1)).toBeCloseTo(0.05 / 0.97, 9);
    const alone = await new KeptChannel([minutesOld], share).run(40);
    expect(alone.arms[0]).toEqual({ n: 0, y: 0 });
    expect(alone.campaignSums.map(({ replies }) => replies)).toEqual([0]);
  });

  it('takes what has settled of a channel that no run has looked at, without a look', async () => {
    const rows = rowsOf(channelWorld({ days: 120, sendsPerDay: 60 }, seededRng(16)));
    const [between, first] = [
      await new KeptChannel(rows).run(119, false),
      await new KeptChannel(rows).run(119),
    ];
    expect(first.ledger).toEqual([]);
    expect(between.notes).toBeUndefined();
    expect([between.arms, between.settled, between.weights]).toEqual([
      ...[first.arms, first.settled, first.weights],
    ]);
    expect(between.settled.touches).toBeGreaterThan(0);
  });

  it('counts nothing that was sent after a source went silent', async () => {
    const rows = rowsOf(channelWorld({ days: 120, sendsPerDay: 60, campaigns: 12 }, seededRng(17)));
    const told = rows.filter(({ day }) => day <= 100);
    const [found, expected] = [
      await new KeptChannel(rows).run(114, true, 100),
      await new KeptChannel(told).run(114, true, 100),
    ];
    expect(withoutNotes(found)).toEqual(withoutNotes(expected));
    expect(found.settledThrough).toBe(100);
    expect((await new KeptChannel(rows).run(114)).arms).not.toEqual(found.arms);
  });

  it('is less sure of what comes where other campaigns do', async () => {
    const world = { days: 200, sendsPerDay: 120, campaigns: 40, campaignSd: 0.9 };
    const rows = rowsOf(channelWorld(world, seededRng(18)));
    const found = await new KeptChannel(rows).run(199);
    const columns = new ChannelColumns();
    for (const [day, own] of Map.groupBy(rows, ({ day }) => day)) columns.pushDay(day, own);
    const { counts } = columns.finish();
    const turnover = campaignTurnover(counts, 199, found.dataFrom, found.look?.campaignVariance ?? 0);
    expect(turnover).toBeGreaterThan(found.weights.variance);
    expect(found.variances).toEqual({ target: turnover, current: turnover });
    // Where there is but one campaign, no other takes its place.
    const one = await new KeptChannel(rows.map((row) => ({ ...row, campaign: 7 }))).run(199);
    expect(one.variances.target).toBe(one.weights.variance);
    // Of the next week something else is known than of the next month.
    expect(one.variances.current).not.toBe(one.variances.target);
    expect(one.variances.current).toBeGreaterThan(0);
  });

  it('names the campaign at fault', async () => {
    const busiest = 7_919_000_017 % 2 ** 46;
    const flat = Array.from({ length: 200 }, (_, day) => ({
      day,
      step: 0,
      position: 0,
      touches: 20,
    })).flatMap((row): Row[] => [
      { ...row, campaign: busiest, replies: row.day < 100 ? 6 : 1 },
      { ...row, campaign: busiest + 1, replies: 2 },
    ]);
    const { ledger } = await new KeptChannel(flat).run(199);
    expect(ledger[0]).toMatchObject({
      direction: 'down',
      scope: { kind: 'campaign', value: `campaign ${busiest}` },
    });
  });
});
