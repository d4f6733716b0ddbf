import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Failure } from '../local/failure.mjs';
import type { Section } from './section.ts';
import type { Gateway } from './servers.ts';

const section = 'audit';
const connections = 200;
const kinds = [
  ['get_drift_state', {}],
  ['get_bandit_state', { top_n: 2 }],
  ['get_workflow_decisions', {}],
  ['get_bandit_state', { top_n: 0 }],
  ['no_such_tool', {}],
  ['get_drift_state', { tenant_id: '99999999-9999-4999-8999-999999999999' }],
] as const;
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** How a call is asked in each era; the last says another tool in its headers than in its body. */
const ways = ['handshake', 'stateless', 'stateless, refused'] as const;

/** An answer and what its row must hash. */
interface Answered {
  status: number;
  id: string;
  input: string;
  output: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** 10,000 calls of both eras, 200 at a time, good, bad, unknown and denied: as many rows. */
export async function verifyVolume({ gateway, report, isShort }: Section) {
  const calls = isShort ? 1_000 : 10_000;
  const { pool, companyId } = gateway;
  const rowsById = async (): Promise<Map<string, { input: string; output: string }>> => {
    const { rows } = await pool.query(
      `SELECT request_id, encode(input_sha256, 'hex') AS input, encode(output_sha256, 'hex') AS output
        FROM audit_log WHERE company_id = $1`,
      [companyId],
    );
    return new Map(rows.map(({ request_id, input, output }) => [String(request_id), { input, output }]));
  };
  const before = await rowsById();
  const answered = await answersOf(gateway, calls);
  const rows = [...(await rowsById())].filter(([id]) => !before.has(id));
  const byId = new Map(answered.map((answer) => [answer.id, answer]));
  const good = answered.filter(({ status }) => status === 200).length;
  const refused = answered.filter(({ status }) => status === 400).length;
  report.add(
    section,
    `${calls} calls of both eras, ${connections} at a time, are answered`,
    good + refused === calls && good > 0 && refused > 0,
    `${good} by a result or fault, ${refused} refused for their headers`,
  );
  report.add(section, 'every answer has its row', rows.length === calls, `${rows.length} rows`);
  const matched = rows.filter(([id]) => byId.has(id)).length;
  report.add(section, 'rows and answers are one to one by request id', matched === calls, `${matched} pairs`);
  const hashed = rows.filter(([id, row]) => {
    const { input, output } = byId.get(id) ?? {};
    return row.input === input && row.output === output;
  }).length;
  report.add(
    section,
    'hashes recomputed from call and answer are those of the rows',
    hashed === calls,
    `${hashed} of ${calls}`,
  );
  const { rows: results } = await pool.query(
    `SELECT coalesce(error_type, 'success') AS result, count(*)::int AS calls FROM audit_log
      WHERE company_id = $1 AND request_id = ANY($2) GROUP BY 1 ORDER BY 1`,
    [companyId, [...byId.keys()]],
  );
  const words = results.map(({ result, calls: count }) => `${count} ${result}`).join(', ');
  report.add(section, 'every kind of result is among them', results.length === 4, words);
}

async function answersOf({ url, apiKey }: Gateway, count: number): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Answered[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < count; at = next++) {
      const [name, given] = kinds[at % kinds.length] ?? kinds[0];
      const way = ways[Math.floor(at / kinds.length) % ways.length] ?? ways[0];
      const { status, id, text } = await post(url, apiKey, way, name, given, agent);
      const output = sha256(documentOf(text));
      answers.push({ status, id, input: sha256(JSON.stringify(given)), output });
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, worker));
  } finally {
    agent.destroy();
  }
  return answers;
}

/** What the row hashes of an answer: the text that an agent reads, or the fault. */
function documentOf(text: string) {
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return result?.content[0].text ?? JSON.stringify({ code: error?.code, message: error?.message });
}

function post(
  url: string,
  apiKey: string,
  way: (typeof ways)[number],
  name: string,
  given: object,
  agent: Agent,
): Promise<{ status: number; id: string; text: string }> {
  const isStateless = way !== 'handshake';
  const params = { name, arguments: given, ...(isStateless && { _meta }) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    ...(isStateless && {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': way === 'stateless' ? name : 'another_tool',
    }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: 60_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('error', reject);
      const id = String(response.headers['x-request-id']);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, id, text }));
    });
    sent.on('timeout', () => sent.destroy(new Failure(`${url} did not answer within a minute.`)));
    sent.on('error', reject);
    sent.end(body);
  });
}
