import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@outcomes/contracts';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import type { TenantDirectory } from '../bootstrap/tenant-directory.service';
import { AccessTokens } from './access-tokens.service';

const COMPANY = '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77';
const ISSUER = 'https://login.example.com';
const AUDIENCE = 'https://mcp.example.com/mcp';
const NOW = new Date('2026-05-01T12:00:00Z');
const seconds = (offset: number) => Math.floor(NOW.getTime() / 1_000) + offset;

/** Key sets as they could be published: an issuer's own, and what an issuer must not be able to do to us. */
describe('access tokens', () => {
  let server: Server;
  let address: string;
  let keys: { publicKey: CryptoKey; privateKey: CryptoKey };
  let asked = 0;
  let now = NOW;

  beforeAll(async () => {
    keys = await generateKeyPair('ES256');
    const published = JSON.stringify({
      keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }],
    });
    server = createServer((request, response) => {
      asked += 1;
      if (request.url === '/large') return response.end(`{"keys":[${' '.repeat(300_000)}]}`);
      if (request.url === '/away') return response.writeHead(500).end();
      if (request.url === '/elsewhere') return response.writeHead(302, { Location: '/jwks' }).end();
      if (request.url === '/silent') return;
      response.end(published);
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = 0;
    now = NOW;
  });

  const tokens = (path = '/jwks') =>
    new AccessTokens(
      { now: () => now },
      { exists: async (id: string) => id === COMPANY } as unknown as TenantDirectory,
      {
        ...{ issuer: ISSUER, audience: AUDIENCE, jwksUrl: `${address}${path}` },
        ...{ tenantClaim: 'tenant_id', readScope: 'outcomes:read' },
      },
    );
  const signed = (
    claims: Record<string, unknown> = {},
    header: { alg?: string; kid?: string } = {},
    key: CryptoKey | Uint8Array = keys.privateKey,
  ) =>
    new SignJWT({
      ...{ iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: seconds(300), iat: seconds(0) },
      ...{ client_id: 'agent', tenant_id: COMPANY, scope: 'other outcomes:read', ...claims },
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header })
      .sign(key);
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'none',
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );

  it('are an identity for one company, with what their scopes give', async () => {
    const taken = tokens();
    const text = await signed();
    expect(taken.getCached(text)).toBeUndefined();
    expect(await taken.prove(text)).toMatchObject({
      ...{
        kind: 'access_token',
        scope: { companyId: COMPANY },
        permissions: ['analytics_read'],
        tenants: [],
      },
    });
    expect(taken.getCached(text)).toMatchObject({ kind: 'access_token' });
    expect((await tokens().prove(await signed({ scope: 'other' }))).permissions).toEqual([]);
    expect(
      (await tokens().prove(await signed({ scope: undefined, scp: ['outcomes:read'] }))).permissions,
    ).toEqual(['analytics_read']);
  });

  it('count by client and company, whoever of its people they are for', async () => {
    const idOf = async (claims: object) => (await tokens().prove(await signed({ ...claims }))).keyId;
    const first = await idOf({ sub: 'ada' });
    expect(await idOf({ sub: 'bob' })).toBe(first);
    expect(await idOf({ client_id: 'other' })).not.toBe(first);
    expect(first).not.toContain('agent');
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another resource', { aud: 'https://elsewhere.example.com' }],
    ['no resource', { aud: undefined }],
    ['what is over', { exp: seconds(-31) }],
    ['no end', { exp: undefined }],
    ['what has not begun', { nbf: seconds(31) }],
    ['nobody', { sub: undefined }],
  ])('of %s are refused', async (_what, claims) => {
    expect(await refusal(tokens().prove(await signed(claims)))).toBe('invalid_token');
  });

  it('of a clock that is half a minute off are taken', async () => {
    expect(await refusal(tokens().prove(await signed({ exp: seconds(-29) })))).toBe('none');
    expect(await refusal(tokens().prove(await signed({ nbf: seconds(29) })))).toBe('none');
  });

  it.each([undefined, '', 'acme', '99999999-9999-4999-8999-999999999999', [COMPANY], COMPANY.toUpperCase()])(
    'for the company %j are Forbidden',
    async (tenant_id) => {
      expect(await refusal(tokens().prove(await signed({ tenant_id })))).toBe('Forbidden');
    },
  );

  it('that are signed by somebody else, by the public key, or by nobody are refused', async () => {
    const other = await generateKeyPair('ES256');
    expect(await refusal(tokens().prove(await signed({}, {}, other.privateKey)))).toBe('invalid_token');
    const secret = Buffer.from(JSON.stringify(await exportJWK(keys.publicKey)));
    expect(await refusal(tokens().prove(await signed({}, { alg: 'HS256' }, secret)))).toBe('invalid_token');
    const [, payload] = (await signed()).split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.AA`;
    expect(await refusal(tokens().prove(none))).toBe('invalid_token');
  });

  it('are believed for a minute and not beyond their end', async () => {
    const taken = tokens();
    const [long, short] = [await signed(), await signed({ exp: seconds(10) })];
    await taken.prove(long);
    await taken.prove(short);
    const after = (ms: number) => {
      now = new Date(NOW.getTime() + ms);
      return [long, short].map((text) => taken.getCached(text) !== undefined);
    };
    expect(after(39_000)).toEqual([true, true]);
    expect(after(41_000)).toEqual([true, false]);
    expect(after(61_000)).toEqual([false, false]);
  });

  it('have the keys fetched once, also where 50 name a key that is not there', async () => {
    const taken = tokens();
    await taken.prove(await signed());
    const unknown = await signed({}, { kid: 'k2' });
    await Promise.all(Array.from({ length: 50 }, () => refusal(taken.prove(unknown))));
    expect(asked).toBe(1);
  });

  it.each(['/away', '/large', '/elsewhere', '/silent'])(
    'are SERVICE_UNAVAILABLE where the keys cannot be had: %s',
    async (path) => {
      expect(await refusal(tokens(path).prove(await signed()))).toBe('SERVICE_UNAVAILABLE');
    },
    10_000,
  );

  it('are none where no issuer is configured', async () => {
    const none = new AccessTokens({ now: () => now }, {} as TenantDirectory);
    expect(none.claims(await signed())).toBe(false);
    expect(none.getCached(await signed())).toBeUndefined();
  });

  it.each(['', 'a.b', 'a.b.c.d', 'svc_x', `a.${'b'.repeat(12_289)}.c`])('are not %j', (text) =>
    expect(tokens().claims(text)).toBe(false),
  );
});
