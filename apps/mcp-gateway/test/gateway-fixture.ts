import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KeyForm } from '@outcomes/auth';
import { DAY_MS } from '@outcomes/contracts';
import { migrateDatabase } from '@outcomes/persistence';
import {
  createTestDatabase,
  startServiceProcess,
  testRedisPrefix,
  testRedisUrl,
  type ServiceProcess,
  type TestDatabase,
} from '@outcomes/testing';
import { expectPromises } from './result-promises';

const ENTRY = join(__dirname, '../dist/main.js');

export const BOTH_TYPES = 'application/json, text/event-stream';

export interface Tenant {
  readonly companyId: string;
  readonly keyId: string;
  readonly apiKey: string;
}

export interface KeyOptions {
  readonly burst?: number;
  readonly monthly?: number;
  readonly expiresInDays?: number;
  readonly permissions?: readonly string[];
  readonly bounds?: { readonly purpose: string; readonly tools?: readonly string[] };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON-RPC message or error body. */
  // eslint rules for tests leave bodies untyped.
  readonly body: ReturnType<typeof JSON.parse>;
}

/** The built gateway as a process of its own, over a database and a Redis prefix of its own. */
export class GatewayFixture {
  private constructor(
    readonly database: TestDatabase,
    readonly service: ServiceProcess,
    private readonly keys: KeyForm,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<GatewayFixture> {
    const database = await createTestDatabase(migrateDatabase);
    const service = await startServiceProcess(ENTRY, {
      DATABASE_URL: await database.loginAs('outcomes_reader'),
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: testRedisPrefix(),
      ...environment,
    });
    return new GatewayFixture(database, service, new KeyForm(environment.KEY_PREFIX ?? 'svc'));
  }

  get url(): string {
    return `http://127.0.0.1:${this.service.port}/mcp`;
  }

  /** What operators read of it. */
  metrics(): Promise<string> {
    return this.service.metrics();
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.database.drop();
  }

  async tenant(name: string, options: KeyOptions = {}): Promise<Tenant> {
    const companyId = randomUUID();
    await this.database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [companyId, name]);
    return { companyId, ...(await this.key(companyId, options)) };
  }

  async key(companyId: string, options: KeyOptions = {}): Promise<{ keyId: string; apiKey: string }> {
    const { keyId, secret, apiKey } = this.keys.generate();
    await this.database.query(
      `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, burst_limit, monthly_quota, expires_at,
          purpose, tools)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[companyId, keyId, createHash('sha256').update(secret).digest()],
        options.permissions ?? ['analytics_read'],
        options.burst ?? null,
        options.monthly ?? null,
        new Date(Date.now() + (options.expiresInDays ?? 60) * DAY_MS),
        ...[options.bounds?.purpose, options.bounds?.tools],
      ],
    );
    return { keyId, apiKey };
  }

  /** A raw HTTP request to /mcp; headers given as undefined are left out. */
  async http(
    credential: string | undefined,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    headers: Readonly<Record<string, string | undefined>> = {},
    method = 'POST',
  ): Promise<Answer> {
    const all = {
      Authorization: credential && `Bearer ${credential}`,
      Accept: BOTH_TYPES,
      'Content-Type': 'application/json',
      ...headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await fetch(this.url, { method, headers: sent, body });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: bodyOf(text) };
  }

  async rpc(credential: string, method: string, params?: unknown, id: unknown = 1): Promise<Answer> {
    return this.http(credential, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  /** Calls a tool, and holds the answer against what every answer promises. */
  async call(credential: string, name: unknown, given?: unknown): Promise<Answer> {
    const answer = await this.rpc(credential, 'tools/call', { name, arguments: given });
    expectPromises(name, given, answer);
    return answer;
  }

  /** Audit rows of the whole database, oldest first. */
  async auditRows(companyId: string): Promise<Record<string, unknown>[]> {
    return this.database.query(
      `SELECT tool, status, error_type, key_id, actor_type, actor_id, requested_company_id, latency_ms,
          encode(input_sha256, 'hex') AS input, encode(output_sha256, 'hex') AS output, request_id
        FROM audit_log WHERE company_id = $1 ORDER BY sequence`,
      [companyId],
    );
  }
}

/** The document in the text of a tool result. */
export function documentOf(answer: Answer): ReturnType<typeof JSON.parse> {
  return JSON.parse(answer.body.result.content[0].text);
}

function bodyOf(text: string): ReturnType<typeof JSON.parse> {
  const [, data] = /^event: message\ndata: (.*)\n\n$/.exec(text) ?? [];
  const json = data ?? text;
  return json.startsWith('{') ? JSON.parse(json) : undefined;
}
