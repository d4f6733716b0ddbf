import { join } from 'node:path';
import { KeyForm } from '@outcomes/auth/key-form';
import {
  bearer,
  createTestDatabase,
  describedApi,
  Installation,
  joinSharedService,
  type InstallationOptions,
  type JoinedService,
  type KeyMaking,
  type RequestParts,
  type Tenant,
} from '@outcomes/testing';
import { plantSnapshot, plantTouch, type PlantedTouch } from './planted-rows';

export const KEYS: KeyMaking = {
  form: new KeyForm('svc'),
  permissions: ['analytics_read', 'events_write', 'events_delete'],
};
/** Every answer that a test gets is held against the committed description. */
export const { request: checkedRequest } = describedApi(join(__dirname, '../openapi.json'), 'GET');

export type ReadApiProcess = Awaited<ReturnType<typeof startReadApi>>;
export type SharedReadApi = Awaited<ReturnType<typeof shareReadApi>>;

/** The built service as a process of its own, on a database and a Redis prefix of its own, with a first tenant. */
export async function startReadApi({ environment, databaseUrl }: InstallationOptions = {}) {
  const database = await createTestDatabase();
  const settings = { STAGE: 'test', REGION: 'here', ...environment };
  const installation = new Installation(database, { keys: KEYS, environment: settings, databaseUrl });
  const { url } = await installation.start('read-api');
  return withRequests(Object.assign(installation, { baseUrl: `${url}/v1` }));
}

/** The built service that is well, which other suites use too, with a first tenant that no other suite knows. */
export async function shareReadApi() {
  return withRequests(await joinSharedService('read-api', KEYS));
}

async function withRequests<Service extends Pick<JoinedService, 'baseUrl' | 'database' | 'addTenant'>>(
  service: Service,
) {
  const tenant = await service.addTenant();
  /** With the first tenant's key unless headers are given. */
  const request = (path: string, parts: RequestParts = {}) =>
    checkedRequest(service.baseUrl, path, { headers: bearer(tenant), ...parts });
  return Object.assign(service, {
    ...{ tenant, request },
    as: (other: Tenant, path: string) => request(path, { headers: bearer(other) }),
    plantSnapshot: (companyId: string, document: string, value: unknown) =>
      plantSnapshot(service.database, companyId, document, value),
    plantTouch: (touch: PlantedTouch) => plantTouch(service.database, tenant.companyId, touch),
  });
}
