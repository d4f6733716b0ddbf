import { randomUUID } from 'node:crypto';
import {
  plantTenant,
  sharedService,
  type Answer,
  type AttachedDatabase,
  type RequestParts,
  type Tenant,
  type TenantOptions,
} from '@outcomes/testing';
import type { Endpoint } from './every-endpoint/endpoints';
import { checkedRequest, expectError, KEYS } from './ingest-api-process';

const PERMISSIONS = ['analytics_read', 'events_write', 'events_delete'] as const;

interface Scene {
  readonly endpoint: Endpoint;
  /** Another company with a key of its own. */
  tenant(options?: TenantOptions): Promise<Tenant>;
  /** The request of the endpoint with some parts changed. */
  ask(parts: RequestParts): Promise<Answer>;
}

/** What is alike at every endpoint. */
export const SCENES = {
  401: async ({ ask, tenant }: Scene) => {
    const { apiKey } = await tenant();
    const nobody = await ask({ headers: { 'X-API-Key': apiKey } });
    expectError(nobody, 401, 'missing_token');
    expect(nobody.headers.get('ratelimit-policy')).toBeTruthy();
    expectError(await ask({ headers: { Authorization: `Bearer ${randomUUID()}` } }), 401, 'invalid_token');
    const mistyped = await ask({ headers: { Authorization: `Bearer ${apiKey.slice(0, -1)}x` } });
    expectError(mistyped, 401, 'self_serve_auth_failed');
    expect(mistyped.body.reason).toBe('INVALID_FORMAT');
  },
  403: async ({ ask, tenant, endpoint: { permission } }: Scene) => {
    const others = PERMISSIONS.filter((held) => held !== permission);
    expectError(await ask({ as: await tenant({ permissions: others }) }), 403, 'Forbidden');
    expect((await ask({ as: await tenant({ permissions: [permission] }) })).status).not.toBe(403);
    const [as, other] = [await tenant(), await tenant()];
    expectError(await ask({ as, headers: { 'X-Tenant-Id': other.companyId } }), 403, 'Forbidden');
  },
  405: async ({ ask, tenant, endpoint }: Scene) => {
    const refused = await ask({ as: await tenant(), method: 'PATCH' });
    expectError(refused, 405, 'METHOD_NOT_ALLOWED');
    expect(refused.headers.get('allow')).toContain(endpoint.name.split(' ')[0]);
  },
  429: async ({ ask, tenant }: Scene) => {
    const as = await tenant({ burst: 1 });
    expect((await ask({ as })).status).not.toBe(429);
    const refused = await ask({ as });
    expectError(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  },
  431: async ({ ask, tenant }: Scene) => {
    const refused = await ask({ as: await tenant(), headers: { 'X-Long': 'a'.repeat(17_000) } });
    expectError(refused, 431, 'HEADERS_TOO_LARGE');
  },
  500: async ({ endpoint: { path, parts } }: Scene) => {
    const { baseUrl, tenant } = sharedService('ingest-api', 'broken');
    const failed = await checkedRequest(baseUrl, path, { ...parts, as: tenant });
    expectError(failed, 500, 'INTERNAL_ERROR');
    expect(failed.text).not.toMatch(/api_keys|relation|postgres|42P01/i);
  },
  503: async ({ endpoint: { path, parts } }: Scene) => {
    const { baseUrl, tenant } = sharedService('ingest-api', 'away');
    const failed = await checkedRequest(baseUrl, path, { ...parts, as: tenant });
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
  const { path, parts } = endpoint;
  return SCENES[status]({
    endpoint,
    tenant: (options) => plantTenant(database, KEYS, options),
    ask: (changed) =>
      checkedRequest(sharedService('ingest-api').baseUrl, path, {
        ...parts,
        ...changed,
        headers: { ...parts.headers, ...changed.headers },
      }),
  });
}
