import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KeyForm } from '@outcomes/auth';
import type { Permission } from '@outcomes/contracts';
import { migrateDatabase } from '@outcomes/persistence';
import {
  answerCheck,
  createTestDatabase,
  startServiceProcess,
  testRedisPrefix,
  testRedisUrl,
  type TestDatabase,
} from '@outcomes/testing';

const ENTRY = join(__dirname, '../dist/main.js');

export * from './ingest-requests';

export interface Tenant {
  readonly companyId: string;
  readonly apiKey: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where there is none. */
  readonly body: ReturnType<JSON['parse']>;
}

export interface RequestParts {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** Whose key; the first tenant's unless told otherwise, nobody's for null. */
  readonly as?: Tenant | null;
}

export interface IngestApiProcess {
  readonly database: TestDatabase;
  readonly tenant: Tenant;
  readonly port: number;
  readonly baseUrl: string;
  addTenant(options?: { permissions?: readonly Permission[]; burstLimit?: number }): Promise<Tenant>;
  request(path: string, parts?: RequestParts): Promise<Answer>;
  /** POST /ingest/events with a document. */
  postEvents(document: unknown, parts?: RequestParts): Promise<Answer>;
  postCsv(text: string | Buffer, parts?: RequestParts): Promise<Answer>;
  events(tenant?: Tenant): Promise<Record<string, unknown>[]>;
  /** What Prometheus would read. */
  metrics(): Promise<string>;
  output(): string;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly environment?: Record<string, string>;
  /** Changes the way to Postgres, e.g. through a proxy. */
  readonly databaseUrl?: (url: string) => Promise<string> | string;
}

/** Every answer that a test gets is held against the committed description. */
export const check = answerCheck(join(__dirname, '../openapi.json'));

/** The built service as a process of its own, on a database and a Redis prefix of its own. */
export async function startIngestApi(options: StartOptions = {}): Promise<IngestApiProcess> {
  const database = await createTestDatabase(migrateDatabase);
  const login = await database.loginAs('outcomes_ingest');
  const service = await startServiceProcess(ENTRY, {
    DATABASE_URL: (await options.databaseUrl?.(login)) ?? login,
    REDIS_URL: testRedisUrl(),
    REDIS_PREFIX: testRedisPrefix(),
    ...options.environment,
  });
  const addTenant: IngestApiProcess['addTenant'] = (tenantOptions = {}) =>
    plantTenant(database, tenantOptions);
  // Tests that poll must not meet the limits that other tests are about.
  const tenant = await addTenant({ burstLimit: 100_000 });
  const baseUrl = `http://127.0.0.1:${service.port}`;
  const request: IngestApiProcess['request'] = (path, parts = {}) =>
    checkedRequest(baseUrl, path, { ...parts, as: parts.as === null ? null : (parts.as ?? tenant) });
  return {
    database,
    tenant,
    port: service.port,
    baseUrl,
    addTenant,
    request,
    postEvents: (document, parts = {}) =>
      request('/ingest/events', {
        body: JSON.stringify(document),
        ...parts,
        headers: { 'Content-Type': 'application/json', ...parts.headers },
      }),
    postCsv: (text, parts = {}) =>
      request('/ingest/csv', {
        body: text,
        ...parts,
        headers: { 'Content-Type': 'text/csv', ...parts.headers },
      }),
    events: ({ companyId } = tenant) =>
      database.query('SELECT * FROM outcome_events WHERE company_id = $1 ORDER BY recipient_id', [companyId]),
    metrics: () => service.metrics(),
    output: () => service.output(),
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}

/** A request whose answer is what the description says, or the test fails. */
export async function checkedRequest(
  baseUrl: string,
  path: string,
  { method = 'POST', headers = {}, body, as = null }: RequestParts,
): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...(as && bearer(as)), ...headers },
    ...(body !== undefined && { body: new Uint8Array(Buffer.from(body as string)) }),
  });
  const text = await response.text();
  const { status } = response;
  check(method, new URL(response.url).pathname, { status, headers: response.headers, text });
  return { status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}

export function bearer({ apiKey }: Tenant): Record<string, string> {
  return { Authorization: `Bearer ${apiKey}` };
}

export async function plantTenant(
  database: Pick<TestDatabase, 'query'>,
  {
    permissions = ['analytics_read', 'events_write', 'events_delete'],
    burstLimit,
  }: { permissions?: readonly Permission[]; burstLimit?: number },
): Promise<Tenant> {
  const companyId = randomUUID();
  const { keyId, secret, apiKey } = new KeyForm('svc').generate();
  await database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [companyId, 'A company']);
  await database.query(
    `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, burst_limit, expires_at)
      VALUES ($1, $2, $3, $4, $5, now() + interval '90 days')`,
    [companyId, keyId, createHash('sha256').update(secret).digest(), permissions, burstLimit ?? null],
  );
  return { companyId, apiKey };
}
