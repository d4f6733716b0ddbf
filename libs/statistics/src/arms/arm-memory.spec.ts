import fc from 'fast-check';
import fixture from '../../fixtures/change.json';
import { extendLedger } from '../drift';
import { betaInterval, expit } from '../numerics';
import { logGammaUnchecked } from '../numerics/log-gamma';
import { seededRng } from '../random';
import { channelWorld } from '../testing';
import {
  ArmMemory,
  armInCampaign,
  campaignFactor,
  type DayCounts,
  dayCounts,
  fitArms,
  forwardArms,
  HALF_LIVES,
  memoryDays,
  narrow,
  widen,
} from '.';

/** Fewer runs where every mutant costs them again: each run of a property finds most of what all find. */
const isMutated = '__stryker__' in globalThis;
const TOLD_AFTER = 14;

interface Change {
  readonly since: number;
  readonly settledOn: number;
}

/** The memory of all days up to one, with the changes of a ledger; saved and restored on some of the days. */
function remember(
  days: readonly DayCounts[],
  changes: readonly Change[],
  upTo: number,
  savedOn: readonly number[] = [],
): ArmMemory {
  let memory = new ArmMemory((days[0] as DayCounts).n.length);
  for (const counts of days.filter(({ day }) => day <= upTo)) {
    memory.add(counts);
    for (const { since, settledOn } of changes.filter((change) => change.settledOn === counts.day))
      memory.restart(
        { since, toldOn: settledOn + TOLD_AFTER },
        days.filter(({ day }) => day >= since && day <= counts.day),
      );
    if (savedOn.includes(counts.day)) memory = ArmMemory.restore(memory.save());
  }
  return memory;
}

const code = (name: string) => expect.objectContaining({ code: name });
const expectClose = (actual: number, truth: number, tolerance: number): void =>
  expect(Math.abs(actual - truth)).toBeLessThanOrEqual(tolerance * Math.max(1e-3, Math.abs(truth)));

describe('memory and forward arms agree with the prototype of the design', () => {
  it.each(fixture.cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const column = (name: 'day' | 'campaign' | 'n' | 'y') => Int32Array.from(one[name]);
    const [position, step] = [Uint8Array.from(one.position), Uint8Array.from(one.step)];
    const counts = { size: one.day.length, day: column('day'), position, step };
    const rest = { campaign: column('campaign'), n: column('n'), y: column('y') };
    const days = dayCounts({ ...counts, ...rest }, one.positions, 0, Infinity);
    for (const served of one.served) {
      const memory = remember(days, one.ledger, served.asOf);
      const [target, current] = [memory.weights(served.asOf, 30), memory.weights(served.asOf, 7)];
      target.halfLives.forEach((weight, h) => expectClose(weight, served.halfLives[h] as number, 1e-8));
      current.halfLives.forEach((weight, h) => expectClose(weight, served.halfLives7[h] as number, 1e-8));
      expectClose(target.variance, served.variance, 1e-8);
      expectClose(current.variance, served.variance7, 1e-8);
      expect(memory.dataFrom).toBe(Math.max(served.since, days[0]?.day as number));
      const arms = memory.counts(served.asOf, target);
      arms.forEach(({ n }, p) => expectClose(n, served.counts[p] as number, 1e-8));
      forwardArms(
        arms,
        target.variance === 0 ? { target: 0, current: 0 } : { target: target.variance, current: 0 },
      ).arms.forEach((arm, p) => {
        expectClose(arm.mean, served.means[p] as number, 2e-3);
        const [alpha, beta] = served.shapes[p] as [number, number];
        expectClose(arm.target.alpha, alpha, 1e-2);
        expectClose(arm.target.beta, beta, 1e-2);
      });
    }
  });
});

describe('a memory that is saved and continued', () => {
  let world: ReturnType<typeof channelWorld>;
  let days: DayCounts[];
  let changes: Change[];
  let whole: Float64Array;
  beforeAll(() => {
    world = channelWorld(
      { days: 200, sendsPerDay: 60, changes: [{ day: 90, logOdds: -1 }], campaignSd: 0.3 },
      seededRng(7),
    );
    // Weekends without sends: days are left out.
    days = dayCounts(world.counts, world.positions, 0, 199).filter(({ day }) => day % 7 < 5);
    changes = [...extendLedger(world.counts, [], 0, 199), { since: 130, settledOn: 151 }]
      .filter(({ settledOn }) => days.some(({ day }) => day === settledOn))
      .sort((a, b) => a.settledOn - b.settledOn || a.since - b.since)
      .filter(({ since }, i, all) => i === 0 || since >= (all[i - 1] as Change).since);
    whole = remember(days, changes, 199).save();
  });

  it('goes on to the same bytes, wherever it was saved', () => {
    expect(changes.length).toBeGreaterThan(1);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 199 }), { maxLength: 8 }), (savedOn) => {
        expect(remember(days, changes, 199, savedOn).save()).toEqual(whole);
      }),
      { numRuns: isMutated ? 2 : 12, seed: 1 },
    );
    const daily = remember(
      days,
      changes,
      199,
      days.map(({ day }) => day),
    );
    expect(new Uint8Array(daily.save().buffer)).toEqual(new Uint8Array(whole.buffer));
  });

  it('does not tell a day left out from a day without sends', () => {
    const none = new Float64Array(world.positions);
    const filled = Array.from(
      { length: (days.at(-1) as DayCounts).day + 1 },
      (_, day) => days.find((one) => one.day === day) ?? { day, n: none, y: none },
    );
    expect(remember(filled, changes, 199).save()).toEqual(whole);
  });

  it('does not grow with the days', () => {
    const sizes = [60, 199].map((upTo) => remember(days, [], upTo).save().length);
    expect(sizes[1]).toBe(sizes[0]);
    expect(whole.length).toBeLessThan(1_200);
  });

  it('starts from nothing with nothing, and refuses a state cut short or too long', () => {
    const empty = new ArmMemory(3);
    expect(ArmMemory.restore(empty.save()).save()).toEqual(empty.save());
    expect([empty.day, empty.dataFrom]).toEqual([null, null]);
    expect(empty.counts(5, empty.weights(5, 30))).toEqual(Array.from({ length: 3 }, () => ({ n: 0, y: 0 })));
    expect(() => ArmMemory.restore(whole.slice(1))).toThrow(code('size'));
    expect(() => ArmMemory.restore(whole.slice(0, -1))).toThrow(code('size'));
    expect(() => ArmMemory.restore(Float64Array.from([...whole, 0]))).toThrow(code('size'));
  });
});

describe('what is remembered', () => {
  const even = (day: number, y = 4): DayCounts => ({ day, n: [40, 40], y: [y, y] });
  const steady = (length: number): DayCounts[] => Array.from({ length }, (_, day) => even(day));

  it('nothing of what lies before a change, from the day on which it settled', () => {
    const memory = remember(steady(61), [{ since: 41, settledOn: 60 }], 60);
    const all = { halfLives: HALF_LIVES.map((halfLife) => (halfLife === Infinity ? 1 : 0)) };
    expect(memory.counts(60, all)).toEqual([
      { n: 800, y: 80 },
      { n: 800, y: 80 },
    ]);
    expect(memory.dataFrom).toBe(41);
    expect(memory.counts(61, all, [even(61)])[0]).toEqual({ n: 840, y: 84 });
  });

  it('a steady channel is remembered for long, one that wanders for short', () => {
    const wander = Array.from({ length: 400 }, (_, day) => even(day, day % 80 < 40 ? 1 : 16));
    const [calm, wild] = [steady(400), wander].map((days) => remember(days, [], 399).weights(399, 30));
    expect(calm!.variance).toBeLessThan(wild!.variance / 5);
    expect(memoryDays(calm!.halfLives, 0, 399)).toBeGreaterThan(memoryDays(wild!.halfLives, 0, 399));
  });

  it('weights sum to one, and forget their scores slowly', () => {
    const memory = remember(steady(200), [], 199);
    const [now, later] = [memory.weights(199, 30), memory.weights(199 + 3_650, 30)];
    for (const { halfLives } of [now, later]) expect(halfLives.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
    const prior = new ArmMemory(2).weights(0, 30);
    later.halfLives.forEach((weight, h) => expect(weight).toBeCloseTo(prior.halfLives[h] as number, 2));
  });

  it('all settled sends and replies since the last change, however long ago', () => {
    const memory = new ArmMemory(2);
    expect(memory.settled).toEqual({ n: 0, y: 0 });
    for (const counts of steady(800)) memory.add(counts);
    expect(memory.settled).toEqual({ n: 64_000, y: 6_400 });
    memory.restart({ since: 790, toldOn: 820 }, steady(800).slice(790));
    expect(memory.settled).toEqual({ n: 800, y: 80 });
    memory.add({ day: 830, n: [1, 2], y: [0, 1] });
    expect(memory.settled).toEqual({ n: 803, y: 81 });
  });

  it('memoryDays is the mean age of the weights', () => {
    const one = (h: number) => HALF_LIVES.map((_, i) => (i === h ? 1 : 0));
    expect(memoryDays(one(6), 0, 100)).toBe(50);
    expect(memoryDays(one(2), 0, 5_000)).toBeCloseTo(30 / Math.LN2, 0);
    expect(memoryDays(one(0), 10, 10)).toBe(0);
  });
});

describe('counts by day and position', () => {
  it('add up the rows of a day, from one day to another', () => {
    const rows = [
      [3, 0, 5, 1],
      [4, 1, 7, 2],
      [4, 0, 10, 3],
      [4, 1, 2, 1],
      [6, 2, 1, 0],
      [7, 0, 9, 9],
    ] as const;
    const column = (at: 0 | 1 | 2 | 3) => Int32Array.from(rows, (row) => row[at]);
    const counts = {
      ...{ size: 6, day: column(0), position: Uint8Array.from(column(1)), step: new Uint8Array(6) },
      ...{ campaign: new Int32Array(6), n: column(2), y: column(3) },
    };
    const plain = (days: readonly DayCounts[]) =>
      days.map(({ day, n, y }) => [day, Array.from(n), Array.from(y)]);
    expect(plain(dayCounts(counts, 3, 4, 6))).toEqual([
      [4, [10, 9, 0], [3, 3, 0]],
      [6, [0, 0, 1], [0, 0, 0]],
    ]);
    expect(dayCounts(counts, 3, 3, 7)).toHaveLength(4);
    expect(dayCounts(counts, 3, 8, 9)).toEqual([]);
  });
});

describe('bad input is refused', () => {
  const day = (at: number, n = 10, y = 1): DayCounts => ({ day: at, n: [n], y: [y] });
  it('days out of order, of other arms, with impossible counts', () => {
    const memory = new ArmMemory(1);
    memory.add(day(3));
    expect(() => memory.add(day(3))).toThrow(code('order'));
    expect(() => memory.add(day(4.5))).toThrow(code('range'));
    expect(() => memory.add(day(4, 1, 2))).toThrow(code('count'));
    expect(() => memory.add(day(4, NaN))).toThrow(code('count'));
    expect(() => memory.add({ day: 4, n: [1, 1], y: [0, 0] })).toThrow(code('size'));
    expect(() => new ArmMemory(0)).toThrow(code('size'));
    expect(() => memory.weights(2, 30)).toThrow(code('order'));
    expect(() => memory.weights(NaN, 30)).toThrow(code('range'));
    expect(() => memory.weights(4, 14 as 30)).toThrow(code('range'));
    expect(() => memory.counts(4, { halfLives: [1] })).toThrow(code('size'));
    expect(() => memory.counts(4, memory.weights(4, 30), [day(3)])).toThrow(code('order'));
    expect(() => memory.counts(4, memory.weights(4, 30), [day(5)])).toThrow(code('order'));
  });
  it('restarts before the last one, after the last day, with other days', () => {
    const memory = remember([day(0), day(5), day(9)], [{ since: 5, settledOn: 9 }], 9);
    expect(() => memory.restart({ since: 4, toldOn: 30 }, [])).toThrow(code('order'));
    expect(() => memory.restart({ since: 10, toldOn: 30 }, [])).toThrow(code('order'));
    expect(() => memory.restart({ since: 9, toldOn: 10 }, [])).toThrow(code('order'));
    expect(() => memory.restart({ since: 6.5, toldOn: 30 }, [])).toThrow(code('range'));
    expect(() => memory.restart({ since: 9, toldOn: 30 }, [day(5)])).toThrow(code('order'));
  });
  const shape = { alpha: 1, beta: 1 };
  const record = { replies: 1, expected: 1, variance: 0.1 };
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['an alpha to widen', 'shape', (alpha) => widen({ ...shape, alpha }, 0), [0, NaN, Infinity]],
    ['a beta to widen', 'shape', (beta) => widen({ ...shape, beta }, 0), [0, NaN, Infinity]],
    ['a variance to widen by', 'range', (variance) => widen(shape, variance), [-1, NaN, Infinity]],
    ['an alpha to narrow', 'shape', (alpha) => narrow({ ...shape, alpha }, 0), [0, Infinity]],
    ['a beta to narrow', 'shape', (beta) => narrow({ ...shape, beta }, 0), [0, Infinity]],
    ['a variance to narrow by', 'range', (variance) => narrow(shape, variance), [-1, 2, NaN]],
    ['a variance to come', 'range', (target) => forwardArms([], { target, current: 0 }), [-1, NaN, Infinity]],
    [
      'a variance of the week',
      'range',
      (current) => forwardArms([], { target: 0, current }),
      [-1, NaN, Infinity],
    ],
    ['replies', 'count', (replies) => campaignFactor(replies, 1, 0.1), [-1, NaN, Infinity]],
    ['expected replies', 'count', (expected) => campaignFactor(1, expected, 0.1), [-1, NaN, Infinity]],
    ['a variance of campaigns', 'range', (variance) => campaignFactor(1, 1, variance), [-1, NaN, Infinity]],
    ['an alpha in a campaign', 'shape', (alpha) => armInCampaign({ ...shape, alpha }, record), [0, Infinity]],
    ['a beta in a campaign', 'shape', (beta) => armInCampaign({ ...shape, beta }, record), [0, Infinity]],
    ['sends of a day', 'count', (n) => new ArmMemory(1).add(day(0, n, 0)), [-1, NaN, Infinity]],
    ['replies of a day', 'count', (y) => new ArmMemory(1).add(day(0, 1, y)), [-1, 2, NaN]],
    ['a number of arms', 'size', (positions) => new ArmMemory(positions), [0, 1.5, NaN]],
    [
      'a day of settling',
      'range',
      (toldOn) => remember([day(0)], [], 0).restart({ since: 0, toldOn }, []),
      [0.5],
    ],
  ])('%s outside its domain: %s', (_name, expected, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(code(expected));
  });
  it('weights of other half-lives, days that go back, positions without an arm', () => {
    expect(() => memoryDays([1], 0, 1)).toThrow(code('size'));
    expect(() => memoryDays(new ArmMemory(1).weights(0, 7).halfLives, 2, 1)).toThrow(code('order'));
    const { counts } = channelWorld({ days: 2, sendsPerDay: 50 }, seededRng(1));
    expect(() => dayCounts(counts, 2, 0, 1)).toThrow(code('range'));
  });
});

describe('forward arms', () => {
  it('keep the mean, widen the interval, and ask for the best before they are widened', () => {
    const counts = [
      { n: 400, y: 30 },
      { n: 300, y: 12 },
      { n: 20, y: 1 },
    ];
    const { arms } = forwardArms(counts, { target: 0.09, current: 0.01 });
    fitArms(counts).arms.forEach((plain, i) => {
      const arm = arms[i] as (typeof arms)[number];
      expect(arm).toMatchObject(plain);
      expect(arm.target.alpha / (arm.target.alpha + arm.target.beta)).toBeCloseTo(plain.mean, 12);
      expect(arm.target.high - arm.target.low).toBeGreaterThan(arm.current.high - arm.current.low);
      expect(arm.current.high - arm.current.low).toBeGreaterThan(plain.high - plain.low);
      expect(1 / arm.target.alpha + 1 / arm.target.beta).toBeCloseTo(
        1 / plain.alpha + 1 / plain.beta + 0.09,
        12,
      );
    });
  });

  it('end where the mass that was asked for ends', () => {
    const [arm] = forwardArms([{ n: 100, y: 9 }], { target: 0.1, current: 0 }, { mass: 0.5 }).arms;
    const { alpha, beta, low, high } = arm!.target;
    expect({ low, high }).toEqual(betaInterval(alpha, beta, 0.5));
    expect(arm!.current).toEqual({ alpha: arm!.alpha, beta: arm!.beta, low: arm!.low, high: arm!.high });
  });

  it('are narrowed to what they were widened from', () => {
    for (const variance of [0, 0.04, 3]) {
      const back = narrow(widen({ alpha: 5, beta: 95 }, variance), variance);
      expect(back.alpha).toBeCloseTo(5, 9);
      expect(back.beta).toBeCloseTo(95, 7);
    }
    expect(() => narrow({ alpha: 1, beta: 1 }, 2)).toThrow(code('range'));
    expect(() => narrow({ alpha: 0, beta: 1 }, 0)).toThrow(code('shape'));
  });

  it('a campaign is believed as far as campaigns differ', () => {
    expect(campaignFactor(30, 10, 0)).toBe(1);
    expect(campaignFactor(30, 10, 0.25)).toBeCloseTo((30 + 4) / (10 + 4), 12);
    expect(campaignFactor(0, 10, 1e9)).toBeLessThan(1e-6);
  });

  it('inside a campaign keep the mean times its factor, and a spread that its replies make smaller', () => {
    const arm = fc.record({ alpha: fc.double({ min: 0.2, max: 500, noNaN: true }), beta: fc.constant(400) });
    const record = fc.record({
      replies: fc.nat(300),
      expected: fc.double({ min: 0, max: 300, noNaN: true }),
      variance: fc.double({ min: 1e-3, max: 4, noNaN: true }),
    });
    const spread = ({ alpha, beta }: { alpha: number; beta: number }) => 1 / alpha + 1 / beta;
    const mean = ({ alpha, beta }: { alpha: number; beta: number }) => alpha / (alpha + beta);
    fc.assert(
      fc.property(arm, record, (one, known) => {
        const inside = armInCampaign(one, known);
        const { replies, expected, variance } = known;
        const wanted = mean(one) * campaignFactor(replies, expected, variance);
        expect(mean(inside)).toBeCloseTo(Math.min(wanted, (1 + mean(one)) / 2), 9);
        expect(spread(inside) / (spread(one) + 1 / (replies + 1 / variance))).toBeCloseTo(1, 9);
        const luckier = mean(armInCampaign(one, { ...known, replies: replies + 1 }));
        // Equal where both are as high as a factor may take them, but for the last bit.
        expect(luckier / mean(inside)).toBeGreaterThanOrEqual(1 - 1e-12);
        expect(armInCampaign(one, { ...known, variance: 0 })).toEqual(one);
      }),
    );
    expect(() => armInCampaign({ alpha: 0, beta: 1 }, { replies: 0, expected: 0, variance: 1 })).toThrow(
      code('shape'),
    );
    expect(() => armInCampaign({ alpha: 1, beta: 1 }, { replies: 1, expected: -1, variance: 1 })).toThrow(
      code('count'),
    );
  });
});

/** Moments of the arms by plain integration over a given box of (logit mu, log k), groups of equal arms at once. */
function integrate(
  groups: readonly { n: number; y: number; count: number }[],
  [lowX, highX, lowZ, highZ]: readonly [number, number, number, number],
): { mean: number; sd: number }[] {
  const size = isMutated ? 101 : 301;
  const points: { mu: number; k: number; log: number }[] = [];
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const x = lowX + ((highX - lowX) * i) / (size - 1);
      const z = lowZ + ((highZ - lowZ) * j) / (size - 1);
      const [mu, k] = [expit(x), Math.exp(z)];
      const [a, b] = [mu * k, k - mu * k];
      let log = -0.5 * ((x + 3) / 1.3) ** 2 - 0.5 * ((z - Math.log(30)) / 1.4) ** 2;
      for (const { n, y, count } of groups)
        log +=
          count *
          (logGammaUnchecked(a + y) -
            logGammaUnchecked(a) +
            logGammaUnchecked(b + n - y) -
            logGammaUnchecked(b) +
            logGammaUnchecked(k) -
            logGammaUnchecked(k + n));
      points.push({ mu, k, log });
    }
  }
  const highest = points.reduce((top, { log }) => Math.max(top, log), -Infinity);
  return groups.map(({ n, y }) => {
    let [total, mean, square, within] = [0, 0, 0, 0];
    for (const { mu, k, log } of points) {
      const weight = Math.exp(log - highest);
      const m = (mu * k + y) / (k + n);
      total += weight;
      mean += weight * m;
      square += weight * m * m;
      within += (weight * m * (1 - m)) / (k + n + 1);
    }
    mean /= total;
    return { mean, sd: Math.sqrt(within / total + square / total - mean * mean) };
  });
}

/** The interval of the Beta with these moments. */
function matchedInterval({ mean, sd }: { mean: number; sd: number }): { low: number; high: number } {
  const size = (mean * (1 - mean)) / (sd * sd) - 1;
  return betaInterval(mean * size, (1 - mean) * size, 0.95);
}

describe('companies whose arms are all alike', () => {
  it.each([
    ['20 arms of 20,000 sends', { n: 20_000, y: 1_600, count: 20 }, [-2.5, -2.38, 4, 16]],
    ['40 arms of 100,000 sends', { n: 100_000, y: 8_000, count: 40 }, [-2.456, -2.429, 6, 18]],
    ['12 arms of 3,000 sends', { n: 3_000, y: 240, count: 12 }, [-2.8, -2.1, 1.5, 15]],
  ] as const)('%s and one of 300: within .1 sd of the exact integral', (_, alike, box) => {
    const exact = integrate([alike, { n: 300, y: 5, count: 1 }], box);
    const many = Array.from({ length: alike.count }, () => ({ n: alike.n, y: alike.y }));
    const { arms } = fitArms([...many, { n: 300, y: 5 }]);
    for (const [arm, truth] of [
      [arms[0], exact[0]],
      [arms.at(-1), exact[1]],
    ] as const) {
      expect(Math.abs(arm!.mean - truth!.mean) / truth!.sd).toBeLessThan(0.1);
      expect(Math.abs(Math.sqrt(arm!.variance) / truth!.sd - 1)).toBeLessThan(0.05);
      const { low, high } = matchedInterval(truth!);
      expect(Math.abs(arm!.low - low) / truth!.sd).toBeLessThan(0.1);
      expect(Math.abs(arm!.high - high) / truth!.sd).toBeLessThan(0.1);
    }
  });
});
