import { incompleteBeta, incompleteGamma } from '../numerics';
import {
  assessCampaigns,
  type CampaignCounts,
  campaignRate,
  combinedGuard,
  guardEValue,
  ownRatio,
  replyRatios,
} from '.';

const quiet: CampaignCounts = {
  sends: 400,
  maturedSends: 300,
  maturedReplies: 15,
  expectedReplies: 15,
  bounces: 4,
  unsubscribes: 1,
};
const statusOf = (counts: Partial<CampaignCounts>): { status: string; codes: string[] } => {
  const [health] = assessCampaigns([{ ...quiet, ...counts }]);
  return { status: health?.status ?? '', codes: health?.reasons.map(({ code }) => code) ?? [] };
};

describe('status comes from the one rule table', () => {
  it.each([
    [{}, 'healthy', ['replies_as_expected']],
    [{ maturedReplies: 60 }, 'healthy', ['replies_above_expected']],
    [{ maturedReplies: 1, expectedReplies: 30 }, 'watch', ['replies_below_expected']],
    [{ bounces: 40 }, 'critical', ['bounce_rate_high', 'replies_as_expected']],
    [{ unsubscribes: 20 }, 'critical', ['unsubscribe_rate_high', 'replies_as_expected']],
    [
      { maturedSends: 10, maturedReplies: 1, expectedReplies: 0.5 },
      'insufficient_data',
      ['few_matured_sends'],
    ],
    [
      { maturedSends: 10, maturedReplies: 0, expectedReplies: 0.5, bounces: 60 },
      'critical',
      ['bounce_rate_high', 'few_matured_sends'],
    ],
    [{ maturedReplies: 0, expectedReplies: 0.99 }, 'insufficient_data', ['few_expected_replies']],
    [{ bounces: 23 }, 'watch', ['bounce_rate_suspicious', 'replies_as_expected']],
    [{ fall: { value: 0.024, low: 0.018, high: 0.031 } }, 'watch', ['replies_fell', 'replies_as_expected']],
  ])('%j is %s', (counts, status, codes) => {
    expect(statusOf(counts)).toEqual({ status, codes });
  });
  // E-values at 400 sends: of 23, 24 and 25 bounces 17, 38 and 90; of 8 to 12 unsubscribes 2, 5.4, 13, 33 and 87.
  it.each([
    ['bounces alone, average 19', { bounces: 24 }, 'watch', ['bounce_rate_suspicious']],
    ['bounces alone, average 45', { bounces: 25 }, 'critical', ['bounce_rate_high']],
    ['unsubscribes of 2', { unsubscribes: 8 }, 'healthy', []],
    ['unsubscribes of 5.4', { unsubscribes: 9 }, 'watch', ['unsubscribe_rate_suspicious']],
    ['unsubscribes alone, average 16', { unsubscribes: 11 }, 'watch', ['unsubscribe_rate_suspicious']],
    ['unsubscribes alone, average 43', { unsubscribes: 12 }, 'critical', ['unsubscribe_rate_high']],
    [
      'both, average 22, one of which would do alone',
      { bounces: 24, unsubscribes: 9 },
      'critical',
      ['bounce_rate_high', 'unsubscribe_rate_suspicious'],
    ],
    [
      'both, average 25',
      { bounces: 23, unsubscribes: 11 },
      'critical',
      ['unsubscribe_rate_high', 'bounce_rate_suspicious'],
    ],
    [
      'both, average 15',
      { bounces: 23, unsubscribes: 10 },
      'watch',
      ['bounce_rate_suspicious', 'unsubscribe_rate_suspicious'],
    ],
  ])('a campaign is critical by the average of its guards: %s', (_name, counts, status, codes) => {
    expect(statusOf(counts)).toEqual({ status, codes: [...codes, 'replies_as_expected'] });
    const [health] = assessCampaigns([{ ...quiet, ...counts }]);
    expect(health?.guardEValue).toBe(((health?.bounceEValue ?? 0) + (health?.unsubscribeEValue ?? 0)) / 2);
    expect((health?.guardEValue ?? 0) >= 20).toBe(status === 'critical');
  });
  it.each([
    [{ maturedSends: 30, maturedReplies: 1, expectedReplies: 1 }, 'healthy'],
    [{ maturedSends: 29, maturedReplies: 1, expectedReplies: 1 }, 'insufficient_data'],
    [{ maturedSends: 400, maturedReplies: 1, expectedReplies: 0.99 }, 'insufficient_data'],
    [
      { sends: 0, maturedSends: 0, maturedReplies: 0, expectedReplies: 0, bounces: 0, unsubscribes: 0 },
      'insufficient_data',
    ],
    [{ sends: 300, maturedReplies: 300, bounces: 0, unsubscribes: 0 }, 'healthy'],
  ])('replies are judged from 30 matured sends and one expected reply on: %j', (counts, status) => {
    expect(statusOf(counts).status).toBe(status);
  });
  it('every reason carries its number and its 95 % interval', () => {
    const fall = { value: 0.024, low: 0.018, high: 0.031 };
    const reasonsOf = (counts: Partial<CampaignCounts>) => {
      const [health] = assessCampaigns([{ ...quiet, ...counts }]);
      return { ...health, of: (wanted: string) => health?.reasons.find(({ code }) => code === wanted) };
    };
    const { of, replyRatio } = reasonsOf({ bounces: 40, fall });
    expect(of('replies_fell')).toEqual({ code: 'replies_fell', ...fall });
    expect(of('replies_as_expected')).toMatchObject({ value: replyRatio?.ratio, low: replyRatio?.low });
    // Jeffreys' interval of 40 in 400.
    const { value, low, high } = of('bounce_rate_high') ?? { value: 0, low: 0, high: 0 };
    expect(value).toBe(0.1);
    expect([low, high].map((end) => incompleteBeta(end, 40.5, 360.5))).toEqual([
      expect.closeTo(0.025, 10) as number,
      expect.closeTo(0.975, 10) as number,
    ]);
    // Where all bounced, too, the interval holds the share.
    expect(reasonsOf({ bounces: 400 }).of('bounce_rate_high')).toMatchObject({ value: 1, high: 1 });
    expect(reasonsOf({ maturedSends: 10, maturedReplies: 1 }).of('few_matured_sends')).toMatchObject({
      ...{ value: 10, low: 10, high: 10 },
    });
    expect(reasonsOf({ expectedReplies: 0.4 }).of('few_expected_replies')).toMatchObject({
      ...{ value: 0.4, low: 0.4, high: 0.4, sends: 300 },
    });
  });
});

describe('guards and ratios', () => {
  it('an e-value has expectation one at the limit, less below it', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    const expectation = (rate: number): number => {
      let sum = 0;
      for (let k = 0; k <= 40; k++)
        sum += choose(40, k) * rate ** k * (1 - rate) ** (40 - k) * guardEValue(k, 40, 0.03);
      return sum;
    };
    expect(expectation(0.03)).toBeCloseTo(1, 10);
    expect(expectation(0.01)).toBeLessThan(1);
  });
  it('a ratio without data is one, and shrinks more with less data', () => {
    const [none, little, much] = replyRatios([
      { observed: 0, expected: 0 },
      { observed: 4, expected: 2 },
      { observed: 400, expected: 200 },
    ]);
    expect(none?.ratio).toBeCloseTo(1, 10);
    expect(little?.ratio).toBeLessThan(much?.ratio as number);
    expect(much?.ratio).toBeGreaterThan(1.9);
  });
  it('a ratio is the mean of negative binomials, and its interval that of the Gamma of the same moments', () => {
    const campaigns = [
      { observed: 4, expected: 2 },
      { observed: 9, expected: 10 },
    ];
    // P(O = y) for shape and rate a: product of (a + j) / (j + 1), times (a / (a + E))^a (E / (a + E))^y.
    const chance = (a: number, { observed, expected }: (typeof campaigns)[number]): number => {
      let product = (a / (a + expected)) ** a;
      for (let j = 0; j < observed; j++) product *= ((a + j) / (j + 1)) * (expected / (a + expected));
      return product;
    };
    const precisions = [1, 1.8, 3.2, 5.6, 10, 18, 32, 56, 100, 180, 320];
    const weights = precisions.map(
      (a) =>
        Math.exp(-0.5 * (Math.log(a / 9) / 1.2) ** 2) *
        campaigns.reduce((product, own) => product * chance(a, own), 1),
    );
    const total = weights.reduce((a, b) => a + b);
    const average = (value: (a: number) => number): number =>
      precisions.reduce((sum, a, i) => sum + ((weights[i] as number) / total) * value(a), 0);
    replyRatios(campaigns).forEach(({ ratio, low, high }, i) => {
      const { observed, expected } = campaigns[i] as (typeof campaigns)[number];
      const mean = average((a) => (a + observed) / (a + expected));
      const variance =
        average((a) => ((a + observed) * (a + observed + 1)) / (a + expected) ** 2) - mean * mean;
      expect(ratio).toBeCloseTo(mean, 12);
      const below = (end: number) => incompleteGamma((mean * mean) / variance, (end * mean) / variance).lower;
      expect(below(low)).toBeCloseTo(0.025, 10);
      expect(below(high)).toBeCloseTo(0.975, 10);
    });
  });
  it('replies without any expectation say nothing, and millions of them are no trouble', () => {
    const others = [{ observed: 20, expected: 10 }];
    const [odd, ...rest] = replyRatios([{ observed: 3, expected: 0 }, ...others]);
    expect(odd).toEqual(replyRatios([{ observed: 0, expected: 0 }, ...others])[0]);
    expect(rest).toEqual(replyRatios(others));
    expect(replyRatios([{ observed: 4e6, expected: 2e6 }])[0]?.ratio).toBeCloseTo(2, 3);
  });
  it('a rate is the ratio of what was expected, and none is above one', () => {
    const [ratio] = replyRatios([{ observed: 40, expected: 20 }]);
    if (!ratio) throw new Error('no ratio');
    const rate = campaignRate(ratio, 0.05);
    expect([rate.value, rate.low, rate.high]).toEqual(
      [ratio.ratio, ratio.low, ratio.high].map((part) => expect.closeTo(0.05 * part, 14) as number),
    );
    const { alpha, beta } = rate.posterior;
    expect(alpha / (alpha + beta)).toBeCloseTo(rate.value, 12);
    // As many replies as the ratio rests on: its mean squared over its variance.
    expect(incompleteGamma(alpha, (ratio.low * alpha) / ratio.ratio).lower).toBeCloseTo(0.025, 10);
    expect(campaignRate(ratio, 0.9)).toMatchObject({ value: 1, high: 1, posterior: { beta: 0.5 } });
  });
  it('the share of own replies is what is expected beside the precision of campaigns', () => {
    const shares = [0, 9, 1e9].map(
      (expected) => replyRatios([{ observed: expected, expected }])[0]?.ownDataShare,
    );
    expect(shares[0]).toBe(0);
    expect(shares[1]).toBeGreaterThan(0.35);
    expect(shares[1]).toBeLessThan(0.6);
    expect(shares[2]).toBeGreaterThan(0.999);
    expect(shares[2]).toBeLessThanOrEqual(1);
  });
  it('what is no campaign among others has the ratio of its own rate, not shrunk', () => {
    const counts = { ...quiet, maturedReplies: 30 };
    const [alone, one] = assessCampaigns([{ ...counts, isOneOfMany: false }, counts]);
    expect(alone?.replyRatio).toEqual(ownRatio(30, 300, 15));
    expect(one?.replyRatio).toEqual(
      replyRatios([counts, counts].map(() => ({ observed: 30, expected: 15 })))[0],
    );
    const { ratio, low, high, shape, ownDataShare } = ownRatio(30, 300, 15);
    expect([ratio, shape, ownDataShare]).toEqual([expect.closeTo((30.5 / 301) * 20, 12), 30.5, 300 / 301]);
    expect([low, high].map((end) => incompleteBeta(end / 20, 30.5, 270.5))).toEqual([
      expect.closeTo(0.025, 10) as number,
      expect.closeTo(0.975, 10) as number,
    ]);
    // The rate that follows is the posterior of the counts.
    const rate = campaignRate(ownRatio(30, 300, 15), 0.05);
    expect([rate.posterior.alpha, rate.posterior.beta]).toEqual([30.5, expect.closeTo(270.5, 9)]);
  });
  it('the guards count half each', () => {
    expect(combinedGuard(30, 12)).toBe(21);
  });
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['events', 'count', (events) => guardEValue(events, 4, 0.03), [5, -1, NaN]],
    ['sends', 'count', (sends) => guardEValue(0, sends, 0.03), [Infinity, -1, NaN]],
    ['a limit', 'probability', (limit) => guardEValue(1, 4, limit), [0, 0.5, 0.6, NaN]],
    ['observed', 'count', (observed) => replyRatios([{ observed, expected: 1 }]), [-1, NaN, Infinity]],
    ['expected', 'count', (expected) => replyRatios([{ observed: 1, expected }]), [-1, NaN, Infinity]],
    [
      'an expected rate',
      'probability',
      (expectedRate) => campaignRate({ ratio: 1, low: 0.5, high: 2, shape: 9 }, expectedRate),
      [0, -1, 1.01, NaN],
    ],
    ['own replies', 'count', (observed) => ownRatio(observed, 4, 1), [5, -1, NaN]],
    ['own sends', 'count', (sends) => ownRatio(0, sends, 1), [0, -1, NaN, Infinity]],
    ['expected of them', 'count', (expected) => ownRatio(1, 4, expected), [0, -1, NaN, Infinity]],
    [
      'matured sends',
      'count',
      (maturedSends) => assessCampaigns([{ ...quiet, maturedSends }]),
      [401, -1, NaN],
    ],
    ['replies', 'count', (maturedReplies) => assessCampaigns([{ ...quiet, maturedReplies }]), [301, -1]],
    ['bounces', 'count', (bounces) => assessCampaigns([{ ...quiet, bounces }]), [401, -1, NaN]],
    ['unsubscribes', 'count', (unsubscribes) => assessCampaigns([{ ...quiet, unsubscribes }]), [401, -1]],
  ])('%s outside their domain: %s', (_name, code, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(expect.objectContaining({ code }));
  });
});
