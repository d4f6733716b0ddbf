import { randomUUID } from 'node:crypto';
import {
  bearer,
  plantTenant,
  sharedService,
  type Answer,
  type AttachedDatabase,
  type Tenant,
  type TenantOptions,
} from '@outcomes/testing';
import { queryParametersOf, valuesOf } from './description';
import { TONE_ANALYSIS } from './documents';
import { exampleOf, type Endpoint } from './endpoints';
import { expectError } from './envelope';
import { plantSnapshot } from './planted-rows';
import { checkedRequest, KEYS } from './read-api-process';

type Headers = Record<string, string>;

interface Scene {
  readonly path: string;
  readonly endpoint: Endpoint;
  /** Another company with a key of its own, and an analysis of tone. */
  tenant(options?: TenantOptions): Promise<Tenant>;
  ask(headers: Headers, path?: string, method?: string): Promise<Answer>;
}

/** What is alike at every endpoint. */
export const SCENES = {
  304: async ({ ask, tenant }: Scene) => {
    const key = bearer(await tenant());
    const first = await ask(key);
    const second = await ask({ ...key, 'If-None-Match': first.headers.get('etag') ?? '' });
    expect([first.status, second.status, second.text]).toEqual([200, 304, '']);
    expect(second.headers.get('x-quota-remaining')).toBe(first.headers.get('x-quota-remaining'));
  },
  400: async ({ ask, tenant, path, endpoint }: Scene) => {
    const key = bearer(await tenant());
    expectError(await ask({ ...key, 'X-Actor-Type': 'robot', 'X-Actor-Id': 'r' }), 400, 'INVALID_ACTOR');
    expectError(await ask({ ...key, 'X-API-Key': 'another' }), 400, 'CONFLICTING_CREDENTIALS');
    for (const { name, schema } of queryParametersOf(endpoint)) {
      const { right, wrong } = valuesOf(schema);
      for (const value of right) expect((await ask(key, `${path}?${name}=${value}`)).status).toBe(200);
      for (const value of wrong) {
        const refused = await ask(key, `${path}?${name}=${value}`);
        expectError(refused, 400, 'INVALID_PARAMETER');
        expect(refused.body.parameter).toBe(name);
      }
    }
  },
  401: async ({ ask, tenant }: Scene) => {
    expectError(await ask({}), 401, 'missing_token');
    expectError(await ask({ Authorization: `Bearer ${randomUUID()}` }), 401, 'invalid_token');
    const broken = await ask({ 'X-API-Key': `${(await tenant()).apiKey.slice(0, -1)}x` });
    expectError(broken, 401, 'self_serve_auth_failed');
    expect(broken.body.reason).toBe('INVALID_FORMAT');
  },
  403: async ({ ask, tenant, endpoint }: Scene) => {
    const other = await tenant();
    const key = bearer(await tenant());
    expectError(await ask({ ...key, 'X-Tenant-Id': other.companyId }), 403, 'Forbidden');
    const writer = bearer(await tenant({ permissions: ['events_write'] }));
    if (endpoint === '/health') expect((await ask(writer)).status).toBe(200);
    else expectError(await ask(writer), 403, 'Forbidden');
  },
  405: async ({ ask, tenant, path }: Scene) => {
    const refused = await ask(bearer(await tenant()), path, 'POST');
    expectError(refused, 405, 'METHOD_NOT_ALLOWED');
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
  },
  429: async ({ ask, tenant }: Scene) => {
    const key = bearer(await tenant({ burst: 1 }));
    const [first, second] = [await ask(key), await ask(key)];
    expect(first.status).toBe(200);
    expectError(second, 429, 'RATE_LIMITED');
    expect(second.headers.get('x-quota-remaining')).toBe(first.headers.get('x-quota-remaining'));
  },
  431: async ({ ask, tenant, path }: Scene) => {
    const key = bearer(await tenant());
    for (const refused of [
      await ask(key, `${path}?cursor=${'a'.repeat(17_000)}`),
      await ask({ ...key, 'X-Long': 'a'.repeat(17_000) }),
    ]) {
      expectError(refused, 431, 'HEADERS_TOO_LARGE');
    }
  },
  500: async ({ path }: Scene) => {
    const { baseUrl, tenant } = sharedService('read-api', 'broken');
    const failed = await checkedRequest(baseUrl, path, { headers: bearer(tenant) });
    expectError(failed, 500, 'INTERNAL_ERROR');
    expect(failed.text).not.toMatch(/api_keys|relation|postgres|42P01/i);
  },
  503: async ({ path }: Scene) => {
    const { baseUrl, tenant } = sharedService('read-api', 'away');
    const failed = await checkedRequest(baseUrl, path, { headers: bearer(tenant) });
    expectError(failed, 503, 'SERVICE_UNAVAILABLE');
    expect(failed.text).not.toMatch(/postgres|ECONN|127\.0\.0\.1/i);
  },
} as const;

export type SharedStatus = keyof typeof SCENES;

/** Plays the scene of a status at an endpoint. @param database - of the shared services */
export function expectStatus(
  database: AttachedDatabase,
  endpoint: Endpoint,
  status: SharedStatus,
): Promise<void> {
  const path = exampleOf(endpoint);
  return SCENES[status]({
    path,
    endpoint,
    async tenant(options) {
      const tenant = await plantTenant(database, KEYS, options);
      await plantSnapshot(database, tenant.companyId, 'analysis/tone_analysis', TONE_ANALYSIS);
      return tenant;
    },
    ask: (headers, asked = path, method = 'GET') =>
      checkedRequest(sharedService('read-api').baseUrl, asked, { method, headers }),
  });
}
