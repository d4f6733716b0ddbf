import { randomUUID } from 'node:crypto';
import { fitHyper, type ArmCounts } from '@outcomes/statistics';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import type { LentPrior, LentPriorRepository } from './lent-prior.repository';
import { MARKET_PRIOR, PlatformPrior } from './platform-prior.service';

const SCOPE = mintTenantScope(randomUUID());
const NOW = new Date('2026-06-01T02:00:00Z');
const ENOUGH: readonly ArmCounts[] = [
  { n: 150, y: 3 },
  { n: 50, y: 2 },
];
const lender = (mean = 0.25): LentPrior => ({ mean, concentration: 40, weight: 1_000 });

/** What others lend, and what becomes of what the company itself does. */
function platform(others: readonly LentPrior[] = [], takesPart = true) {
  const asked: unknown[] = [];
  const repository = {
    takesPart: async () => takesPart,
    lend: async (_scope: unknown, lent: LentPrior, at: Date) => void asked.push({ lent, at }),
    withdraw: async () => void asked.push('withdrawn'),
    ofOthers: async () => others,
  } as unknown as LentPriorRepository;
  return { prior: new PlatformPrior(repository, { now: () => NOW }), asked };
}

describe('what a company lends', () => {
  it('is the mean and the concentration of its arms, rounded, from 200 messages and 5 replies on', async () => {
    const { prior, asked } = platform();
    expect(await prior.exchange(SCOPE, ENOUGH)).toBe(MARKET_PRIOR);
    const { mu, k } = fitHyper([...ENOUGH]);
    const lent = { mean: Number(mu.toPrecision(6)), concentration: Number(k.toPrecision(6)), weight: 200 };
    expect(asked).toEqual([{ lent, at: NOW }]);
  });

  it.each([
    ['fewer messages', [{ n: 199.9, y: 20 }]],
    ['fewer replies', [{ n: 2_000, y: 4 }]],
    ['no arms', []],
  ] as const)('is nothing with %s: what it lent before is withdrawn', async (_what, arms) => {
    const { prior, asked } = platform();
    await prior.exchange(SCOPE, arms);
    expect(asked).toEqual(['withdrawn']);
  });

  it('is weighed in whole messages', async () => {
    const { prior, asked } = platform();
    await prior.exchange(SCOPE, [{ n: 300.6, y: 12 }]);
    expect(asked).toMatchObject([{ lent: { weight: 301 } }]);
  });

  it('is nothing where it has opted out, and then it borrows nothing', async () => {
    const { prior, asked } = platform(
      Array.from({ length: 30 }, () => lender()),
      false,
    );
    expect(await prior.exchange(SCOPE, ENOUGH)).toBe(MARKET_PRIOR);
    expect(asked).toEqual(['withdrawn']);
    expect(await prior.borrow(SCOPE)).toBe(MARKET_PRIOR);
  });
});

describe('what a company borrows', () => {
  it('is what twenty others have in common, in steps of a tenth', async () => {
    const { prior, asked } = platform(Array.from({ length: 20 }, (_, i) => lender(0.2 + 0.005 * i)));
    const { hyperprior, source } = await prior.borrow(SCOPE);
    expect(source).toBe('platform');
    expect(asked).toEqual([]);
    for (const value of Object.values(hyperprior) as number[]) {
      expect(10 * value).toBeCloseTo(Math.round(10 * value), 9);
      expect(value).not.toBe(0);
    }
    expect(hyperprior.logitMean).toBeCloseTo(-1.1, 9);
    expect(hyperprior.logKMean).toBeCloseTo(3.7, 9);
    expect((await prior.exchange(SCOPE, ENOUGH)).hyperprior).toEqual(hyperprior);
  });

  it('is the market where fewer lend', async () => {
    expect(await platform(Array.from({ length: 19 }, () => lender())).prior.borrow(SCOPE)).toBe(MARKET_PRIOR);
  });
});
