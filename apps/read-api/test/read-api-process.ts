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

export interface ReadApiProcess {
  readonly database: TestDatabase;
  readonly tenant: Tenant;
  readonly baseUrl: string;
  /** Another company with a key of its own. */
  addTenant(options?: { permissions?: readonly Permission[]; burstLimit?: number }): Promise<Tenant>;
  /** GET unless told otherwise, with the first tenant's key unless told otherwise. */
  request(path: string, options?: { method?: string; headers?: Record<string, string> }): Promise<Answer>;
  as(tenant: Tenant, path: string): Promise<Answer>;
  plantSnapshot(companyId: string, document: string, value: unknown): Promise<void>;
  /** A settled message of the first tenant; `outcome` is the index into OUTCOMES. */
  plantTouch(touch: { campaignId: string; recipientId: string; outcome?: number }): Promise<void>;
  output(): string;
  stop(): Promise<void>;
}

/** Every answer that a test gets is held against the committed description. */
const check = answerCheck(join(__dirname, '../openapi.json'));

/** The built service as a process of its own, on a database and a Redis prefix of its own. */
export async function startReadApi(
  environment: Record<string, string> = {},
  /** Changes the way to Postgres, e.g. through a proxy. */
  wayTo: (databaseUrl: string) => Promise<string> | string = (databaseUrl) => databaseUrl,
): Promise<ReadApiProcess> {
  const database = await createTestDatabase(migrateDatabase);
  const service = await startServiceProcess(ENTRY, {
    DATABASE_URL: await wayTo(await database.loginAs('outcomes_reader')),
    REDIS_URL: testRedisUrl(),
    REDIS_PREFIX: testRedisPrefix(),
    STAGE: 'test',
    REGION: 'here',
    ...environment,
  });
  const addTenant: ReadApiProcess['addTenant'] = (options = {}) => plantTenant(database, options);
  const tenant = await addTenant();
  const baseUrl = `http://127.0.0.1:${service.port}/v1`;
  const request: ReadApiProcess['request'] = (path, options = {}) =>
    checkedRequest(baseUrl, path, { headers: bearer(tenant), ...options });
  return {
    database,
    tenant,
    baseUrl,
    addTenant,
    request,
    as: (other, path) => request(path, { headers: bearer(other) }),
    plantSnapshot: (companyId, document, value) => plantSnapshot(database, companyId, document, value),
    async plantTouch({ campaignId, recipientId, outcome = 0 }) {
      const touchId = randomUUID();
      await database.query(
        `INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time,
          sent_at, outcome_at, recipient_id, thread_id, campaign_id)
        SELECT $1, gen_random_uuid(), $5, 0, 0, $4, true, at, at, $3, 't', $2
        FROM (SELECT now() - interval '20 days' AS at) sent`,
        [tenant.companyId, campaignId, recipientId, outcome, touchId],
      );
      await database.query(
        `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
          streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id)
        SELECT $1, $5, 0, 0, 4, 0.9, $4, true, at::date, at, at, '{}', $3, 't', $2
        FROM (SELECT now() - interval '20 days' AS at) sent`,
        [tenant.companyId, campaignId, recipientId, outcome, touchId],
      );
    },
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
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> },
): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}`, { method, headers });
  const text = await response.text();
  const { status } = response;
  const { pathname } = new URL(response.url);
  check(method, pathname, { status, headers: response.headers, text });
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

export async function plantSnapshot(
  database: Pick<TestDatabase, 'query'>,
  companyId: string,
  document: string,
  value: unknown,
) {
  const body = JSON.stringify(value);
  await database.query(
    `INSERT INTO snapshots (company_id, document, run_id, data_as_of, updated_at, etag, body)
      VALUES ($1, $2, $3, now(), now(), $4, $5)`,
    [companyId, document, randomUUID(), createHash('sha256').update(body).digest('base64url'), body],
  );
}
