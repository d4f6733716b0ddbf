// @ts-check
import { Agent, request } from 'node:http';
import { Failure } from '../local/failure.mjs';

const section = 'audit';
const connections = 200;
const kinds = /** @type {const} */ ([
  ['get_drift_state', {}],
  ['get_bandit_state', { top_n: 2 }],
  ['get_workflow_decisions', {}],
  ['get_bandit_state', { top_n: 0 }],
  ['no_such_tool', {}],
  ['get_drift_state', { tenant_id: '99999999-9999-4999-8999-999999999999' }],
]);

/** 10,000 calls, 200 at a time, good, bad, unknown and denied: as many rows. @param {import('./section.mjs').Section} parts */
export async function verifyVolume({ gateway, report, isShort }) {
  const calls = isShort ? 1_000 : 10_000;
  const { pool, companyId } = gateway;
  const rowsOf = async () => {
    const { rows } = await pool.query('SELECT request_id FROM audit_log WHERE company_id = $1', [companyId]);
    return rows.map(({ request_id }) => String(request_id));
  };
  const before = new Set(await rowsOf());
  const answered = await answersOf(gateway, calls);
  const rows = (await rowsOf()).filter((id) => !before.has(id));
  const ids = new Set(answered.map(({ id }) => id));
  const good = answered.filter(({ status }) => status === 200).length;
  report.add(
    section,
    `${calls} calls at once, ${connections} at a time, are answered`,
    good === calls,
    `${good}`,
  );
  report.add(section, 'every answer has its row', rows.length === calls, `${rows.length} rows`);
  const matched = new Set(rows.filter((id) => ids.has(id))).size;
  report.add(section, 'rows and answers are one to one by request id', matched === calls, `${matched} pairs`);
  const { rows: results } = await pool.query(
    `SELECT coalesce(error_type, 'success') AS result, count(*)::int AS calls FROM audit_log
      WHERE company_id = $1 AND request_id = ANY($2) GROUP BY 1 ORDER BY 1`,
    [companyId, [...ids]],
  );
  const words = results.map(({ result, calls: count }) => `${count} ${result}`).join(', ');
  report.add(section, 'every kind of result is among them', results.length === 4, words);
}

/** @param {import('./servers.mjs').Gateway} gateway @param {number} count */
async function answersOf({ url, apiKey }, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  /** @type {{ status: number, id: string }[]} */
  const answers = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < count; at = next++) {
      const [name, given] = kinds[at % kinds.length] ?? kinds[0];
      const params = { name, arguments: given };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      answers.push(await post(url, apiKey, body, agent));
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, worker));
  } finally {
    agent.destroy();
  }
  return answers;
}

/**
 * @param {string} url
 * @param {string} apiKey
 * @param {string} body
 * @param {Agent} agent
 * @returns {Promise<{ status: number, id: string }>}
 */
function post(url, apiKey, body, agent) {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: 60_000 }, (response) => {
      response.resume();
      response.on('error', reject);
      const id = String(response.headers['x-request-id']);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, id }));
    });
    sent.on('timeout', () => sent.destroy(new Failure(`${url} did not answer within a minute.`)));
    sent.on('error', reject);
    sent.end(body);
  });
}
