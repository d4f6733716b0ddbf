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
  let published: object[];
  let asked = 0;
  let now = NOW;
  let isAway = false;

  beforeAll(async () => {
    keys = await generateKeyPair('ES256');
    published = [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }];
    server = createServer((request, response) => {
      asked += 1;
      const set = JSON.stringify({ keys: published });
      if (request.url === '/full') return response.end(set.padEnd(256 * 1_024));
      if (request.url === '/too-large') return response.end(set.padEnd(256 * 1_024 + 1));
      if (request.url === '/no-set') return response.end('{"keys":"none"}');
      if (request.url === '/no-json') return response.end('<html></html>');
      if (request.url === '/empty') return response.writeHead(204).end();
      if (request.url === '/away' || isAway) return response.writeHead(500).end(set);
      if (request.url === '/elsewhere') return response.writeHead(302, { Location: '/jwks' }).end();
      if (request.url === '/silent') return;
      response.end(set);
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
    isAway = false;
  });

  const settings = (path = '/jwks') => ({
    ...{ issuer: ISSUER, audience: AUDIENCE, jwksUrl: `${address}${path}` },
    ...{ tenantClaim: 'tenant_id', readScope: 'outcomes:read' },
  });
  const tokens = (
    path?: string,
    exists = (id: string) => Promise.resolve(id === COMPANY),
    remembers = (id: string): boolean => id === COMPANY,
  ) =>
    new AccessTokens({ now: () => now }, { exists, remembers } as unknown as TenantDirectory, settings(path));
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

  it('have the limits of a key that has none of its own, and nobody to be told of their end', async () => {
    expect(await tokens().prove(await signed())).toMatchObject({
      ...{ burstLimit: 200, ingestBurstLimit: 2_000, monthlyQuota: 1_000, expiresAt: null },
      bounds: { purpose: null, tools: null },
    });
  });

  it.each([
    [{ scope: 'outcomes:reader' }, []],
    [{ scope: 'other,outcomes:read' }, []],
    [{ scope: undefined }, []],
    [{ scope: 7, scp: ['outcomes:read'] }, []],
    [{ scope: undefined, scp: 'other outcomes:read' }, ['analytics_read']],
  ])('with %j may do %j', async (claims, permissions) => {
    expect((await tokens().prove(await signed(claims))).permissions).toEqual(permissions);
  });

  it('count by client and company, whoever of its people they are for', async () => {
    const idOf = async (claims: object) => (await tokens().prove(await signed({ ...claims }))).keyId;
    const first = await idOf({ sub: 'ada' });
    expect(await idOf({ sub: 'bob' })).toBe(first);
    expect(await idOf({ client_id: 'other' })).not.toBe(first);
    expect(first).not.toContain('agent');
    // Some issuers name the client in azp; where nobody does, it is whom the token is for.
    const byParty = await idOf({ client_id: undefined, azp: 'agent' });
    expect(byParty).toBe(first);
    const [ada, bob] = await Promise.all(['ada', 'bob'].map((sub) => idOf({ client_id: undefined, sub })));
    expect(new Set([first, ada, bob]).size).toBe(3);
    // A client that is called like a person is not that person.
    expect(await idOf({ client_id: 'ada' })).not.toBe(ada);
    const other = '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a78';
    const elsewhere = await tokens('/jwks', () => Promise.resolve(true)).prove(
      await signed({ tenant_id: other }),
    );
    expect(elsewhere.keyId).not.toBe(first);
    expect(first).toMatch(/^oauth-[0-9a-f]{26}$/);
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

  it('are told from keys of ours in what a refusal says', async () => {
    await expect(tokens().prove(await signed({ sub: undefined }))).rejects.toThrow('access token');
    await expect(tokens().prove(await signed({ tenant_id: 'acme' }))).rejects.toThrow('access token');
  });

  it('are believed no longer than their company, and are none once that is deleted', async () => {
    const companies = new Set([COMPANY]);
    let isRemembered = true;
    const taken = tokens(
      '/jwks',
      (id) => Promise.resolve(companies.has(id)),
      (id) => isRemembered && companies.has(id),
    );
    const text = await signed();
    await taken.prove(text);
    isRemembered = false;
    expect(taken.getCached(text)).toBeUndefined();
    expect(await refusal(taken.prove(text))).toBe('none');
    companies.clear();
    expect(await refusal(taken.prove(text))).toBe('Forbidden');
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
    expect(after(39_999)).toEqual([true, true]);
    expect(after(40_000)).toEqual([true, false]);
    expect(after(59_999)).toEqual([true, false]);
    expect(after(60_000)).toEqual([false, false]);
  });

  it.each([[[COMPANY]], `${COMPANY}0`, `0${COMPANY}`, COMPANY.replace('-', ''), COMPANY.replace('0', 'g')])(
    'look up no company by what is no UUID: %s',
    async (tenant_id) => {
      const exists = jest.fn(() => Promise.resolve(true));
      expect(await refusal(tokens('/jwks', exists).prove(await signed({ tenant_id })))).toBe('Forbidden');
      expect(exists).not.toHaveBeenCalled();
    },
  );

  it.each(['RS256', 'PS256', 'EdDSA'])('can be signed with %s', async (alg) => {
    const own = await generateKeyPair(alg);
    published.push({ ...(await exportJWK(own.publicKey)), kid: alg, alg });
    const text = await signed({}, { alg, kid: alg }, own.privateKey);
    expect(await refusal(tokens().prove(text))).toBe('none');
  });

  it('have the keys fetched once, also where 50 name a key that is not there', async () => {
    const taken = tokens();
    await taken.prove(await signed());
    const unknown = await signed({}, { kid: 'k2' });
    const refusals = await Promise.all(Array.from({ length: 50 }, () => refusal(taken.prove(unknown))));
    expect(new Set(refusals)).toEqual(new Set(['invalid_token']));
    expect(asked).toBe(1);
  });

  it('have the keys fetched again for an unknown key each half minute, and for a known one after ten', async () => {
    const taken = tokens();
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now');
    /** Which question that was, for a token that nobody knows yet. */
    const questionsAfter = async (seconds: number, kid: string) => {
      clock.mockReturnValue(start + seconds * 1_000);
      await refusal(taken.prove(await signed({ sub: `${seconds}` }, { kid })));
      return asked;
    };
    expect(await questionsAfter(0, 'k1')).toBe(1);
    expect(await questionsAfter(29, 'k2')).toBe(1);
    expect(await questionsAfter(31, 'k2')).toBe(2);
    expect(await questionsAfter(31 + 599, 'k1')).toBe(2);
    expect(await questionsAfter(31 + 601, 'k1')).toBe(3);
    jest.restoreAllMocks();
  });

  describe('while the issuer is away', () => {
    const start = Date.now();
    let clock: jest.SpiedFunction<typeof Date.now>;
    const at = (seconds: number) => clock.mockReturnValue(start + seconds * 1_000);
    beforeEach(() => {
      clock = jest.spyOn(Date, 'now');
      at(0);
    });
    afterEach(() => clock.mockRestore());

    it('have its keys asked for once in five seconds, until they were had, however many tokens are made up', async () => {
      isAway = true;
      const taken = tokens();
      for (let n = 0; n < 20; n += 1) expect(await refusal(taken.prove(`a.b.${n}`))).not.toBe('none');
      for (let n = 0; n < 20; n += 1)
        expect(await refusal(taken.prove(await signed({ sub: `${n}` })))).toBe('SERVICE_UNAVAILABLE');
      expect(asked).toBe(1);
      at(4.9);
      expect(await refusal(taken.prove(await signed()))).toBe('SERVICE_UNAVAILABLE');
      expect(asked).toBe(1);
      isAway = false;
      at(5);
      expect(await refusal(taken.prove(await signed()))).toBe('none');
      expect(asked).toBe(2);
    });

    it('have them asked for once in half a minute later, and those that are there are used meanwhile', async () => {
      const taken = tokens();
      await taken.prove(await signed());
      isAway = true;
      at(31);
      const unknown = await signed({}, { kid: 'k2' });
      for (let n = 0; n < 20; n += 1) expect(await refusal(taken.prove(unknown))).toBe('SERVICE_UNAVAILABLE');
      expect(asked).toBe(2);
      expect(await refusal(taken.prove(await signed({ sub: 'bob' })))).toBe('none');
      at(601);
      for (let n = 0; n < 20; n += 1)
        expect(await refusal(taken.prove(await signed({ sub: `${n}` })))).toBe('SERVICE_UNAVAILABLE');
      expect(asked).toBe(3);
      isAway = false;
      at(632);
      expect(await refusal(taken.prove(await signed({ sub: 'cem' })))).toBe('none');
      expect(asked).toBe(4);
    });

    it('are believed for their minute, though their company has to be looked up again', async () => {
      const companies = new Set([COMPANY]);
      const taken = tokens(
        '/jwks',
        (id) => Promise.resolve(companies.has(id)),
        () => false,
      );
      const text = await signed();
      await taken.prove(text);
      isAway = true;
      at(601);
      expect(await refusal(taken.prove(text))).toBe('none');
      companies.clear();
      expect(await refusal(taken.prove(text))).toBe('Forbidden');
      now = new Date(NOW.getTime() + 60_000);
      expect(await refusal(taken.prove(text))).toBe('SERVICE_UNAVAILABLE');
    });
  });

  it('are taken with a key set of 256 KiB', async () => {
    expect(await refusal(tokens('/full').prove(await signed()))).toBe('none');
  });

  it.each(['/away', '/too-large', '/elsewhere', '/no-set', '/no-json', '/empty', '/silent'])(
    'are SERVICE_UNAVAILABLE where the keys cannot be had: %s',
    async (path) => {
      await expect(tokens(path).prove(await signed())).rejects.toMatchObject({
        ...{ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '2' } },
      });
    },
    10_000,
  );

  it('are none where no issuer is configured', async () => {
    const none = new AccessTokens({ now: () => now }, {} as TenantDirectory);
    expect(none.claims(await signed())).toBe(false);
    expect(none.getCached(await signed())).toBeUndefined();
    expect(await refusal(none.prove(await signed()))).toBe('invalid_token');
  });

  const [header, payload, signature] = ['a'.repeat(4_096), 'b'.repeat(12_288), '_'.repeat(2_048)];
  it('are three parts of base64url, of a bounded length', () => {
    expect(tokens().claims(`${header}.${payload}.${signature}`)).toBe(true);
    expect(tokens().claims('a.b.-')).toBe(true);
  });

  it.each([
    ...[
      '',
      'a.b',
      'a.b.c.d',
      'a..c',
      '.b.c',
      'a.b.',
      'svc_x',
      'a.b.c\n',
      ' a.b.c',
      'a+.b.c',
      'a.b=.c',
      'a.b.c/',
    ],
    ...[`a${header}.b.c`, `a.b${payload}.c`, `a.b.c${signature}`],
  ])('are not %j', (text) => expect(tokens().claims(text)).toBe(false));
});
