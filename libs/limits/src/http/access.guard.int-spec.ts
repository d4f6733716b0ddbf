import { Controller, Get, Header, HttpCode, Module, Post, Res } from '@nestjs/common';
import { Caller, Guarded, KeyForm, Public, RequirePermission, type Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { Management } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { waitUntil } from '@outcomes/testing';
import type { Response } from 'express';
import { limitsFixture, type LimitsFixture } from '../../test/limits-fixture';
import { parseInteger, parseIntegerList } from '../../test/structured-fields';
import type { Consumption } from '../limiter/consumption';
import { LimitsModule } from '../limits.module';
import { PacedRefusals } from '../shares/paced-refusals.service';
import { BurstOnly } from './burst-only.decorator';
import { Consumed } from './consumed.decorator';
import { limitUnknownRoutes } from './unknown-route-limits';

function fail(error: Error): never {
  throw error;
}

/** Answers of `waits` that are held back. */
const waiting: (() => void)[] = [];

@Controller()
class ProbeController {
  @Get('data')
  @RequirePermission('analytics_read')
  data(@Caller() caller: Principal) {
    return { companyId: caller.companyId, actor: caller.actor };
  }

  @Get('health')
  @Guarded()
  @BurstOnly()
  health(@Consumed() consumed: Consumption) {
    return { remaining: consumed.remaining };
  }

  @Get('open')
  @Public()
  open() {
    return { open: true };
  }

  @Get('waits')
  @RequirePermission('analytics_read')
  waits() {
    return new Promise<object>((resolve) => waiting.push(() => resolve({})));
  }

  @Get('unchanged')
  @RequirePermission('analytics_read')
  @HttpCode(304)
  unchanged() {
    return undefined;
  }

  @Get('broken')
  @RequirePermission('analytics_read')
  broken() {
    return fail(new Error('a secret detail'));
  }

  @Get('no-data')
  @RequirePermission('analytics_read')
  noData() {
    return fail(new AppError('METRIC_HAS_NO_DATA'));
  }

  @Get('written')
  @RequirePermission('analytics_read')
  @Header('Content-Type', 'text/plain')
  written(@Res() response: Response) {
    return response.writeHead(200).end('by hand');
  }

  @Get('billing')
  @RequirePermission('manage_billing')
  billing() {
    return {};
  }

  @Post('events')
  @RequirePermission('events_write')
  events() {
    return { accepted: 1 };
  }
}

@Module({ imports: [LimitsModule.register({ surface: 'read' })], controllers: [ProbeController] })
class ReadModule {}

@Module({ imports: [LimitsModule.register({ surface: 'ingest' })], controllers: [ProbeController] })
class IngestModule {}

const INTEGER = /^\d+$/;

describe('the access guard', () => {
  let fixture: LimitsFixture;
  let read: string;
  let ingest: string;

  beforeAll(async () => {
    fixture = await limitsFixture();
    read = (await fixture.served(ReadModule, {}, (app) => limitUnknownRoutes(app))).url;
    ingest = (await fixture.served(IngestModule)).url;
  });
  afterAll(() => fixture.stop());

  const call = async (path: string, headers: Record<string, string> = {}, at = read, method = 'GET') => {
    const answer = await fetch(`${at}/${path}`, { method, headers });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text.startsWith('{') ? JSON.parse(text) : text) as Record<string, unknown>,
    };
  };
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  it('lets a valid key in, by either header, and says what is left', async () => {
    const { apiKey, companyId, keyId } = await fixture.newKey();
    const first = await call('data', bearer(apiKey));
    expect(first).toMatchObject({ status: 200, body: { companyId, actor: { type: 'api_key', id: keyId } } });
    expect(first.headers.get('RateLimit-Limit')).toBe('200');
    expect(first.headers.get('RateLimit-Remaining')).toBe('199');
    expect(first.headers.get('RateLimit-Reset')).toMatch(INTEGER);
    expect(first.headers.get('RateLimit-Policy')).toBe('200;w=900');
    expect(first.headers.get('X-Quota-Limit')).toBe('1000');
    expect(first.headers.get('X-Quota-Remaining')).toBe('999');
    expect(first.headers.get('X-Quota-Reset')).toMatch(INTEGER);
    const second = await call('data', { 'X-API-Key': apiKey });
    expect(second.status).toBe(200);
    expect(second.headers.get('X-Quota-Remaining')).toBe('998');
  });

  it('refuses a request without a credential, with the headers of its address', async () => {
    for (const path of ['data', 'health']) {
      const { status, body, headers } = await call(path);
      expect({ status, error: body.error }).toEqual({ status: 401, error: 'missing_token' });
      expect(headers.get('RateLimit-Limit')).toBe('200');
      expect(headers.get('RateLimit-Remaining')).toMatch(INTEGER);
      expect(headers.get('RateLimit-Reset')).toMatch(INTEGER);
      expect(headers.get('RateLimit-Policy')).toBe('200;w=900');
    }
  });

  describe('writes header fields that parse as structured fields', () => {
    const asStructuredFields = (headers: Pick<Headers, 'get'>) => ({
      limit: parseInteger(headers.get('RateLimit-Limit')),
      remaining: parseInteger(headers.get('RateLimit-Remaining')),
      reset: parseInteger(headers.get('RateLimit-Reset')),
      policy: parseIntegerList(headers.get('RateLimit-Policy')),
    });
    const understood = (limit: number) => ({
      limit,
      remaining: expect.any(Number),
      reset: expect.any(Number),
      policy: [{ value: limit, parameters: { w: 900 } }],
    });

    it('on every kind of answer, of a credential and of an address', async () => {
      const { apiKey } = await fixture.newKey({ burstLimit: 7 });
      const spent = await fixture.newKey({ burstLimit: 7, monthlyQuota: 1 });
      const writer = await fixture.newKey({ permissions: ['events_write'], burstLimit: 7 });
      const small = await fixture.served(ReadModule, { TRUSTED_PROXIES: '1', ADDRESS_BURST_LIMIT: '1' });
      const from = { 'X-Forwarded-For': '203.0.113.202' };
      const answers = [
        [7, 200, await call('data', bearer(apiKey))],
        [7, 304, await call('unchanged', bearer(apiKey))],
        [7, 404, await call('no-data', bearer(apiKey))],
        [7, 404, await call('nowhere', bearer(apiKey))],
        [7, 500, await call('broken', bearer(apiKey))],
        [7, 200, await call('health', bearer(apiKey))],
        [7, 200, await call('health', bearer(apiKey))],
        [7, 429, await call('health', bearer(apiKey))],
        [7, 200, await call('data', bearer(spent.apiKey))],
        [7, 429, await call('data', bearer(spent.apiKey))],
        [7, 403, await call('data', bearer(writer.apiKey))],
        [7, 201, await call('events', bearer(writer.apiKey), ingest, 'POST')],
        [1, 401, await call('data', from, small.url)],
        [1, 429, await call('data', from, small.url)],
      ] as const;
      for (const [limit, status, { status: answered, headers }] of answers) {
        const fields = { status: answered, ...asStructuredFields(headers) };
        expect(fields).toEqual({ status, ...understood(limit) });
        expect(parseInteger(headers.get('Retry-After')) !== undefined).toBe(status === 429);
      }
    });

    it.each([
      ['RateLimit-Limit', 'NaN'],
      ['RateLimit-Remaining', '1.5'],
      ['RateLimit-Remaining', '+1'],
      ['RateLimit-Reset', '1e3'],
      ['RateLimit-Reset', '899, 900'],
      ['RateLimit-Reset', '1234567890123456'],
      ['RateLimit-Policy', '7;w=15 minutes'],
      ['RateLimit-Policy', '7;W=900'],
      ['RateLimit-Policy', '7 ;w=900'],
      ['RateLimit-Policy', '7;w=900,'],
      ['RateLimit-Policy', '7;w=899.5'],
      ['RateLimit-Policy', ''],
    ])('and would not with %s: %s', (name, value) => {
      const fields: Record<string, string> = {
        ...{ 'RateLimit-Limit': '7', 'RateLimit-Remaining': '6', 'RateLimit-Reset': '900' },
        'RateLimit-Policy': '7;w=900',
      };
      expect(asStructuredFields({ get: (field) => fields[field] ?? null })).toEqual(understood(7));
      fields[name] = value;
      expect(asStructuredFields({ get: (field) => fields[field] ?? null })).not.toEqual(understood(7));
    });
  });

  it('leaves what is public alone', async () => {
    const { status, headers } = await call('open');
    expect(status).toBe(200);
    expect(headers.get('RateLimit-Limit')).toBeNull();
  });

  it('takes no key from the query string', async () => {
    const { apiKey } = await fixture.newKey();
    for (const name of ['api_key', 'apiKey', 'key', 'token', 'access_token', 'X-API-Key', 'Authorization']) {
      expect(await call(`data?${name}=${apiKey}`)).toMatchObject({
        status: 401,
        body: { error: 'missing_token' },
      });
    }
  });

  it('names the scheme on every 401, whoever writes it', async () => {
    for (const [path, headers] of [
      ['data', {}],
      ['data', bearer('nonsense')],
      ['data?x=1', {}],
      ['data', { Authorization: 'Basic dTpw' }],
    ] as const) {
      const answer = await call(path, headers);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  it('takes an address as it is written, in its case', async () => {
    const { apiKey } = await fixture.newKey();
    expect((await call('DATA', bearer(apiKey))).status).toBe(404);
    expect((await call('data', bearer(apiKey))).status).toBe(200);
  });

  it('refuses a query parameter that the address does not have', async () => {
    const { apiKey } = await fixture.newKey();
    for (const query of ['?x=1', '?__proto__=1', '?constructor=2', '?data=1&x=2']) {
      expect(await call(`data${query}`, bearer(apiKey))).toMatchObject({
        status: 400,
        body: { error: 'INVALID_PARAMETER' },
      });
    }
    expect((await call('data?', bearer(apiKey))).status).toBe(200);
  });

  describe('shares the requests under way by company', () => {
    const released = async (answers: Promise<{ status: number }>[]) => {
      waiting.splice(0).forEach((answer) => answer());
      return (await Promise.all(answers)).map(({ status }) => status);
    };

    it('refuses early and for nothing what is beyond, and lets another company in', async () => {
      const [hog, other] = [await fixture.newKey(), await fixture.newKey()];
      const { url, module } = await fixture.served(ReadModule, { MAX_CONCURRENT_REQUESTS: '4' });
      const wait = ({ apiKey }: { apiKey: string }) => call('waits', bearer(apiKey), url);
      const held = [wait(hog), wait(hog), wait(hog)];
      await waitUntil('three to be under way', () => waiting.length === 3);
      const refused = await wait(hog);
      expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('x-request-id')).toBe(refused.body.requestId);
      // Mutation: no shares. The fourth of the hog takes the last place, and this is refused.
      held.push(wait(other));
      await waitUntil('the other to be under way', () => waiting.length === 4);
      expect((await wait(other)).status).toBe(503);
      expect(await released(held)).toEqual([200, 200, 200, 200]);
      const { registry } = module.get(Management, { strict: false });
      const metrics = await registry.metrics();
      expect(metrics).toMatch(/http_requests_refused_total\{reason="share".*\} 2/);
      expect(metrics).toMatch(/http_requests_under_way\{.*\} 0/);
      // The refused one took nothing from its window, and what has ended makes room again.
      const next = await call('data', bearer(hog.apiKey), url);
      expect([next.status, next.headers.get('ratelimit-remaining')]).toEqual([200, '196']);
    });

    it('has refusals of a company wait for their turn, and counts them among none under way', async () => {
      const [hog, third] = [await fixture.newKey({ burstLimit: 1 }), await fixture.newKey({ burstLimit: 1 })];
      const other = await fixture.newKey();
      const { url, module } = await fixture.served(ReadModule, { MAX_CONCURRENT_REQUESTS: '4' });
      const turns: (() => void)[] = [];
      const turn = jest
        .spyOn(module.get(PacedRefusals, { strict: false }), 'turn')
        .mockImplementation(() => new Promise((resolve) => turns.push(resolve)));
      const ask = ({ apiKey }: { apiKey: string }) => call('data', bearer(apiKey), url);
      expect([(await ask(hog)).status, (await ask(third)).status]).toEqual([200, 200]);
      const refused = [ask(hog), ask(hog), ask(hog)];
      // Mutation: refused at once.
      await waitUntil('three to wait', () => turns.length === 3);
      refused.push(ask(third));
      await waitUntil('a fourth to wait', () => turns.length === 4);
      const payers = [hog, hog, hog, third].map(({ companyId }) => companyId);
      expect(turn.mock.calls.map(([payer]) => payer).toSorted()).toEqual(payers.toSorted());
      // Mutation: they keep their places. There is no room left.
      expect((await ask(other)).status).toBe(200);
      turns.forEach((come) => come());
      expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([429, 429, 429, 429]);
    });

    it('ends a request whose caller has gone', async () => {
      const { apiKey } = await fixture.newKey();
      const { url } = await fixture.served(ReadModule, { MAX_CONCURRENT_REQUESTS: '4' });
      const gone = new AbortController();
      const asked = [1, 2, 3].map(() =>
        fetch(`${url}/waits`, { headers: bearer(apiKey), signal: gone.signal }).catch(() => 'gone'),
      );
      await waitUntil('three to be under way', () => waiting.length === 3);
      gone.abort();
      expect(await Promise.all(asked)).toEqual(['gone', 'gone', 'gone']);
      // Mutation: a place is given back with the answer only, which these never get.
      await waitUntil('a place', async () => (await call('data', bearer(apiKey), url)).status === 200);
      waiting.splice(0).forEach((answer) => answer());
    });
  });

  it('refuses two different credentials, and X-API-Key outside the read API', async () => {
    const { apiKey } = await fixture.newKey();
    const other = await fixture.newKey();
    expect(await call('data', { ...bearer(apiKey), 'X-API-Key': other.apiKey })).toMatchObject({
      status: 400,
      body: { error: 'CONFLICTING_CREDENTIALS' },
    });
    expect(await call('events', { 'X-API-Key': apiKey }, ingest, 'POST')).toMatchObject({
      status: 401,
      body: { error: 'missing_token' },
    });
  });

  it('answers 403 where the permission is missing: burst is consumed, the month is not', async () => {
    const { apiKey } = await fixture.newKey({ permissions: ['events_write'], burstLimit: 5 });
    const { status, body, headers } = await call('data', bearer(apiKey));
    expect({ status, error: body.error }).toEqual({ status: 403, error: 'Forbidden' });
    expect(headers.get('RateLimit-Remaining')).toBe('4');
    expect(headers.get('X-Quota-Remaining')).toBe('1000');
  });

  it('answers 403 to every key where a permission of people is asked for', async () => {
    const { apiKey } = await fixture.newKey();
    expect(await call('billing', bearer(apiKey))).toMatchObject({
      status: 403,
      body: { error: 'Forbidden' },
    });
  });

  it('consumes burst only for bad actors and foreign tenants', async () => {
    const { apiKey } = await fixture.newKey({ burstLimit: 5 });
    const actor = await call('data', { ...bearer(apiKey), 'X-Actor-Type': 'robot' });
    expect(actor).toMatchObject({ status: 400, body: { error: 'INVALID_ACTOR' } });
    const foreign = await fixture.newKey();
    const tenant = await call('data', { ...bearer(apiKey), 'X-Tenant-Id': foreign.companyId });
    expect(tenant).toMatchObject({ status: 403, body: { error: 'Forbidden' } });
    expect(tenant.headers.get('RateLimit-Remaining')).toBe('3');
    expect(tenant.headers.get('X-Quota-Remaining')).toBe('1000');
  });

  it('gives the month back what was not served, on the answer itself and in Redis', async () => {
    const { apiKey } = await fixture.newKey({ monthlyQuota: 10 });
    for (const [path, status] of [
      ['unchanged', 304],
      ['no-data', 404],
      ['broken', 500],
    ] as const) {
      const answer = await call(path, bearer(apiKey));
      expect(answer.status).toBe(status);
      expect(answer.headers.get('X-Quota-Remaining')).toBe('10');
      expect(JSON.stringify(answer.body)).not.toContain('secret detail');
    }
    const { headers } = await call('written', bearer(apiKey));
    expect(headers.get('X-Quota-Remaining')).toBe('9');
    expect(headers.get('RateLimit-Remaining')).toBe('196');
    expect((await call('health', bearer(apiKey))).headers.get('X-Quota-Remaining')).toBe('9');
  });

  it('counts what no handler takes against the burst of a proven key, and leaves the answer 404 or 405', async () => {
    const { apiKey } = await fixture.newKey({ burstLimit: 3 });
    const unknown = await call('nowhere', bearer(apiKey));
    expect(unknown).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect(unknown.headers.get('RateLimit-Remaining')).toBe('2');
    expect(unknown.headers.get('X-Quota-Remaining')).toBe('1000');
    const wrongMethod = await call('data', bearer(apiKey), read, 'DELETE');
    expect(wrongMethod).toMatchObject({ status: 405, body: { error: 'METHOD_NOT_ALLOWED' } });
    expect(wrongMethod.headers.get('Allow')).toBe('GET, HEAD');
    expect(wrongMethod.headers.get('RateLimit-Remaining')).toBe('1');
    expect((await call('data', bearer(apiKey))).headers.get('RateLimit-Remaining')).toBe('0');
    expect(await call('nowhere', bearer(apiKey))).toMatchObject({
      status: 429,
      body: { error: 'RATE_LIMITED' },
    });
    const anonymous = await call('nowhere');
    expect(anonymous).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect(anonymous.headers.get('RateLimit-Limit')).toBe('200');
  });

  it('counts health against the burst alone, and tells the handler what is left', async () => {
    const { apiKey } = await fixture.newKey({ burstLimit: 2, monthlyQuota: 1 });
    await call('data', bearer(apiKey));
    expect(await call('health', bearer(apiKey))).toMatchObject({ status: 200, body: { remaining: 0 } });
    const refused = await call('health', bearer(apiKey));
    expect(refused).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } });
    expect(refused.headers.get('Retry-After')).toMatch(INTEGER);
    expect(refused.headers.get('RateLimit-Remaining')).toBe('0');
  });

  it('tells an exhausted month with its fields at top level', async () => {
    const { apiKey } = await fixture.newKey({ monthlyQuota: 1 });
    await call('data', bearer(apiKey));
    expect(await call('data', bearer(apiKey))).toMatchObject({
      status: 429,
      body: {
        success: false,
        error: 'QUOTA_EXCEEDED',
        quotaLimit: 1,
        currentUsage: 1,
        resetAt: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00\.000Z$/),
      },
    });
  });

  it('counts ingestion apart: no month, a window of its own', async () => {
    const { apiKey } = await fixture.newKey({ burstLimit: 1, monthlyQuota: 1 });
    await call('data', bearer(apiKey));
    const posted = await call('events', bearer(apiKey), ingest, 'POST');
    expect(posted.status).toBe(201);
    expect(posted.headers.get('X-Quota-Remaining')).toBe('0');
    expect((await call('events', bearer(apiKey), ingest, 'POST')).status).toBe(429);
  });

  it('believes no X-Forwarded-For unless a proxy is configured', async () => {
    const counts: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { headers } = await call('data', {
        'X-Forwarded-For': `203.0.113.${n}`,
        'X-Real-IP': `203.0.113.${n}`,
      });
      counts.push(Number(headers.get('RateLimit-Remaining')));
    }
    // Mutation: `trust proxy` on gives each of them a window of its own.
    expect(counts).toEqual([counts[0], (counts[0] ?? 0) - 1, (counts[0] ?? 0) - 2]);
    const behind = (await fixture.served(ReadModule, { TRUSTED_PROXIES: '1' })).url;
    const spoofed = { 'X-Forwarded-For': '198.51.100.1, 203.0.113.7' };
    const first = await call('data', spoofed, behind);
    const second = await call('data', { 'X-Forwarded-For': '198.51.100.2, 203.0.113.7' }, behind);
    expect(Number(second.headers.get('RateLimit-Remaining'))).toBe(
      Number(first.headers.get('RateLimit-Remaining')) - 1,
    );
  });

  it('gives addresses the window that is configured, on routes and beside them', async () => {
    const settings = { TRUSTED_PROXIES: '1', ADDRESS_BURST_LIMIT: '3' };
    const pod = (await fixture.served(ReadModule, settings, (app) => limitUnknownRoutes(app))).url;
    const from = { 'X-Forwarded-For': '203.0.113.201' };
    const first = await call('data', from, pod);
    expect(first.headers.get('RateLimit-Policy')).toBe('3;w=900');
    expect((await call('nothing-here', from, pod)).headers.get('RateLimit-Remaining')).toBe('1');
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await call('data', from, pod)).status);
    // Mutation: a limit that stands in the code lets all three through to their 401.
    expect(statuses).toEqual([401, 429, 429]);
  });

  it('refuses an address over its window, but no valid key behind it', async () => {
    const { apiKey } = await fixture.newKey();
    const pod = (await fixture.served(ReadModule, { TRUSTED_PROXIES: '1' })).url;
    const from = { 'X-Forwarded-For': '203.0.113.200' };
    const codes = new Map<unknown, number>();
    for (let n = 0; n < 210; n += 1) {
      const { body } = await call('data', from, pod);
      codes.set(body.error, (codes.get(body.error) ?? 0) + 1);
    }
    expect(Object.fromEntries(codes)).toEqual({ missing_token: 200, RATE_LIMITED: 10 });
    expect((await call('data', from, pod)).headers.get('Retry-After')).toMatch(INTEGER);
    expect((await call('data', { ...from, ...bearer(apiKey) }, pod)).status).toBe(200);
  });

  const PLACES: [string, string, string][] = [
    ['addresses of one IPv6 network', '2001:db8:7:2::1', '2001:db8:7:2:ffff::9'],
    ['an IPv4 address and the same as IPv6', '203.0.113.150', '::ffff:203.0.113.150'],
    ['ports of one address', '203.0.113.151:1000', '203.0.113.151:2000'],
  ];

  it.each(PLACES)('takes %s for one sender: window, throttle and lock', async (_what, one, other) => {
    const { apiKey, keyId } = await fixture.newKey();
    const pod = (await fixture.served(ReadModule, { TRUSTED_PROXIES: '1' })).url;
    const from = (ip: string, token?: string) =>
      call('data', { 'X-Forwarded-For': ip, ...(token !== undefined && bearer(token)) }, pod);
    const left = async (ip: string) => Number((await from(ip)).headers.get('RateLimit-Remaining'));
    const before = await left(one);
    expect(await left(other)).toBe(before - 1);
    expect((await from(one, apiKey)).status).toBe(200);
    const wrong = new KeyForm('svc').format(keyId, 'x'.repeat(32));
    const statuses: unknown[] = [];
    for (const ip of [one, other, one, other, one, other]) statuses.push((await from(ip, wrong)).status);
    // Mutation: addresses as they are written. Then five more are let try.
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    // A locked key is still let in from the address that used the right secret, however that is written.
    const lock = `UPDATE api_keys SET locked_until = now() + interval '1 hour' WHERE key_id = $1`;
    const locked = await fixture.newKey();
    expect((await from(one, locked.apiKey)).status).toBe(200);
    await fixture.database.query(lock, [locked.keyId]);
    fixture.clock.advance(11_000);
    const fresh = (await fixture.served(ReadModule, { TRUSTED_PROXIES: '1' })).url;
    const unlock = (ip: string) => call('data', { 'X-Forwarded-For': ip, ...bearer(locked.apiKey) }, fresh);
    expect((await unlock('198.51.100.77')).body.reason).toBe('TOKEN_LOCKED');
    expect((await unlock(other)).status).toBe(200);
  });

  it('asks the database next to nothing for the made-up keys of an address over its window', async () => {
    const settings = { TRUSTED_PROXIES: '1', ADDRESS_BURST_LIMIT: '3' };
    const { url, module } = await fixture.served(ReadModule, settings);
    const known = await fixture.newKey();
    const find = jest.spyOn(module.get(TenantDatabase, { strict: false }), 'unscoped');
    const from = { 'X-Forwarded-For': '203.0.113.160' };
    await call('data', { ...from, ...bearer(known.apiKey) }, url);
    const form = new KeyForm('svc');
    const codes: unknown[] = [];
    const began = performance.now();
    for (let n = 0; n < 60; n += 1) {
      codes.push((await call('data', { ...from, ...bearer(form.generate().apiKey) }, url)).body.error);
    }
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBe(57);
    // Mutation: the directory is asked first, 60 times at once. Three were within the window, five a second are looked up.
    const allowed = 5 * (1 + (performance.now() - began) / 1_000);
    expect(find.mock.calls.length).toBeLessThanOrEqual(1 + 3 + allowed);
    // Keys that are known here, and those that are not, still get in.
    fixture.clock.advance(11_000);
    expect((await call('data', { ...from, ...bearer(known.apiKey) }, url)).status).toBe(200);
    const unknown = await fixture.newKey();
    const entered = async () =>
      (await call('data', { ...from, ...bearer(unknown.apiKey) }, url)).status === 200;
    await waitUntil('an unknown key to be let in', entered);
  });
});
