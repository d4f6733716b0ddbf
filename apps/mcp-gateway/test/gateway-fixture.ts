import { KeyForm } from '@outcomes/auth';
import { createTestDatabase, Installation, type Answer } from '@outcomes/testing';
import { expectPromises } from './result-promises';

export const BOTH_TYPES = 'application/json, text/event-stream';

/** The built gateway as a process of its own, over a database and a Redis prefix of its own. */
export class GatewayFixture extends Installation {
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<GatewayFixture> {
    const keys = { form: new KeyForm(environment.KEY_PREFIX ?? 'svc'), permissions: ['analytics_read'] };
    const database = await createTestDatabase();
    const gateway = new GatewayFixture(database, { keys, environment });
    await gateway.start('mcp-gateway');
    return gateway;
  }

  get url(): string {
    return `${this.service('mcp-gateway').url}/mcp`;
  }

  /** What operators read of it. */
  metrics(): Promise<string> {
    return this.service('mcp-gateway').metrics();
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
