import { assessCampaigns, type CampaignCounts, guardEValue, replyRatios } from '.';

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
    [{ bounces: 23 }, 'watch', ['bounce_rate_suspicious', 'replies_as_expected']],
    [{ fall: { value: 0.024, low: 0.018, high: 0.031 } }, 'watch', ['replies_fell', 'replies_as_expected']],
  ])('%j is %s', (counts, status, codes) => {
    expect(statusOf(counts)).toEqual({ status, codes });
  });
  it('every reason carries its number inside its interval', () => {
    for (const { value, low, high } of assessCampaigns([{ ...quiet, bounces: 40 }])[0]?.reasons ?? []) {
      expect(low).toBeLessThanOrEqual(value);
      expect(value).toBeLessThanOrEqual(high);
    }
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
  it.each([
    [() => guardEValue(5, 4, 0.03), 'count'],
    [() => guardEValue(1, 4, 0.6), 'probability'],
    [() => replyRatios([{ observed: NaN, expected: 1 }]), 'count'],
    [() => assessCampaigns([{ ...quiet, maturedSends: 401 }]), 'count'],
  ])('refuses bad counts', (run, code) => {
    expect(run).toThrow(expect.objectContaining({ code }));
  });
});
