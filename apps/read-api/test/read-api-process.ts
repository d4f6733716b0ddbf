import { join } from 'node:path';
import { KeyForm } from '@outcomes/auth/key-form';
import {
  bearer,
  createTestDatabase,
  describedApi,
  Installation,
  type InstallationOptions,
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

/** The built service as a process of its own, on a database and a Redis prefix of its own, with a first tenant. */
export async function startReadApi({ environment, databaseUrl }: InstallationOptions = {}) {
  const database = await createTestDatabase();
  const settings = { STAGE: 'test', REGION: 'here', ...environment };
  const installation = new Installation(database, { keys: KEYS, environment: settings, databaseUrl });
  const baseUrl = `${(await installation.start('read-api')).url}/v1`;
  const tenant = await installation.addTenant();
  /** With the first tenant's key unless headers are given. */
  const request = (path: string, parts: RequestParts = {}) =>
    checkedRequest(baseUrl, path, { headers: bearer(tenant), ...parts });
  return Object.assign(installation, {
    ...{ tenant, baseUrl, request },
    as: (other: Tenant, path: string) => request(path, { headers: bearer(other) }),
    plantSnapshot: (companyId: string, document: string, value: unknown) =>
      plantSnapshot(database, companyId, document, value),
    plantTouch: (touch: PlantedTouch) => plantTouch(database, tenant.companyId, touch),
  });
}
