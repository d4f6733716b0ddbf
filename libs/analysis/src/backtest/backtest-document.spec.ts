import type { BacktestForecast } from '@outcomes/contracts';
import { observedOverExpected } from '@outcomes/statistics';
import type { ClaimRow } from '../evidence/claims';
import { backtestDocument, noBacktest } from './backtest-document';

const MADE_AT = new Date('2026-06-01T02:00:00Z');
/** 2026-01-05, a Monday. */
const MONDAY = 20_458;

const claim = (code: string, number: number, tier: ClaimRow['tier'], week: number): ClaimRow => ({
  ...{ code, number, tier, isUp: tier === 'none' ? null : true, since: new Date(Date.UTC(2026, 0, week)) },
  ...{ reason: tier === 'none' ? 'undecided' : 'found', goesWith: null, eValue: 400, messages: 900 },
  ...{ oddsRatio: 1.234_567_89, oddsRatioLow: 1.012_345_67, oddsRatioHigh: 1.543_219_87 },
});
const forecast = (parts: Partial<BacktestForecast>): BacktestForecast => ({
  ...{ madeOn: '2026-02-01', channel: 'email', position: 'vp', predicted: 0.1, low: 0.05, high: 0.15 },
  ...{ n: 100, y: 10 },
  ...parts,
});
const documentOf = (parts: Partial<Parameters<typeof backtestDocument>[0]>) =>
  backtestDocument({ mondays: [MONDAY, MONDAY + 7], claims: [], forecasts: [], ...parts }, MADE_AT);

describe('the document of a backtest', () => {
  it('says which weeks were folded, and when', () => {
    expect(documentOf({ mondays: [MONDAY, MONDAY + 7, MONDAY + 14] })).toMatchObject({
      ...{ made_at: '2026-06-01T02:00:00.000Z', reason: null },
      ...{ from: '2026-01-05', through: '2026-01-19', weeks: 3 },
    });
  });

  it('tells of claims the newest first, each with what was claimed of its code before', () => {
    const claims = [
      claim('TA-1', 1, 'likely', 4),
      claim('TA-2', 1, 'confirmed', 4),
      claim('TA-1', 2, 'confirmed', 11),
      claim('TA-1', 3, 'none', 18),
    ];
    const told = documentOf({ claims }).claims;
    expect(told.map(({ code, number, previousTier, tier }) => [code, number, previousTier, tier])).toEqual([
      ['TA-1', 3, 'confirmed', 'none'],
      ['TA-1', 2, 'likely', 'confirmed'],
      ['TA-2', 1, null, 'confirmed'],
      ['TA-1', 1, null, 'likely'],
    ]);
    expect(told[3]).toEqual({
      ...{ code: 'TA-1', number: 1, tier: 'likely', previousTier: null, isMore: true },
      ...{ since: '2026-01-04T00:00:00.000Z', reason: 'found', goesWith: null, messages: 900 },
      ...{ oddsRatio: 1.23457, oddsRatioLow: 1.01235, oddsRatioHigh: 1.54322 },
    });
    expect(told[0]?.isMore).toBeNull();
  });

  it('holds what came against what was stated, all forecasts together', () => {
    const forecasts = [
      forecast({}),
      // Its interval does not hold.
      forecast({ madeOn: '2026-03-03', n: 200, y: 60, predicted: 0.2, low: 0.15, high: 0.22 }),
      // It expects fewer than two replies, so that its interval holds whatever comes.
      forecast({ position: 'director', n: 10, y: 9 }),
    ];
    const { scores, forecasts: told } = documentOf({ forecasts });
    expect(told).toEqual(forecasts);
    const { ratio, low, high } = observedOverExpected(79, 51);
    expect(scores).toMatchObject({
      ...{ forecasts: 3, messages: 310, expectedReplies: 51, observedReplies: 79, groups: 2, covered: 1 },
      observedOverExpected: {
        ...{ value: expect.closeTo(ratio, 4), low: expect.closeTo(low, 4), high: expect.closeTo(high, 4) },
      },
    });
    expect(scores.bins.reduce((sum, { n }) => sum + n, 0)).toBe(310);
    // Ten bins at most, of messages: those that were stated to answer least first.
    expect(scores.bins[0]).toMatchObject({ predicted: 0.1 });
    expect(scores.bins.at(-1)).toMatchObject({ predicted: 0.2, observed: 0.3 });
    for (const bin of scores.bins) {
      expect(bin.low).toBeLessThan(bin.observed);
      expect(bin.high).toBeGreaterThan(bin.observed);
    }
  });

  it('counts a group from two expected replies on', () => {
    expect(documentOf({ forecasts: [forecast({ n: 20, y: 2 })] }).scores.groups).toBe(1);
    expect(documentOf({ forecasts: [forecast({ n: 19, y: 2 })] }).scores.groups).toBe(0);
  });

  it('is empty where there is none, and says why', () => {
    expect(noBacktest('no_history', MADE_AT)).toEqual({
      ...{ made_at: '2026-06-01T02:00:00.000Z', reason: 'no_history', from: null, through: null, weeks: 0 },
      ...{ claims: [], forecasts: [] },
      scores: {
        ...{ forecasts: 0, messages: 0, expectedReplies: 0, observedReplies: 0, observedOverExpected: null },
        ...{ groups: 0, covered: 0, bins: [] },
      },
    });
  });
});
