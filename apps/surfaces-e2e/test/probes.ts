import { TOOL_NAMES } from '@outcomes/contracts';
import { rpc, type Request } from './exchange';
import { ingestProbes } from './ingest-probes';
import { call, completion, get, HEADERS } from './surface-requests';

/** A request with the key of one company that names something of another. */
export interface Probe {
  readonly name: string;
  readonly request: Request;
  /** What it names; an answer may say that back. */
  readonly named: string;
}

export interface Ports {
  readonly read: number;
  readonly ingest: number;
  readonly mcp: number;
}

/** Everything that names something of a company, by kind. */
export type Identifiers = Readonly<Record<string, string>>;

const READ_PATHS = [
  ...['/health', '/patterns', '/patterns/descriptions', '/patterns/analysis', '/patterns/recipients'],
  ...['/patterns/recommendation-profiles', '/patterns/chunks', '/patterns/chunks/tone'],
  ...['/patterns/contact-insights', '/intelligence/campaigns', '/intelligence/recommendations'],
  ...['/intelligence/bandit', '/intelligence/drift', '/intelligence/decisions', '/intelligence/audit'],
  ...['/intelligence/campaigns/health', '/intelligence/decisions?action=due'],
];
const READ_PATHS_WITH = [
  ...['/patterns/chunks/*', '/intelligence/campaigns/*/health', '/intelligence/contacts/*'],
  ...['/intelligence/contacts/*/decisions', '/*', '/companies/*', '/patterns/*', '/intelligence/*'],
];
const PARAMETERS = [
  ...[
    'campaign_id',
    'contact_id',
    'contact_ids',
    'cursor',
    'position',
    'recommendationCode',
    'tool',
    'since',
    'tenant_id',
  ],
  ...['company_id', 'portal_id', 'recipient_id', 'event_id'],
];
const ARGUMENTS = ['tenant_id', 'campaign_id', 'contact_id', 'cursor', 'position', 'tool', 'company_id'];
const PROMPTS = {
  diagnose_campaign: 'campaign_id',
  brief_on_contact: 'contact_id',
  assess_data_trust: 'tenant_id',
};

/** Every endpoint and tool × every kind of identifier × every place where it may stand. */
export function probesOf(ports: Ports, apiKey: string, ids: Identifiers): Probe[] {
  return Object.entries(ids).flatMap(([kind, id]) => [
    ...readProbes(ports.read, apiKey, kind, id),
    ...ingestProbes(ports.ingest, apiKey, kind, id),
    ...mcpProbes(ports.mcp, apiKey, kind, id),
  ]);
}

/** Requests that name nothing: whatever they answer, it must not be of another company. */
export function plainRequests(ports: Ports, apiKey: string): Probe[] {
  const plain = [
    ...READ_PATHS.map((path) => get(ports.read, apiKey, path)),
    { ...get(ports.ingest, apiKey, ''), path: '/ingest/sources' },
    get(ports.read, apiKey, '/intelligence/audit?until=2099-01-01T00:00:00Z&limit=100'),
    call(ports.mcp, apiKey, 'get_action_audit_log', { until: '2099-01-01T00:00:00Z', limit: 100 }),
    get(ports.read, apiKey, '/intelligence/campaigns/none/health?window_days=365'),
    ...TOOL_NAMES.map((tool) => call(ports.mcp, apiKey, tool, { campaign_id: 'none', contact_id: 'none' })),
    ...TOOL_NAMES.map((tool) => call(ports.mcp, apiKey, tool, {})),
    ...['campaign_id', 'contact_id'].flatMap((name) =>
      Object.keys(PROMPTS).flatMap((prompt) =>
        // Less than three characters are not completed.
        ['', 'a', 'c', 'z', 'cn', 'cny'].map((value) => completion(ports.mcp, apiKey, prompt, name, value)),
      ),
    ),
    ...['resources/list', 'prompts/list', 'tools/list'].map((method) => rpc(ports.mcp, apiKey, method, {})),
  ];
  return plain.map((request) => {
    const { method = '', params } = JSON.parse(request.body ?? '{}');
    const asked = [method, params?.name ?? params?.ref?.name ?? '', params?.argument?.name ?? ''].join(' ');
    return { name: `${request.method} ${request.path} ${asked}`.trim(), request, named: '' };
  });
}

function withQuery(path: string, more: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${more}`;
}

function readProbes(port: number, apiKey: string, kind: string, id: string): Probe[] {
  const coded = encodeURIComponent(id);
  const probe = (place: string, request: Request) => ({ name: `read ${place} ${kind}`, request, named: id });
  return [
    ...READ_PATHS_WITH.map((path) => probe(path, get(port, apiKey, path.replace('*', coded)))),
    ...READ_PATHS.flatMap((path) => [
      ...PARAMETERS.map((name) =>
        probe(`${path} ${name}`, get(port, apiKey, withQuery(path, `${name}=${coded}`))),
      ),
      ...HEADERS.map((name) => probe(`${path} ${name}`, get(port, apiKey, path, { [name]: id }))),
    ]),
  ];
}

function mcpProbes(port: number, apiKey: string, kind: string, id: string): Probe[] {
  const needed = { campaign_id: 'none', contact_id: 'none' };
  const requests = [
    ...TOOL_NAMES.flatMap((tool) => [
      ...ARGUMENTS.map((name) => call(port, apiKey, tool, { [name]: id })),
      ...ARGUMENTS.map((name) => call(port, apiKey, tool, { ...needed, [name]: id })),
      ...HEADERS.slice(0, 3).map((name) => call(port, apiKey, tool, needed, { [name]: id })),
    ]),
    call(port, apiKey, id, {}),
    rpc(port, apiKey, 'resources/read', { uri: `svc://reference/${id}` }),
    rpc(port, apiKey, 'resources/read', { uri: id }),
    ...Object.entries(PROMPTS).flatMap(([name, argument]) => [
      rpc(port, apiKey, 'prompts/get', { name, arguments: { [argument]: id } }),
      completion(port, apiKey, name, argument, id),
      completion(port, apiKey, name, argument, '', { tenant_id: id }),
    ]),
  ];
  return requests.map((request, place) => ({
    name: `mcp ${place} ${kind} ${request.body}`,
    request,
    named: id,
  }));
}
