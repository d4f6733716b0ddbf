import { randomUUID } from 'node:crypto';
import { BootstrapCredentials, createBootstrapCredential } from './bootstrap-credentials';

const company = randomUUID();

function created(input: Parameters<typeof createBootstrapCredential>[0]) {
  const result = createBootstrapCredential(input);
  if ('faults' in result) throw new Error(result.faults.join());
  return result;
}

function parsed(json: string): BootstrapCredentials {
  const credentials = BootstrapCredentials.parse(json);
  if (credentials instanceof BootstrapCredentials) return credentials;
  throw new Error(credentials.faults.join());
}

describe('bootstrap credentials', () => {
  it('are found by their token once they are configured, with what was asked for', () => {
    const operations = created({ id: 'operations', tenants: '*' });
    const partner = created({ id: 'partner', tenants: [company], permissions: ['events_write'] });
    const credentials = parsed(`[${operations.config},${partner.config}]`);
    expect(credentials.find(operations.token)).toMatchObject({
      keyId: 'operations',
      tenants: '*',
      scope: null,
    });
    expect(credentials.find(partner.token)).toMatchObject({
      keyId: 'partner',
      tenants: [company],
      permissions: ['events_write'],
    });
    expect(credentials.find(`${partner.token}x`)).toBeUndefined();
  });

  it('do not begin like a self-serve key', () => {
    expect(created({ id: 'a', tenants: '*' }).token).toMatch(/^bootstrap-[0-9A-Za-z]{43}$/);
  });

  it('are stored as hashes only', () => {
    const { token, config } = created({ id: 'a', tenants: '*' });
    expect(config).not.toContain(token.slice('bootstrap-'.length));
  });

  const valid = { id: 'a', sha256: '0'.repeat(64), tenants: '*' };
  it.each([
    ['no JSON', 'nonsense'],
    ['no list', '{}'],
    ['an unknown field', JSON.stringify([{ ...valid, secret: 'x' }])],
    ['a short hash', JSON.stringify([{ ...valid, sha256: 'ab' }])],
    ['an id in the form of a key id', JSON.stringify([{ ...valid, id: 'abcdefghijklmnop' }])],
    ['no tenants', JSON.stringify([{ ...valid, tenants: [] }])],
    ['a tenant that is no UUID', JSON.stringify([{ ...valid, tenants: ['acme'] }])],
    ['an unknown permission', JSON.stringify([{ ...valid, permissions: ['everything'] }])],
    ['the same id twice', JSON.stringify([valid, valid])],
    ...['', '-a', 'A', 'a b', 'x'.repeat(65), 'a\n'].map((id) => [
      `the id ${JSON.stringify(id)}`,
      JSON.stringify([{ ...valid, id }]),
    ]),
    ...['A'.repeat(64), `x${valid.sha256}`, `${valid.sha256}0`].map((sha256) => [
      `the hash ${sha256}`,
      JSON.stringify([{ ...valid, sha256 }]),
    ]),
    ...[0, -1, 1.5].flatMap((limit) => [
      [`a burst limit of ${limit}`, JSON.stringify([{ ...valid, burst: limit }])],
      [`a quota of ${limit}`, JSON.stringify([{ ...valid, monthly: limit }])],
    ]),
  ])('with %s are refused, and no value is repeated', (_what, json) => {
    const result = BootstrapCredentials.parse(json);
    expect(result).toHaveProperty('faults');
    expect(JSON.stringify(result)).not.toContain('0'.repeat(64));
  });

  it('say where they are wrong, in the configuration and when they are made', () => {
    const faults = [expect.stringMatching(/^1\.sha256: ./), expect.stringMatching(/^1\.tenants: ./)];
    const wrong = { ...valid, id: 'b', sha256: 'ab', tenants: [] };
    expect(BootstrapCredentials.parse(JSON.stringify([valid, wrong]))).toEqual({ faults });
    expect(BootstrapCredentials.parse(JSON.stringify([valid, valid]))).toEqual({
      faults: [': ids must differ'],
    });
    const made = createBootstrapCredential({ id: 'abcdefghijklmnop', tenants: '*' });
    expect(made).toEqual({ faults: [expect.stringMatching(/^id: must not have the form of a key id/)] });
  });

  it.each(['a', '0', 'a.b_c-d', 'x'.repeat(64), 'abcdefghijklmno'])('can have the id %s', (id) => {
    expect(parsed(JSON.stringify([{ ...valid, id }])).find('x')).toBeUndefined();
  });

  it('have the limits of a key unless they have their own, and may do everything unless they may do less', () => {
    const identityOf = (change: object) => {
      const { token, config } = created({ id: 'a', tenants: [company.toUpperCase()] });
      const { permissions: _all, ...entry } = JSON.parse(config) as Record<string, unknown>;
      return parsed(JSON.stringify([{ ...entry, ...change }])).find(token);
    };
    expect(identityOf({})).toEqual({
      ...{ kind: 'bootstrap', keyId: 'a', scope: null, tenants: [company], expiresAt: null },
      permissions: ['analytics_read', 'events_write', 'events_delete'],
      bounds: { purpose: null, tools: null },
      ...{ burstLimit: 200, ingestBurstLimit: 2_000, monthlyQuota: 1_000 },
    });
    expect(identityOf({ burst: 1, monthly: 1 })).toMatchObject({
      ...{ burstLimit: 1, ingestBurstLimit: 1, monthlyQuota: 1 },
    });
  });
});
