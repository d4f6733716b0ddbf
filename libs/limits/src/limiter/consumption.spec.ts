import {
  addressExceeded,
  addressHeaders,
  burstExceeded,
  burstHeaders,
  quotaExceeded,
  quotaHeaders,
  type Consumption,
} from './consumption';
import { monthOf } from './month';

/** 3 of 200 in the window and 990 of 1,000 in December 2026 are used. */
const state: Consumption = {
  limit: 200,
  remaining: 197,
  resetSeconds: 870,
  policy: '200;w=900',
  quotaLimit: 1_000,
  quotaUsed: 990,
  quotaResetSeconds: 86_400,
  month: monthOf(new Date('2026-12-31')),
};
const burst = {
  'RateLimit-Limit': '200',
  'RateLimit-Remaining': '197',
  'RateLimit-Reset': '870',
  'RateLimit-Policy': '200;w=900',
};
const quota = { 'X-Quota-Limit': '1000', 'X-Quota-Remaining': '10', 'X-Quota-Reset': '86400' };

describe('what a caller is told of its limits', () => {
  it('is the window and the month, in fields of their own', () => {
    expect(burstHeaders(state)).toEqual(burst);
    expect(quotaHeaders(state)).toEqual(quota);
  });

  it.each([
    [0, '1000'],
    [999, '1'],
    [1_000, '0'],
    // The quota of a key can be lowered within the month.
    [1_001, '0'],
  ])('is never less than nothing: of 1,000 with %d used are left %s', (quotaUsed, left) => {
    expect(quotaHeaders({ ...state, quotaUsed })).toMatchObject({ 'X-Quota-Remaining': left });
  });

  it('names both limits in a refusal, and when to try again: the end of the limit that refused', () => {
    const { code, status, headers } = burstExceeded(state);
    expect({ code, status, headers }).toEqual({
      code: 'RATE_LIMITED',
      status: 429,
      headers: { ...burst, ...quota, 'Retry-After': '870' },
    });
    const refused = quotaExceeded({ ...state, quotaUsed: 1_000 });
    expect({ code: refused.code, status: refused.status, ...refused.fields }).toEqual({
      ...{ code: 'QUOTA_EXCEEDED', status: 429 },
      ...{ quotaLimit: 1_000, currentUsage: 1_000, resetAt: '2027-01-01T00:00:00.000Z' },
    });
    expect(refused.headers).toEqual({
      ...burst,
      ...quota,
      'X-Quota-Remaining': '0',
      'Retry-After': '86400',
    });
  });

  it.each([
    [1, '4'],
    [5, '0'],
    [9, '0'],
  ])('is the window of its address where it has no key: of 5 after %d are left %s', (hits, left) => {
    const told = {
      'RateLimit-Limit': '5',
      'RateLimit-Remaining': left,
      'RateLimit-Reset': '60',
      'RateLimit-Policy': '5;w=900',
    };
    expect(addressHeaders(5, hits, 60)).toEqual(told);
    const { code, headers } = addressExceeded(5, hits, 60);
    expect({ code, headers }).toEqual({ code: 'RATE_LIMITED', headers: { ...told, 'Retry-After': '60' } });
  });
});
