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
  ])('with %s are refused, and no value is repeated', (_what, json) => {
    const result = BootstrapCredentials.parse(json);
    expect(result).toHaveProperty('faults');
    expect(JSON.stringify(result)).not.toContain('0'.repeat(64));
  });
});
