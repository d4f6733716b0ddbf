import fc from 'fast-check';
import fixture from '../../fixtures/change.json';
import { seededRng } from '../random';
import { channelWorld, type ChannelWorldSpec } from '../testing';
import {
  campaignTurnover,
  type ChannelCounts,
  extendLedger,
  type LedgerChange,
  lookForChange,
  mixAndVolume,
  trust,
  trustOfAll,
} from '.';
import { sendDays } from './send-days';

/** Fewer runs where every mutant costs them again: each run of a property finds most of what all find. */
const isMutated = '__stryker__' in globalThis;
type Row = readonly [day: number, position: number, step: number, campaign: number, n: number, y: number];

const rowsOf = ({ size, ...columns }: ChannelCounts): Row[] =>
  Array.from(
    { length: size },
    (_, i) =>
      (['day', 'position', 'step', 'campaign', 'n', 'y'] as const).map((name) => columns[name][i]) as never,
  );
const countsOf = (rows: readonly Row[]): ChannelCounts => {
  const column = (at: number): Int32Array => Int32Array.from(rows, (row) => row[at] as number);
  const [position, step] = [Uint8Array.from(column(1)), Uint8Array.from(column(2))];
  const [day, campaign, n, y] = [column(0), column(3), column(4), column(5)];
  return { size: rows.length, day, position, step, campaign, n, y };
};
const fixtureCounts = (one: (typeof fixture.cases)[number]): ChannelCounts =>
  countsOf(
    one.day.map((day, i) => [
      day,
      one.position[i] as number,
      one.step[i] as number,
      one.campaign[i] as number,
      one.n[i] as number,
      one.y[i] as number,
    ]),
  );
const world = (spec: ChannelWorldSpec, seed = 1): ChannelCounts => channelWorld(spec, seededRng(seed)).counts;
const halving: ChannelWorldSpec = {
  days: 220,
  sendsPerDay: 30,
  baseRate: 0.15,
  campaigns: 3,
  campaignSd: 0.3,
  daySd: 0.2,
  changes: [{ day: 100, logOdds: -0.9 }],
};

/** Agreement to a relative tolerance, or to the same absolute one below 1. */
function expectClose(actual: number, truth: number, tolerance = 1e-6): void {
  expect(Math.abs(actual - truth)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(truth)));
}

describe('looks and ledger agree with the prototype of the design', () => {
  it.each(fixture.cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const counts = fixtureCounts(one);
    for (const { from, to, look } of one.looks) {
      const ours = lookForChange(countsOf(rowsOf(counts).filter(([day]) => day >= from)), from, to);
      expect(ours === null).toBe(look === null);
      if (!ours || !look) continue;
      for (const name of ['statistic', 'logRatio', 'dayVariance', 'campaignVariance'] as const)
        expectClose(ours[name], look[name]);
      if (look.statistic > 0) expect(ours.since).toBe(look.since);
    }
    const ledger = extendLedger(counts, [], 0, one.day.at(-1) as number);
    expect(ledger).toHaveLength(one.ledger.length);
    ledger.forEach((change, i) => {
      const truth = one.ledger[i] as (typeof one.ledger)[number];
      const { since, settledOn, direction } = truth;
      expect(change).toMatchObject({ since, settledOn, direction });
      const start = one.ledger[i - 1]?.since ?? Math.min(...one.day);
      expectClose(lookForChange(counts, start, settledOn)?.logRatio ?? NaN, truth.logRatio);
      expectClose(change.statistic, truth.statistic);
      expect(change.scope.kind).toBe(truth.scope.kind);
      if (change.scope.kind !== 'channel' && 'share' in truth.scope) {
        expect(change.scope.key).toBe(truth.scope.key);
        expectClose(change.scope.share, truth.scope.share);
      }
    });
    for (const { asOf, since, turnover } of one.served) {
      const look = lookForChange(counts, since, asOf);
      expectClose(campaignTurnover(counts, asOf, since, look?.campaignVariance ?? 0), turnover, 1e-9);
    }
  });

  it('the fixtures hold changes, up and down, of the channel and of one group', () => {
    const found = fixture.cases.flatMap(({ ledger }) => ledger);
    expect(new Set(found.map(({ direction }) => direction)).size).toBe(2);
    expect(new Set(found.map(({ scope }) => scope.kind)).size).toBeGreaterThan(1);
  });
});

describe('the ledger is append-only', () => {
  let counts: ChannelCounts;
  let whole: LedgerChange[];
  beforeAll(() => {
    counts = world({ ...halving, days: 260, changes: [...halving.changes!, { day: 180, logOdds: 1.1 }] });
    whole = extendLedger(counts, [], 0, 259);
  });

  it('finds both changes', () => {
    expect(whole.map(({ direction }) => direction)).toEqual(['down', 'up']);
    expect(Math.abs((whole[0] as LedgerChange).since - 100)).toBeLessThanOrEqual(12);
    expect(Math.abs((whole[1] as LedgerChange).since - 180)).toBeLessThanOrEqual(12);
  });

  it('is the same extended by any steps as replayed at once, from trimmed counts too', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 258 }), { maxLength: 12 }),
        fc.boolean(),
        (stops, trim) => {
          const ends = [...new Set([...stops, 259])].sort((a, b) => a - b);
          const rows = rowsOf(counts);
          let ledger: LedgerChange[] = [];
          let from = 0;
          for (const to of ends) {
            const known = rows.filter(([day]) => day <= to && (!trim || day >= from - 270));
            ledger = [...ledger, ...extendLedger(countsOf(known), ledger, from, to)];
            from = to + 1;
          }
          expect(ledger).toEqual(whole);
        },
      ),
      { numRuns: isMutated ? 3 : 15, seed: 1 },
    );
  });

  it('is the same day by day', () => {
    const ledger = extendLedger(counts, [], 0, 89);
    for (let day = 90; day < 260; day++) ledger.push(...extendLedger(counts, ledger, day, day));
    expect(ledger).toEqual(whole);
  });
});

describe('what must not matter does not', () => {
  let rows: Row[];
  let whole: LedgerChange[];
  beforeAll(() => {
    const counts = world(halving, 2);
    rows = rowsOf(counts);
    whole = extendLedger(counts, [], 0, 219);
  });

  it('rows of a day in any order, and rows without sends', () => {
    expect(whole).toHaveLength(1);
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 1_000_000 })), (stream) => {
        const shuffled = [...rows, [105, 1, 1, 1, 0, 0] as const]
          .map((row) => ({ row, key: stream.next().value as number }))
          .sort((a, b) => a.row[0] - b.row[0] || a.key - b.key)
          .map(({ row }) => row);
        expect(extendLedger(countsOf(shuffled), [], 0, 219)).toEqual(whole);
      }),
      { numRuns: isMutated ? 2 : 10, seed: 2 },
    );
  });

  it('the numbers of the campaigns, and how a missing one is written', () => {
    const campaigns = [...new Set(rows.map((row) => row[3]))];
    fc.assert(
      fc.property(fc.shuffledSubarray(campaigns, { minLength: campaigns.length }), (renamed) => {
        const name = new Map(campaigns.map((id, i) => [id, renamed[i] as number]));
        const relabelled = rows.map((row) => row.with(3, name.get(row[3]) as number) as unknown as Row);
        const ledger = extendLedger(countsOf(relabelled), [], 0, 219);
        expect(ledger.map(({ since, settledOn }) => [since, settledOn])).toEqual(
          whole.map(({ since, settledOn }) => [since, settledOn]),
        );
        ledger.forEach(({ statistic, ratio }, i) => {
          expectClose(statistic, (whole[i] as LedgerChange).statistic, 1e-9);
          expectClose(ratio, (whole[i] as LedgerChange).ratio, 1e-9);
        });
      }),
      { numRuns: isMutated ? 2 : 10, seed: 3 },
    );
    const without = (id: number): LedgerChange[] =>
      extendLedger(countsOf(rows.map((row) => row.with(3, id) as unknown as Row)), [], 0, 219);
    expect(without(-1)).toEqual(without(0));
  });

  it('the day from which days are counted, by whole weeks', () => {
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 3_000 }), (weeks) => {
        const moved = rows.map((row) => row.with(0, row[0] + 7 * weeks) as unknown as Row);
        const ledger = extendLedger(countsOf(moved), [], 7 * weeks, 219 + 7 * weeks);
        expect(ledger).toEqual(
          whole.map((change) => ({
            ...change,
            since: change.since + 7 * weeks,
            settledOn: change.settledOn + 7 * weeks,
          })),
        );
      }),
      { numRuns: isMutated ? 2 : 10, seed: 4 },
    );
  });
});

describe('the rows of a look', () => {
  const anyRow = fc
    .tuple(fc.nat(3), fc.nat(2), fc.nat(1), fc.integer({ min: -1, max: 2 }), fc.nat(3), fc.nat(3))
    .map(([day, position, step, campaign, n, y]): Row => [day, position, step, campaign, n, Math.min(n, y)]);

  it('stand by day, campaign, position and step, added up where they count the same, with running sums', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 14 }), fc.boolean(), (some, isSorted) => {
        const sums = new Map<string, Row>();
        for (const [day, position, step, campaign, n, y] of some) {
          if (n === 0) continue;
          const own = Math.max(0, campaign);
          const known = sums.get([day, own, position, step].join());
          sums.set([day, own, position, step].join(), [
            ...([day, position, step, own] as const),
            ...([n + (known?.[4] ?? 0), y + (known?.[5] ?? 0)] as const),
          ]);
        }
        const order = (a: Row, b: Row): number => a[0] - b[0] || a[3] - b[3] || a[1] - b[1] || a[2] - b[2];
        const wanted = [...sums.values()].sort(order);
        const given = some.toSorted(isSorted ? order : (a, b) => a[0] - b[0]);
        const sent = sendDays(countsOf(given), 0, 3);
        const column = (at: number): number[] => wanted.map((row) => row[at] as number);
        const { position, step, campaign, n, y } = sent;
        expect([position, step, campaign, n, y].map((values) => [...values])).toEqual(
          [1, 2, 3, 4, 5].map(column),
        );
        const days = [...new Set(column(0))];
        expect([...sent.days]).toEqual(days);
        expect([...sent.start]).toEqual([...days.map((day) => column(0).indexOf(day)), wanted.length]);
        const steps = 1 + Math.max(0, ...column(2));
        expect(sent.strata).toBe(steps * (1 + Math.max(0, ...column(1))));
        expect([...sent.stratum]).toEqual(wanted.map((row) => row[1] * steps + row[2]));
        expect(sent.campaigns).toBe(1 + Math.max(0, ...column(3)));
        for (let d = 0; d <= days.length; d++) {
          const before = wanted.filter(([day]) => day < (days[d] ?? Infinity));
          expect(sent.cellsBefore[d]).toBe(new Set(before.map((row) => `${row[0]} ${row[3]}`)).size);
          for (let s = 0; s < sent.strata; s++) {
            const own = before.filter((row) => row[1] * steps + row[2] === s);
            const total = (at: 4 | 5): number => own.reduce((sum, row) => sum + row[at], 0);
            expect(sent.sendsBefore[d * sent.strata + s]).toBe(total(4));
            expect(sent.repliesBefore[d * sent.strata + s]).toBe(total(5));
          }
        }
      }),
      { seed: 10, numRuns: 60 },
    );
  });
});

describe('a row of the ledger', () => {
  it('says from what to what replies went, in its direction', () => {
    for (const logOdds of [-1.2, 1.2]) {
      const counts = world({ ...halving, changes: [{ day: 100, logOdds }] }, 3);
      const change = extendLedger(counts, [], 0, 219).find(({ settledOn }) => settledOn >= 100);
      const { rateBefore, rateAfter, direction, ratio } = change as LedgerChange;
      expect(direction).toBe(logOdds > 0 ? 'up' : 'down');
      expect(Math.sign(ratio - 1)).toBe(Math.sign(logOdds));
      expect(Math.sign(rateAfter.rate - rateBefore.rate)).toBe(Math.sign(logOdds));
      for (const { rate, low, high } of [rateBefore, rateAfter]) {
        expect(low).toBeGreaterThan(0);
        expect(low).toBeLessThan(rate);
        expect(high).toBeGreaterThan(rate);
        expect(high).toBeLessThan(1);
      }
    }
  });

  it('says the observed rates where days and campaigns are alike', () => {
    const rows = Array.from({ length: 60 }, (_, d): Row => [d, 0, 0, 1, 40, d < 30 ? 4 : 9]);
    const [change, ...more] = extendLedger(countsOf(rows), [], 0, 59);
    expect(more).toEqual([]);
    expect(change).toMatchObject({ since: 30, direction: 'up', scope: { kind: 'channel' } });
    expect(change!.settledOn).toBeLessThan(45);
    expect(change!.statistic).toBeGreaterThan(5.75);
    expect(change!.rateBefore.rate).toBeCloseTo(0.1, 6);
    expect(change!.rateAfter.rate).toBeCloseTo(0.225, 6);
  });

  it('names the position that alone changed', () => {
    const counts = world(
      { days: 140, sendsPerDay: 200, baseRate: 0.15, changes: [{ day: 80, logOdds: -1.6, position: 0 }] },
      4,
    );
    expect(extendLedger(counts, [], 0, 139)[0]?.scope).toMatchObject({ kind: 'position', key: 0 });
  });

  it('stays finite where nobody or everybody answers after the change', () => {
    for (const [before, after] of [
      [4, 0],
      [4, 20],
      [20, 0],
    ] as const) {
      const rows = Array.from({ length: 60 }, (_, day): Row => [day, 0, 0, 0, 20, day < 30 ? before : after]);
      const ledger = extendLedger(countsOf(rows), [], 0, 59);
      expect(ledger.length).toBeGreaterThan(0);
      for (const { rateBefore, rateAfter, ratio, statistic } of ledger)
        for (const value of [...Object.values(rateBefore), ...Object.values(rateAfter), ratio, statistic])
          expect(Number.isFinite(value)).toBe(true);
    }
  });
});

describe('no look where there is too little', () => {
  it.each([
    ['no counts', () => world({ days: 5, sendsPerDay: 0 }), 30],
    ['thirteen days', () => world({ days: 13, sendsPerDay: 200 }), 12],
    [
      'seven replies',
      () => countsOf(Array.from({ length: 40 }, (_, d): Row => [d, 0, 0, 1, 9, d < 7 ? 1 : 0])),
      39,
    ],
    [
      'seven days with sends',
      () => countsOf(Array.from({ length: 7 }, (_, d): Row => [d * 3, 0, 0, 1, 90, 9])),
      20,
    ],
  ])('%s', (_, make, day) => {
    const counts = make();
    expect(lookForChange(counts, 0, day)).toBeNull();
    expect(extendLedger(counts, [], 0, day)).toEqual([]);
  });
});

describe('bad input is refused', () => {
  const row: Row = [1, 0, 0, 1, 10, 1];
  const with_ = (at: number, value: number): ChannelCounts =>
    countsOf([row.with(at, value) as unknown as Row]);
  it.each<[string, string, ChannelCounts]>([
    ...(['day', 'position', 'step', 'campaign', 'n', 'y'] as const).map(
      (name): [string, string, ChannelCounts] => [
        `no ${name}`,
        'size',
        { ...countsOf([row]), [name]: new Int32Array(0) },
      ],
    ),
    ['a size below zero', 'size', { ...countsOf([]), size: -1 }],
    ['half a row', 'size', { ...countsOf([row]), size: 0.5 }],
    ['days that go back', 'order', countsOf([row, row.with(0, 0) as unknown as Row])],
    ['a position of 64', 'range', with_(1, 64)],
    ['a step of 64', 'range', with_(2, 64)],
    ['a campaign of 2^20', 'range', with_(3, 1_048_576)],
    ['more replies than sends', 'count', with_(5, 11)],
    ['replies below zero', 'count', with_(5, -1)],
  ])('%s: %s', (_name, code, counts) => {
    const refused = expect.objectContaining({ code });
    expect(() => extendLedger(counts, [], 0, 9)).toThrow(refused);
    expect(() => lookForChange(counts, 0, 9)).toThrow(refused);
    expect(() => mixAndVolume(counts, 9)).toThrow(refused);
    expect(() => campaignTurnover(counts, 9, 0, 0.1)).toThrow(refused);
  });
  it('but not the largest position, step and campaign, nor a day that all answered', () => {
    const counts = countsOf([[1, 63, 63, 1_048_575, 10, 10]]);
    expect(extendLedger(counts, [], 0, 9)).toEqual([]);
  });

  it('days that are not whole, or go back; accepted changes from the future', () => {
    const counts = countsOf([row]);
    const code = (name: string) => expect.objectContaining({ code: name });
    expect(() => extendLedger(counts, [], 0.5, 2)).toThrow(code('range'));
    expect(() => extendLedger(counts, [], 0, 2.5)).toThrow(code('range'));
    expect(() => lookForChange(counts, NaN, 9)).toThrow(code('range'));
    expect(() => campaignTurnover(counts, 9, 0, -1)).toThrow(code('range'));
    expect(() => campaignTurnover(counts, 9, 0, Infinity)).toThrow(code('range'));
    const [one, later] = [
      { since: 3, settledOn: 6 },
      { since: 5, settledOn: 6 },
    ];
    expect(() => extendLedger(counts, [later, one], 7, 9)).toThrow(code('order'));
    expect(() => extendLedger(counts, [{ since: 7, settledOn: 6 }], 8, 9)).toThrow(code('order'));
    expect(extendLedger(counts, [one, later], 7, 6)).toEqual([]);
    expect(() => extendLedger(counts, [], 5, 3)).toThrow(code('order'));
    expect(() => extendLedger(counts, [{ since: 2, settledOn: 7 }], 5, 6)).toThrow(code('order'));
    expect(() => lookForChange(counts, 0, NaN)).toThrow(code('range'));
    expect(() => mixAndVolume(counts, NaN)).toThrow(code('range'));
    expect(() => campaignTurnover(counts, 9, 0, NaN)).toThrow(code('range'));
  });
});

describe('mix and volume are facts', () => {
  const day = 199;
  it.each([
    ['steady', {}, false, false],
    ['five times the sends', { volume: { day: 170, factor: 5 } }, false, true],
    ['a tenth of the sends', { volume: { day: 170, factor: 0.1 } }, false, true],
    ['positions turned round', { mixTurnsOn: 170 }, true, false],
  ])('%s', (_, spec, mixAlert, volumeAlert) => {
    const counts = world({ days: 200, sendsPerDay: 100, ...spec });
    expect(mixAndVolume(counts, day)).toMatchObject({ mixAlert, volumeAlert });
  });

  /** Sends of the last 30 days and of the days before from one on; each as [position, step, sends a day]. */
  type Sends = readonly (readonly [position: number, step: number, n: number])[];
  const sent = (earlier: Sends, recent: Sends, start = 0, end = 119): ChannelCounts =>
    countsOf(
      Array.from({ length: end - start + 1 }, (_, i) => start + i).flatMap((d) =>
        (d < 90 ? earlier : recent).map(([position, step, n]): Row => [d, position, step, 1, n, 0]),
      ),
    );
  it.each<[string, Sends, Sends, number, number]>([
    ['the same', [[0, 0, 100]], [[0, 0, 100]], 0, 1],
    [
      'a quarter moved',
      [
        [0, 0, 50],
        [1, 0, 50],
      ],
      [
        [0, 0, 75],
        [1, 0, 25],
      ],
      0.25,
      1,
    ],
    [
      'a little less',
      [
        [0, 0, 50],
        [1, 0, 50],
      ],
      [
        [0, 0, 74],
        [1, 0, 26],
      ],
      0.24,
      1,
    ],
    ['other steps', [[0, 0, 100]], [[0, 1, 100]], 1, 1],
    ['twice as many', [[0, 0, 100]], [[0, 0, 200]], 0, 2],
    ['almost twice as many', [[0, 0, 100]], [[0, 0, 199]], 0, 1.99],
    ['half as many', [[0, 0, 100]], [[0, 0, 50]], 0, 0.5],
    ['a little more than half', [[0, 0, 100]], [[0, 0, 51]], 0, 0.51],
  ])('the last 30 days beside the 90 before: %s', (_name, earlier, recent, distance, ratio) => {
    const facts = mixAndVolume(sent(earlier, recent), 119);
    expect(facts.mixDistance).toBeCloseTo(distance, 9);
    expect(facts.volumeRatio).toBeCloseTo(ratio, 9);
    expect(facts).toMatchObject({ mixAlert: distance >= 0.25, volumeAlert: ratio >= 2 || ratio <= 0.5 });
  });
  it('what lies before or after these days does not count, and 14 days before are enough', () => {
    const [usual, much]: [Sends, Sends] = [[[0, 0, 100]], [[1, 0, 9_000]]];
    const rows = rowsOf(sent(usual, usual));
    const around = countsOf([[-1, 1, 0, 1, 9_000, 0], ...rows, [120, 1, 0, 1, 9_000, 0]]);
    expect(mixAndVolume(around, 119)).toMatchObject({ mixDistance: 0, volumeRatio: 1 });
    expect(mixAndVolume(sent(usual, usual, 76), 119).volumeRatio).toBeCloseTo(1, 9);
    expect(mixAndVolume(sent(usual, usual, 77), 119)).toMatchObject({ mixDistance: 0, volumeRatio: null });
    expect(mixAndVolume(sent(usual, usual, 76), 119, 60).volumeRatio).toBeCloseTo(30 / 14, 9);
    expect(mixAndVolume(sent(usual, much, 0, 89), 119)).toMatchObject({ mixDistance: null, volumeRatio: 0 });
  });
  it('turnover is the variance of campaigns times the squared shares of the last 30 days', () => {
    const rows: Row[] = [
      [70, 0, 0, 9, 500, 0],
      [90, 0, 0, 1, 300, 0],
      [95, 0, 0, -1, 40, 0],
      [100, 0, 0, 0, 60, 0],
      [119, 1, 1, 1, 0, 0],
      [120, 0, 0, 8, 500, 0],
    ];
    expect(campaignTurnover(countsOf(rows), 119, 0, 0.2)).toBeCloseTo(0.2 * (0.75 ** 2 + 0.25 ** 2), 12);
    expect(campaignTurnover(countsOf(rows), 119, 91, 0.2)).toBeCloseTo(0.2, 12);
    expect(campaignTurnover(countsOf(rows), 119, 110, 0.2)).toBe(0);
  });

  it('nothing to compare with is no alert', () => {
    const none = { mixDistance: null, mixAlert: false, volumeRatio: null, volumeAlert: false };
    expect(mixAndVolume(world({ days: 20, sendsPerDay: 30 }), 19)).toEqual(none);
    expect(mixAndVolume(countsOf([]), 19)).toEqual(none);
    expect(mixAndVolume(world({ days: 40, sendsPerDay: 30 }), 39).volumeRatio).toBeNull();
    expect(mixAndVolume(world({ days: 60, sendsPerDay: 30 }), 59).volumeRatio).toBeCloseTo(1, 0);
  });
});

describe('one verdict of trust', () => {
  const steady = { lookPossible: true, settledReplies: 100, newestOutcomeAgeDays: 2, toldDaysAgo: null };
  it.each([
    [{}, 'steady', 'none', true, null, 0],
    [{ newestOutcomeAgeDays: 31 }, 'stale_outcomes', 'none', false, 'very_stale_outcomes', 0],
    [{ newestOutcomeAgeDays: null }, 'stale_outcomes', 'none', false, 'very_stale_outcomes', 0],
    [{ newestOutcomeAgeDays: 30 }, 'steady', 'none', true, null, 0],
    [
      { lookPossible: false, settledReplies: 5 },
      'too_little_settled',
      'insufficient_data',
      false,
      'drift_not_evaluated',
      15,
    ],
    [{ settledReplies: 19 }, 'too_little_settled', 'insufficient_data', false, 'drift_not_evaluated', 1],
    [{ toldDaysAgo: 3, settledReplies: 12 }, 'relearning', 'rate', false, 'drift_relearning', 8],
    [{ toldDaysAgo: 90, settledReplies: 12 }, 'relearning', 'rate', false, 'drift_relearning', 8],
    [{ toldDaysAgo: 30 }, 'changed_recently', 'rate', true, 'drift_detected', 0],
    [{ toldDaysAgo: 31 }, 'steady', 'none', true, null, 0],
  ])('%j', (part, name, driftState, trusted, code, repliesNeeded) => {
    expect(trust({ ...steady, ...part })).toEqual({
      case: name,
      driftState,
      trustworthy: trusted,
      alert: code,
      repliesNeeded,
    });
  });

  it('is true exactly where a look was possible, 20 replies have settled and outcomes are fresh', () => {
    expect(trust(steady)).toMatchObject({ trustworthy: true, alert: null });
    const age = fc.option(fc.integer({ min: 0, max: 60 }));
    fc.assert(
      fc.property(fc.boolean(), fc.nat(40), age, age, (lookPossible, settledReplies, outcome, told) => {
        const input = { lookPossible, settledReplies, newestOutcomeAgeDays: outcome, toldDaysAgo: told };
        const verdict = trust(input);
        const fresh = outcome !== null && outcome <= 30;
        expect(verdict.trustworthy).toBe(lookPossible && settledReplies >= 20 && fresh);
        expect(verdict.trustworthy && verdict.repliesNeeded > 0).toBe(false);
        expect(trustOfAll([verdict, trust(steady)])).toEqual(
          verdict.case === 'steady' ? trust(steady) : verdict,
        );
      }),
      { seed: 5 },
    );
  });

  it('is that of the gravest channel, and of two alike of the one that needs more replies', () => {
    const gravest = [
      { newestOutcomeAgeDays: null },
      { settledReplies: 5 },
      { settledReplies: 15 },
      { toldDaysAgo: 3, settledReplies: 12 },
      { toldDaysAgo: 3 },
      {},
    ].map((part) => trust({ ...steady, ...part }));
    fc.assert(
      fc.property(fc.shuffledSubarray(gravest, { minLength: 1 }), (some) => {
        expect(trustOfAll(some)).toEqual(gravest.find((verdict) => some.includes(verdict)));
      }),
      { seed: 9 },
    );
  });

  it('refuses negative counts and ages, and no channel at all', () => {
    const code = (name: string) => expect.objectContaining({ code: name });
    expect(() => trust({ ...steady, settledReplies: -1 })).toThrow(code('count'));
    for (const bad of [-1, NaN, Infinity]) {
      expect(() => trust({ ...steady, settledReplies: bad })).toThrow(code('count'));
      expect(() => trust({ ...steady, toldDaysAgo: bad })).toThrow(code('range'));
      expect(() => trust({ ...steady, newestOutcomeAgeDays: bad })).toThrow(code('range'));
    }
    expect(() => trustOfAll([])).toThrow(code('size'));
  });
});
