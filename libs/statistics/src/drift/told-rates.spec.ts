import { seededRng } from '../random';
import { channelWorld } from '../testing';
import { simulateToldRates } from '../verify/verify-told-rates';
import { extendLedger, type ChannelCounts, type LedgerChange } from '.';

type Day = readonly [n: number, y: number];

/** One campaign, position and step: a row a day. */
const countsOf = (days: readonly Day[]): ChannelCounts => ({
  size: days.length,
  day: Int32Array.from(days, (_, day) => day),
  position: new Uint8Array(days.length),
  step: new Uint8Array(days.length),
  campaign: new Int32Array(days.length).fill(1),
  n: Int32Array.from(days, ([n]) => n),
  y: Int32Array.from(days, ([, y]) => y),
});
const changesOf = (days: readonly Day[]): LedgerChange[] =>
  extendLedger(countsOf(days), [], 0, days.length - 1);
/** Thirty days of one rate, then thirty of another. */
const stepOf = (n: number, before: number, after: number): Day[] =>
  Array.from({ length: 60 }, (_, day) => [n, day < 30 ? before : after]);
const odds = (rate: number): number => rate / (1 - rate);

describe('the rates that a change is told with', () => {
  it.each([
    [40, 4, 9],
    [2_000, 100, 25],
    [20_000, 1_000, 250],
    [20_000, 1_000, 3_000],
  ])(
    'are the observed ones however far a day lies out: %d a day, %d and then %d replies',
    (n, before, after) => {
      const { since, rateBefore, rateAfter, ratio, direction } = changesOf(stepOf(n, before, after))[0]!;
      expect(since).toBe(30);
      expect(rateBefore.rate).toBeCloseTo(before / n, 9);
      expect(rateAfter.rate).toBeCloseTo(after / n, 9);
      expect(ratio).toBeCloseTo(odds(after / n) / odds(before / n), 6);
      expect(direction).toBe(after > before ? 'up' : 'down');
    },
  );

  it('have the odds ratio that is told beside them, and lie in their intervals, whatever happened', () => {
    let told = 0;
    for (const [sendsPerDay, baseRate, logOdds] of [
      [60, 0.03, -3],
      [250, 0.05, 0.75],
      [2_000, 0.02, -1.6],
      [250, 0.9, 4],
    ] as const) {
      const spec = { days: 220, sendsPerDay, baseRate, daySd: 0.3, campaignSd: 0.3 };
      const { counts } = channelWorld({ ...spec, changes: [{ day: 100, logOdds }] }, seededRng(told));
      for (const { rateBefore, rateAfter, ratio, direction } of extendLedger(counts, [], 0, 219)) {
        told++;
        expect(ratio).toBeCloseTo(odds(rateAfter.rate) / odds(rateBefore.rate), 12);
        expect(direction).toBe(rateAfter.rate > rateBefore.rate ? 'up' : 'down');
        for (const { rate, low, high } of [rateBefore, rateAfter]) {
          expect(low).toBeLessThanOrEqual(rate);
          expect(high).toBeGreaterThanOrEqual(rate);
        }
      }
    }
    expect(told).toBeGreaterThanOrEqual(4);
  });

  it('lie in their intervals where nobody or everybody answers', () => {
    let told = 0;
    for (const days of [20, 60, 170])
      for (const n of [5, 20, 200, 5_000])
        for (const before of [0.02, 0.2, 0.5, 0.95, 1].map((rate) => Math.round(rate * n)))
          for (const after of [0, n]) {
            const [change] = changesOf(
              Array.from({ length: days + 20 }, (_, day): Day => [n, day < days ? before : after]),
            );
            if (!change) continue;
            told++;
            expect(change.ratio > 0 && Number.isFinite(change.ratio)).toBe(true);
            for (const { rate, low, high } of [change.rateBefore, change.rateAfter])
              expect([rate > 0, low <= rate, rate <= high, high <= 1, low < high]).not.toContain(false);
          }
    expect(told).toBeGreaterThan(50);
  });

  /** Campaigns that do not differ in anything decide only how many rows a day counts make, and those how long it takes. */
  const unnamed = { campaigns: 1, campaignsUnnamed: true };
  // Of 40 intervals that each hold the truth with probability .95, 34 or fewer do so once in 70 such tests.
  it.each([
    [250, -0.75, {}],
    [2_000, -1.425, unnamed],
    [2_000, 0.75, unnamed],
    [20_000, -1.6, unnamed],
    [20_000, 0.75, {}],
  ])(
    'hold the truth as often as stated: %d a day, log-odds moved by %d',
    (sendsPerDay, logOdds, campaigns) => {
      const world = { sendsPerDay, daySd: 0.2, ...campaigns };
      const { told, nearDay, before, after } = simulateToldRates(40, world, logOdds, 4_310_000);
      expect(told).toBe(40);
      // Told with it: a first day that is the true one or next to it, where much is sent.
      expect(nearDay).toBeGreaterThanOrEqual(sendsPerDay < 2_000 ? 0 : 35 / 40);
      expect(before).toBeGreaterThanOrEqual(35 / 40);
      expect(after).toBeGreaterThanOrEqual(35 / 40);
    },
  );

  it.each([
    [250, 12],
    [2_000, 3],
  ])(
    'hold it where campaigns differ, too, at one mix of them: %d a day in %d campaigns',
    (sendsPerDay, campaigns) => {
      const spec = { sendsPerDay, campaigns, campaignSd: 0.5, daySd: 0.2 };
      const { told, before, after } = simulateToldRates(40, spec, -0.75, 4_350_000);
      expect(told).toBeGreaterThanOrEqual(35);
      expect(before).toBeGreaterThanOrEqual(0.87);
      expect(after).toBeGreaterThanOrEqual(0.87);
    },
  );
});
