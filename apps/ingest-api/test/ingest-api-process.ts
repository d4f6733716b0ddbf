import { join } from 'node:path';
import { KeyForm } from '@outcomes/auth/key-form';
import {
  createTestDatabase,
  describedApi,
  Installation,
  type InstallationOptions,
  type KeyMaking,
  type RequestParts,
} from '@outcomes/testing';

export * from './ingest-requests';

export const KEYS: KeyMaking = {
  form: new KeyForm('svc'),
  permissions: ['analytics_read', 'events_write', 'events_delete'],
};
/** Every answer that a test gets is held against the committed description. */
export const { check, request: checkedRequest } = describedApi(join(__dirname, '../openapi.json'), 'POST');

export type IngestApiProcess = Awaited<ReturnType<typeof startIngestApi>>;

/** The built service as a process of its own, on a database and a Redis prefix of its own, with a first tenant. */
export async function startIngestApi(options: InstallationOptions = {}) {
  const database = await createTestDatabase();
  const installation = new Installation(database, { keys: KEYS, ...options });
  const service = await installation.start('ingest-api');
  // Tests that poll must not meet the limits that other tests are about.
  const tenant = await installation.addTenant({ burst: 100_000 });
  /** With the first tenant's key unless `as` says whose, null for nobody's. */
  const request = (path: string, parts: RequestParts = {}) =>
    checkedRequest(service.url, path, { ...parts, as: parts.as === undefined ? tenant : parts.as });
  const post = (path: string, type: string, body: string | Buffer, parts: RequestParts = {}) =>
    request(path, { body, ...parts, headers: { 'Content-Type': type, ...parts.headers } });
  return Object.assign(installation, {
    ...{ tenant, request, port: service.port, baseUrl: service.url, metrics: service.metrics },
    /** POST /ingest/events with a document. */
    postEvents: (document: unknown, parts?: RequestParts) =>
      post('/ingest/events', 'application/json', JSON.stringify(document), parts),
    postCsv: (text: string | Buffer, parts?: RequestParts) => post('/ingest/csv', 'text/csv', text, parts),
    events: ({ companyId } = tenant) =>
      database.query('SELECT * FROM outcome_events WHERE company_id = $1 ORDER BY recipient_id', [companyId]),
  });
}
