import { createHash } from 'node:crypto';
import { TOOL_NAMES } from '@outcomes/contracts';
import {
  attachDatabase,
  inForm,
  noteFigures,
  podsPerService,
  waitingForLock,
  waitUntil,
  type Tenant,
} from '@outcomes/testing';
import { eachOf, exchange, rpc, type Answer } from './exchange';
import { Installation } from './installation';

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Row {
  readonly request_id: string;
  readonly tool: string;
  readonly error_type: string | null;
  readonly input: string;
  readonly output: string | null;
  readonly [column: string]: unknown;
}

describe('the audit log of tool calls', () => {
  let installation: Installation;
  let gateways: readonly number[];

  beforeAll(async () => {
    installation = await Installation.create();
    const started = [await installation.start('mcp-gateway'), await installation.start('mcp-gateway')];
    gateways = started.map(({ port }) => port);
  }, 120_000);

  afterAll(() => installation?.stop());

  it('has one row for each call answered, good, failing, denied and throttled, with hashes that a caller can recompute', async () => {
    const total = inForm(800, 10_000);
    const other = await installation.addTenant({ name: 'Other' });
    const roomy = await installation.addTenant({ name: 'Roomy' });
    const narrow = await installation.addTenant({ name: 'Narrow', burst: Math.floor(total / 10) });
    const kinds: readonly Call[] = [
      ...TOOL_NAMES.map((name) => ({ name, args: { campaign_id: 'c', contact_id: 'p' } })),
      { name: 'get_bandit_state', args: {} },
      { name: 'get_bandit_state', args: { top_n: 0, channel: 'email' } },
      { name: 'no_such_tool', args: { é: ['\u2028', 1e21, -0.5], a: null } },
      { name: 'get_drift_state', args: { tenant_id: other.companyId } },
    ];
    const answered = new Map<string, { readonly call: Call; readonly answer: Answer }>();
    await eachOf(Array.from({ length: total }), 256, async (_nothing, at) => {
      const call = kinds[at % kinds.length] ?? { name: '', args: {} };
      const tenant = at % 4 === 0 ? narrow : roomy;
      const port = gateways[at % gateways.length] ?? 0;
      const params = { name: call.name, arguments: call.args };
      const answer = await exchange(rpc(port, tenant.apiKey, 'tools/call', params));
      answered.set(answer.headers['x-request-id'] ?? '', { call, answer });
    });
    expect(answered.size).toBe(total);
    const rows = [...(await rowsOf(roomy)), ...(await rowsOf(narrow))];
    // Mutation: a gateway that writes no row for what it throttles or denies leaves rows out.
    expect(rows.map((row) => row.request_id).sort()).toEqual([...answered.keys()].sort());
    const kindsSeen = new Map<string, number>();
    for (const row of rows) {
      const { call, answer } = answered.get(row.request_id) ?? {};
      if (!call || !answer) throw new Error('a row without a call');
      const kind = row.error_type ?? 'success';
      kindsSeen.set(kind, (kindsSeen.get(kind) ?? 0) + 1);
      expect([row.request_id, row.input]).toEqual([row.request_id, sha256Of(call.args)]);
      expect([row.request_id, row.output]).toEqual([row.request_id, sha256Of(outputOf(answer))]);
    }
    expect([...kindsSeen.keys()].sort()).toEqual(
      ['invalid_arguments', 'permission_denied', 'rate_limited', 'success', 'unknown_tool'].sort(),
    );
    const counts = [...kindsSeen].map(([kind, count]) => `${count} ${kind}`).join(', ');
    noteFigures(`${total} calls, ${rows.length} rows, ${2 * rows.length} hashes recomputed: ${counts}`);
  }, 1_800_000);

  it('has the row of a call before the call is answered, on every process', async () => {
    const tenant = await installation.addTenant({ name: 'Held up' });
    const holder = await attachDatabase(installation.database.ownerUrl);
    const answers: Answer[] = [];
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE audit_log IN SHARE MODE');
    const calls = Array.from({ length: 20 }, async (_nothing, at) => {
      const params = { name: 'get_drift_state', arguments: {} };
      answers.push(await exchange(rpc(gateways[at % 2] ?? 0, tenant.apiKey, 'tools/call', params)));
    });
    try {
      await waitUntil('every process to wait for its rows', async () => {
        const waiting = await waitingForLock(installation.database, 'relation');
        return waiting.length === gateways.length * podsPerService();
      });
      // What does not wait for its row has been answered by the time that these have been.
      for (let n = 0; n < 5; n += 1) {
        await Promise.all(gateways.map((port) => exchange(rpc(port, tenant.apiKey, 'tools/list', {}))));
      }
      // Mutation: a gateway that does not wait for its writer.
      expect(answers).toEqual([]);
    } finally {
      await holder.query('ROLLBACK');
      await holder.detach();
    }
    await Promise.all(calls);
    expect(answers.filter(({ body }) => body.result?.structuredContent)).toHaveLength(20);
    expect(await rowsOf(tenant)).toHaveLength(20);
  }, 60_000);

  it('that cannot be written takes every result with it, on every process', async () => {
    const tenant = await installation.addTenant({ name: 'Unlucky' });
    await installation.database.query('REVOKE INSERT ON audit_log FROM outcomes_reader');
    try {
      await eachOf(Array.from({ length: 60 }), 30, async (_nothing, at) => {
        const name = TOOL_NAMES[at % TOOL_NAMES.length] ?? '';
        const params = { name, arguments: { campaign_id: 'c', contact_id: 'p' } };
        const answer = await exchange(rpc(gateways[at % 2] ?? 0, tenant.apiKey, 'tools/call', params));
        // Mutation: answering before the commit returns data here.
        expect(answer.body.result).toMatchObject({ isError: true });
        expect(answer.body.result).not.toHaveProperty('structuredContent');
        expect(JSON.parse(answer.body.result.content[0].text).error.code).toBe('internal_error');
      });
    } finally {
      await installation.database.query('GRANT INSERT ON audit_log TO outcomes_reader');
    }
    expect(await rowsOf(tenant)).toEqual([]);
  }, 120_000);

  async function rowsOf({ companyId }: Tenant): Promise<Row[]> {
    return installation.database.query<Row>(
      `SELECT request_id, tool, error_type, encode(input_sha256, 'hex') AS input,
         encode(output_sha256, 'hex') AS output
       FROM audit_log WHERE company_id = $1`,
      [companyId],
    );
  }
});

/** What the caller got: the result, the error document, the error of JSON-RPC, or the body of a refusal. */
function outputOf({ body }: Answer): unknown {
  const { result } = body;
  if (result) return result.structuredContent ?? JSON.parse(result.content[0].text);
  return typeof body.error === 'object' ? body.error : body;
}

/** RFC 8785 for what these calls hold: keys in order of their UTF-16 units, numbers and strings as JSON writes them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

function sha256Of(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}
