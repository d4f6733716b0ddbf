// @ts-check
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { freePort } from '../local/ports.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { interleaved, mean, overStarts } from './interleaved.mjs';
import { send } from './load.mjs';
import { processorTimeOf } from './processor-time.mjs';
import { ratioRow, valueRow } from './report.mjs';
import { withServers } from './servers.mjs';
import { shippedCommand, shippedEnvironmentOf } from './shipped.mjs';

const calls = 6_000;
const connections = 16;
/** Of each call; after so many rounds V8 compiles next to nothing any more. */
const warmUps = 3;
const tools = /** @type {const} */ (['get_drift_state', 'get_bandit_state']);

/** What a call says besides its tool. @typedef {{ version: string, headers: (name: string) => Record<string, string>, params: object }} Era */

/** @type {readonly Era[]} */
const eras = [
  { version: '2025-11-25', headers: () => ({}), params: {} },
  {
    version: '2026-07-28',
    headers: (name) => ({ 'Mcp-Method': 'tools/call', 'Mcp-Name': name }),
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      },
    },
  },
];
const asked = eras.flatMap((era) => tools.map((tool) => ({ era, tool })));

/**
 * A program under measurement.
 * @typedef {{ url: string, headers: Record<string, string>, pid: number }} Subject
 */

/** P17. @param {{ rounds: number }} options @returns {Promise<import('./report.mjs').Row[]>} */
export function measure({ rounds }) {
  return withServers(async (servers) => {
    const results = await overStarts((suffix) => measureCalls(servers, suffix, rounds));
    return asked.flatMap(({ era, tool }, at) => {
      const costs = results.map((call) => call[at] ?? none);
      const unit = 'us/call';
      return [
        ratioRow(
          { id: 'P17', metric: `${tool} of ${era.version} without database: CPU of Node`, unit, gate: 1.45 },
          costs.map((cost) => cost.service),
          costs.map((cost) => cost.floor),
        ),
        valueRow(
          { id: 'P17', metric: '  with limits, reads and the audit row', unit },
          costs.map((cost) => cost.whole),
        ),
      ];
    });
  });
}

/** Microseconds of CPU per call. @typedef {Record<'floor' | 'service' | 'whole', number>} Costs */

/** @type {Costs} */
const none = { floor: NaN, service: NaN, whole: NaN };

/**
 * @param {import('./servers.mjs').Servers} servers
 * @param {string} suffix Of the names of the processes.
 * @param {number} rounds
 * @returns {Promise<Costs[][]>} Of each round, the costs of each call of `asked`.
 */
async function measureCalls(servers, suffix, rounds) {
  const floor = await startFloor(servers, `floor${suffix}`);
  const service = await startGateway(servers, `mcp-gateway${suffix}`, [
    ...['--import', join(root, 'tools/bench/without-database.mjs')],
  ]);
  const whole = await startGateway(servers, `mcp-gateway-whole${suffix}`, []);
  await step('Warming up', async () => {
    for (const subject of [floor, service, whole]) {
      for (const { era, tool } of asked) {
        await requireDocument(subject, era, tool);
        for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await costOf(subject, era, tool);
      }
    }
  });
  /** @type {Costs[][]} */
  const costs = [];
  for (const { era, tool } of asked)
    costs.push(
      await step(`${tool} of ${era.version}, ${rounds} rounds`, () =>
        costsOf({ floor, service, whole }, era, tool, rounds),
      ),
    );
  return Array.from({ length: rounds }, (_, round) => costs.map((ofCall) => ofCall[round] ?? none));
}

/**
 * @param {Record<'floor' | 'service' | 'whole', Subject>} subjects
 * @param {Era} era
 * @param {string} tool
 * @param {number} rounds
 * @returns {Promise<Costs[]>} By round.
 */
async function costsOf({ floor, service, whole }, era, tool, rounds) {
  const costs = [];
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = await interleaved(round, [floor, service, whole], (subject, share) =>
      costOf(subject, era, tool, share),
    );
    const [ofFloor = NaN, ofService = NaN, ofWhole = NaN] = inTurn.map(mean);
    costs.push({ floor: ofFloor, service: ofService, whole: ofWhole });
  }
  return costs;
}

/**
 * @param {Subject} subject
 * @param {Era} era
 * @param {string} name
 * @param {number} [share] Of the calls of a round.
 * @returns {Promise<number>} Microseconds of CPU per call.
 */
async function costOf({ url, headers: own, pid }, era, name, share = 1) {
  const { headers, body } = callOf(own, era, name);
  const before = processorTimeOf(pid);
  const length = calls * share;
  await send({ url, headers, connections, bodies: Array.from({ length }, () => body) });
  return (processorTimeOf(pid) - before) / length;
}

/** A refusal is cheap: it must not be taken for a fast call. @param {Subject} subject @param {Era} era @param {string} name */
async function requireDocument({ url, headers: own }, era, name) {
  const { headers, body } = callOf(own, era, name);
  const answer = await fetch(url, {
    method: 'POST',
    signal: AbortSignal.timeout(10_000),
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  const text = await answer.text();
  if (!answer.ok || !text.includes('"structuredContent"')) {
    throw new Failure(`${url} answered ${answer.status}: ${text.slice(0, 500)}`);
  }
}

/** @param {Record<string, string>} own @param {Era} era @param {string} name */
function callOf(own, era, name) {
  const params = { name, arguments: {}, ...era.params };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const headers = { ...own, 'MCP-Protocol-Version': era.version, ...era.headers(name) };
  return { headers, body: Buffer.from(JSON.stringify(message)) };
}

/** @param {import('./servers.mjs').Servers} servers @param {string} name @returns {Promise<Subject>} */
async function startFloor({ start, pid }, name) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  await start({
    name,
    command: [process.execPath, join(root, 'tools/floors/mcp.mjs')],
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port) },
    ready: () => isUp(url),
  });
  return { url, headers: {}, pid: pid(name) };
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
    command: shippedCommand('mcp-gateway', nodeArgs),
    cwd: root,
    env: {
      ...shippedEnvironmentOf('mcp-gateway'),
      BIND_ADDRESS: '127.0.0.1',
      ...{ DATABASE_URL: logins.mcpGateway, REDIS_URL: redis },
      ...{ PORT: String(port), MANAGEMENT_PORT: String(management) },
    },
    ready: async () => (await answerOf(`http://127.0.0.1:${management}/readyz`)) === 200,
  });
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    Accept: 'application/json, text/event-stream',
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
