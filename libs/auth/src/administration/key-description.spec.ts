import { TOOL_NAMES } from '@outcomes/contracts';
import type { ApiKeyEntity } from '@outcomes/persistence';
import { describeKey, recordedDetails, validatedKey, type NewKey } from './key-description';

const EVERYTHING = ['analytics_read', 'events_write', 'events_delete'];
const NOW = new Date('2026-05-01T12:00:00Z');

const addresses = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n}`);

describe('what a new key may say of itself', () => {
  it('is nothing: it lives for 90 days, and may do everything from everywhere', () => {
    expect(validatedKey({})).toEqual({
      ...{ name: '', purpose: null, permissions: EVERYTHING, tools: null, networks: null },
      ...{ burstLimit: null, monthlyQuota: null, expiresDays: 90 },
    });
  });

  it.each([
    [{ name: 'x'.repeat(100) }],
    // A character is what people take for one, however Unicode stores it.
    [{ name: '\u{1F511}'.repeat(100) }],
    [{ burstLimit: 1, monthlyQuota: 1 }],
    [{ burstLimit: 2_147_483_647, monthlyQuota: 2_147_483_647 }],
    [{ expiresDays: 1 }],
    [{ expiresDays: 90 }],
    [{ permissions: ['events_delete'] }],
    [{ purpose: 'agent', tools: [...TOOL_NAMES] }],
    [{ permissions: ['analytics_read'], tools: ['get_drift_state'] }],
  ] as [NewKey][])('can be %j', (input) => expect(validatedKey(input)).toMatchObject(input));

  it('is said once, where it is said twice', () => {
    expect(
      validatedKey({
        permissions: ['analytics_read', 'analytics_read'],
        tools: ['get_drift_state', 'get_drift_state'],
        networks: ['192.0.2.1', ' 192.0.2.1/32 '],
      }),
    ).toMatchObject({
      ...{ permissions: ['analytics_read'], tools: ['get_drift_state'], networks: ['192.0.2.1/32'] },
    });
    expect(validatedKey({ networks: addresses(20) }).networks).toHaveLength(20);
  });

  it.each([
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: '\u{1F511}'.repeat(101) }, 'name'],
    [{ name: 'x\u0007' }, 'name'],
    ...[0, -1, 1.5, Number.NaN, 2_147_483_648].flatMap((value) => [
      [{ burstLimit: value }, 'burstLimit'],
      [{ monthlyQuota: value }, 'monthlyQuota'],
    ]),
    ...[0, 91, 1.5, Number.NaN].map((expiresDays) => [{ expiresDays }, 'expiresDays']),
    [{ permissions: [] }, 'permissions'],
    [{ purpose: 'agent', permissions: ['events_write'] }, 'permissions'],
    [{ purpose: 'read', permissions: ['analytics_read', 'events_delete'] }, 'permissions'],
    [{ purpose: 'ingest', permissions: ['analytics_read'] }, 'permissions'],
    [{ tools: ['get_drift_state'] }, 'tools'],
    [{ purpose: 'read', tools: ['get_drift_state'] }, 'tools'],
    [{ purpose: 'ingest', tools: ['get_drift_state'] }, 'tools'],
    [{ purpose: 'agent', tools: [] }, 'tools'],
    [{ purpose: 'agent', tools: ['get_drift_state', 'get_everything'] }, 'tools'],
    [{ networks: [] }, 'networks'],
    [{ networks: ['192.0.2.1', '2001:db8::1/128'] }, 'networks'],
    [{ networks: addresses(21) }, 'networks'],
  ] as [NewKey, string][])('cannot be %j', (input, parameter) => {
    expect(() => validatedKey(input)).toThrow(
      expect.objectContaining({
        ...{ code: 'INVALID_PARAMETER', fields: { parameter } },
        message: expect.stringMatching(/^(A key .+ may do|A key that is bound|\w+ (has|is|are|names)) .+\.$/),
      }),
    );
  });

  it('is recorded without its name, which may be personal', () => {
    const key = validatedKey({ name: 'Ada', purpose: 'agent', burstLimit: 7, monthlyQuota: 9 });
    expect(recordedDetails(key, NOW)).toEqual({
      ...{ purpose: 'agent', permissions: ['analytics_read'], tools: null, networks: null },
      ...{ burst: 7, monthly: 9, expires_at: '2026-05-01T12:00:00.000Z' },
    });
  });
});

describe('a key as lists show it', () => {
  const row: ApiKeyEntity = {
    ...{ keyId: 'abcdefghijklmnop', companyId: '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77', name: 'Report' },
    ...{
      purpose: 'read',
      permissions: ['analytics_read'],
      tools: ['get_drift_state'],
      networks: ['192.0.2.0/24'],
    },
    ...{ burstLimit: 7, monthlyQuota: 9, secretSha256: Buffer.alloc(32), lockedUntil: null, revokedAt: null },
    ...{ createdAt: new Date(1), expiresAt: new Date(NOW.getTime() + 1), lastUsedAt: new Date(2) },
  };

  it('has all of it but the hash of its secret and the end of its lock', () => {
    const { secretSha256: _secret, lockedUntil: _lock, ...shown } = row;
    expect(describeKey(row, NOW)).toEqual({ ...shown, state: 'active' });
  });

  const [past, later] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)];
  it.each([
    ['active', {}],
    ['active', { lockedUntil: past }],
    ['active', { lockedUntil: NOW }],
    ['locked', { lockedUntil: later }],
    ['expired', { expiresAt: NOW }],
    ['expired', { expiresAt: past, lockedUntil: later }],
    ['revoked', { revokedAt: past }],
    ['revoked', { revokedAt: past, expiresAt: past, lockedUntil: later }],
  ])('is %s with %j', (state, change) => expect(describeKey({ ...row, ...change }, NOW).state).toBe(state));
});
