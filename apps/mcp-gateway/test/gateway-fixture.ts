import { KeyForm } from '@outcomes/auth/key-form';
import {
  createTestDatabase,
  Installation,
  joinSharedService,
  type Answer,
  type JoinedService,
  type KeyMaking,
} from '@outcomes/testing';
import { expectPromises } from './result-promises';

export const BOTH_TYPES = 'application/json, text/event-stream';

const keysOf = (prefix: string): KeyMaking => ({
  form: new KeyForm(prefix),
  permissions: ['analytics_read'],
});

export type GatewayProcess = Awaited<ReturnType<typeof startGateway>>;
export type SharedGateway = Awaited<ReturnType<typeof shareGateway>>;

/**
 * The built gateway as a process of its own, over a database and a Redis prefix of its own.
 * @param pods - as that of InstallationOptions
 */
export async function startGateway(environment: Readonly<Record<string, string>> = {}, pods?: number) {
  const database = await createTestDatabase();
  const installation = new Installation(database, {
    keys: keysOf(environment.KEY_PREFIX ?? 'svc'),
    ...{ environment, pods },
  });
  const { url, port, metrics } = await installation.start('mcp-gateway');
  return withRequests(Object.assign(installation, { baseUrl: url, port, metrics }));
}

/** The built gateway that other suites use too. */
export async function shareGateway() {
  return withRequests(await joinSharedService('mcp-gateway', keysOf('svc')));
}

function withRequests<Service extends Pick<JoinedService, 'baseUrl' | 'database'>>(service: Service) {
  const url = `${service.baseUrl}/mcp`;
  /** A raw HTTP request to /mcp; headers given as undefined are left out. */
  const http = async (
    credential: string | undefined,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    headers: Readonly<Record<string, string | undefined>> = {},
    method = 'POST',
    query = '',
  ): Promise<Answer> => {
    const all = {
      Authorization: credential && `Bearer ${credential}`,
      Accept: BOTH_TYPES,
      'Content-Type': 'application/json',
      ...headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await fetch(`${url}${query}`, { method, headers: sent, body });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: bodyOf(text) };
  };
  const rpc = (credential: string, method: string, params?: unknown, id: unknown = 1): Promise<Answer> =>
    http(credential, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return Object.assign(service, {
    ...{ url, http, rpc },
    /** Calls a tool, and holds the answer against what every answer promises. */
    async call(credential: string, name: unknown, given?: unknown): Promise<Answer> {
      const answer = await rpc(credential, 'tools/call', { name, arguments: given });
      expectPromises(name, given, answer);
      return answer;
    },
    /** Audit rows of a company, oldest first. */
    auditRows: (companyId: string) =>
      service.database.query<Record<string, unknown>>(
        `SELECT tool, status, error_type, key_id, actor_type, actor_id, requested_company_id, latency_ms,
            encode(input_sha256, 'hex') AS input, encode(output_sha256, 'hex') AS output, request_id
          FROM audit_log WHERE company_id = $1 ORDER BY sequence`,
        [companyId],
      ),
  });
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
