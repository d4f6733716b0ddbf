import type { Principal } from '@outcomes/auth';
import type { Consumption } from '../limiter/consumption';
import { keyAlerts } from './key-alerts';

const now = new Date('2026-03-01T12:00:00Z');

describe('the alerts of a key', () => {
  it.each([
    [899, null, []],
    // From nine tenths of the month.
    [900, null, ['quota_nearly_exhausted']],
    [1_200, null, ['quota_nearly_exhausted']],
    // In the last fourteen days.
    [0, '2026-03-15T12:00:00.001Z', []],
    [0, '2026-03-15T12:00:00.000Z', ['key_expires_soon']],
    [0, '2026-03-01T11:00:00.000Z', ['key_expires_soon']],
    [900, '2026-03-02T00:00:00.000Z', ['quota_nearly_exhausted', 'key_expires_soon']],
  ])('at %d of 1,000 requests, where it expires at %p, are %j', (quotaUsed, expiresAt, alerts) => {
    const principal = { expiresAt: expiresAt === null ? null : new Date(expiresAt) } as Principal;
    expect(keyAlerts(principal, { quotaLimit: 1_000, quotaUsed } as Consumption, now)).toEqual(alerts);
  });
});
