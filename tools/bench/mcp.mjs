// @ts-check
import { join } from 'node:path';
import { freePort } from '../local/ports.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { send } from './load.mjs';
import { processorTimeOf } from './processor-time.mjs';
import { ratioRow, valueRow } from './report.mjs';
import { withServers } from './servers.mjs';

const calls = 6_000;
const connections = 16;
const tools = /** @type {const} */ (['get_drift_state', 'get_bandit_state']);

/**
 * A program under measurement.
 * @typedef {{ url: string, headers: Record<string, string>, pid: number }} Subject
 */

/** P17. @param {{ rounds: number }} options @returns {Promise<import('./report.mjs').Row[]>} */
export function measure({ rounds }) {
  return withServers(async (servers) => {
    const floor = await startFloor(servers);
    const service = await startGateway(servers, 'mcp-gateway', [
      ...['--import', join(root, 'tools/bench/without-database.mjs')],
    ]);
    const whole = await startGateway(servers, 'mcp-gateway-whole', []);
    await step('Warming up', async () => {
      for (const subject of [floor, service, whole]) {
        for (const tool of [...tools, ...tools]) await costOf(subject, tool);
      }
    });
    /** @type {import('./report.mjs').Row[]} */
    const rows = [];
    for (const tool of tools) {
      const costs = await step(`${tool}, ${rounds} rounds`, () =>
        costsOf({ floor, service, whole }, tool, rounds),
      );
      const unit = 'us/call';
      rows.push(
        ratioRow(
          { id: 'P17', metric: `${tool} without database: CPU of Node`, unit, gate: 1.45 },
          costs.map((cost) => cost.service),
          costs.map((cost) => cost.floor),
        ),
        valueRow(
          { id: 'P17', metric: '  with limits, reads and the audit row', unit },
          costs.map((cost) => cost.whole),
        ),
      );
    }
    return rows;
  });
}

/**
 * @param {Record<'floor' | 'service' | 'whole', Subject>} subjects
 * @param {string} tool
 * @param {number} rounds
 * @returns {Promise<Record<'floor' | 'service' | 'whole', number>[]>} Costs by round.
 */
async function costsOf({ floor, service, whole }, tool, rounds) {
  const costs = [];
  for (let round = 0; round < rounds; round += 1) {
    const cost = { floor: 0, service: 0, whole: 0 };
    // The order changes, so that neither side always has the other's traces to clear.
    if (round % 2 === 0) cost.floor = await costOf(floor, tool);
    cost.service = await costOf(service, tool);
    if (round % 2 === 1) cost.floor = await costOf(floor, tool);
    cost.whole = await costOf(whole, tool);
    costs.push(cost);
  }
  return costs;
}

/** @param {Subject} subject @param {string} name @returns {Promise<number>} Microseconds of CPU per call. */
async function costOf({ url, headers, pid }, name) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
  const body = Buffer.from(JSON.stringify(message));
  const before = processorTimeOf(pid);
  await send({ url, headers, connections, bodies: Array.from({ length: calls }, () => body) });
  return (processorTimeOf(pid) - before) / calls;
}

/** @param {import('./servers.mjs').Servers} servers @returns {Promise<Subject>} */
async function startFloor({ start, pid }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  await start({
    name: 'floor',
    command: [process.execPath, join(root, 'tools/floors/mcp.mjs')],
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port) },
    ready: () => isUp(url),
  });
  return { url, headers: {}, pid: pid('floor') };
}

/**
 * @param {import('./servers.mjs').Servers} servers
 * @param {string} name
 * @param {string[]} nodeArgs
 * @returns {Promise<Subject>}
 */
async function startGateway({ logins, redis, apiKey, start, pid }, name, nodeArgs) {
  const [port, management] = [await freePort(), await freePort()];
  await start({
    name,
    command: [process.execPath, ...nodeArgs, join(root, 'apps/mcp-gateway/dist/main.js')],
    cwd: root,
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', BIND_ADDRESS: '127.0.0.1' },
      ...{ DATABASE_URL: logins.mcpGateway, REDIS_URL: redis },
      ...{ PORT: String(port), MANAGEMENT_PORT: String(management) },
    },
    ready: async () => (await answerOf(`http://127.0.0.1:${management}/readyz`)) === 200,
  });
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2025-11-25',
  };
  return { url: `http://127.0.0.1:${port}/mcp`, headers, pid: pid(name) };
}

/** @param {string} url */
async function isUp(url) {
  return (await answerOf(url)) !== undefined;
}

/** @param {string} url @returns {Promise<number | undefined>} */
async function answerOf(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  return answer?.status;
}
