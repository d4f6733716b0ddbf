import type { Identity, Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { PacedRefusals, type Limiter } from '@outcomes/limits';
import type { Exchange } from '@outcomes/platform';
import { FreeRequests } from './free-requests.service';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const EXHAUSTED = new AppError(
  'RATE_LIMITED',
  {},
  { headers: { 'Retry-After': '60', 'RateLimit-Limit': '100' } },
);

/** A credential of several tenants that acts for one of them, or (without a company) for none yet. */
const callerOf = (companyId?: string) => {
  const identity = { keyId: 'portal', scope: null } as Identity;
  const home =
    companyId === undefined
      ? undefined
      : ({ ...identity, companyId, scope: { companyId } } as unknown as Principal);
  return { identity, home };
};

function counter() {
  let nowMs = NOW;
  const limiter = { consume: jest.fn(async () => undefined as unknown) };
  const refusals = new PacedRefusals();
  jest.spyOn(refusals, 'turn').mockResolvedValue(undefined);
  const free = new FreeRequests(limiter as unknown as Limiter, refusals, { now: () => new Date(nowMs) });
  const count = (companyId?: string) =>
    free.count({ letGo: () => undefined } as Exchange, callerOf(companyId)).then(
      () => 'counted',
      ({ code }: AppError) => code,
    );
  return { count, free, limiter, pass: (ms: number) => (nowMs += ms) };
}

describe('requests that are no calls', () => {
  it('are refused to a tenant whose window is full, and to no other of the same credential', async () => {
    const { count, free, limiter } = counter();
    limiter.consume.mockRejectedValueOnce(EXHAUSTED);
    expect(await count('a')).toBe('RATE_LIMITED');
    // Mutation: remembered by the key, so that one tenant uses up the window of all.
    expect([await count('b'), await count()]).toEqual(['counted', 'counted']);
    expect(free.refusalOf(callerOf('b'))).toBeUndefined();
    expect(free.refusalOf(callerOf())).toBeUndefined();
    expect(free.refusalOf(callerOf('a'))?.headers).toMatchObject({
      'Retry-After': '60',
      'RateLimit-Limit': '100',
    });
  });

  it('are refused from memory until the window ends', async () => {
    const { count, limiter, pass } = counter();
    limiter.consume.mockRejectedValueOnce(EXHAUSTED);
    await count('a');
    pass(59_999);
    expect(await count('a')).toBe('RATE_LIMITED');
    expect(limiter.consume).toHaveBeenCalledTimes(1);
    pass(1);
    expect(await count('a')).toBe('counted');
  });
});
