import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { freePort } from '../local/ports.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { interleaved, mean, overStarts } from './interleaved.ts';
import { send } from './load.ts';
import { processorTimeOf } from './processor-time.mjs';
import { ratioRow, valueRow, type Row } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped, type ShippedOptions } from './shipped.ts';

const calls = 6_000;
const connections = 16;
/** Of each call; after so many rounds V8 compiles next to nothing any more. */
const warmUps = 3;
const tools = ['get_drift_state', 'get_bandit_state'] as const;

/** What a call says besides its tool. */
interface Era {
  version: string;
  headers: (name: string) => Record<string, string>;
  params: object;
}

const eras: readonly Era[] = [
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

/** A program under measurement. */
interface Subject {
  url: string;
  headers: Record<string, string>;
  pid: number;
}

/** P17. */
export function measure({ rounds }: { rounds: number }): Promise<Row[]> {
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

/** Microseconds of CPU per call. */
type Costs = Record<'floor' | 'service' | 'whole', number>;

const none: Costs = { floor: NaN, service: NaN, whole: NaN };

/**
 * @param suffix Of the names of the processes.
 * @returns Of each round, the costs of each call of `asked`.
 */
async function measureCalls(servers: Servers, suffix: string, rounds: number): Promise<Costs[][]> {
  const floor = await startFloor(servers, `floor${suffix}`);
  const service = await startGateway(servers, {
    name: `mcp-gateway${suffix}`,
    nodeArgs: ['--import', join(root, 'tools/bench/without-database.mjs')],
    isChanged: true,
  });
  const whole = await startGateway(servers, { name: `mcp-gateway-whole${suffix}` });
  await step('Warming up', async () => {
    for (const subject of [floor, service, whole]) {
      for (const { era, tool } of asked) {
        await requireDocument(subject, era, tool);
        for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await costOf(subject, era, tool);
      }
    }
  });
  const costs: Costs[][] = [];
  for (const { era, tool } of asked)
    costs.push(
      await step(`${tool} of ${era.version}, ${rounds} rounds`, () =>
        costsOf({ floor, service, whole }, era, tool, rounds),
      ),
    );
  return Array.from({ length: rounds }, (_, round) => costs.map((ofCall) => ofCall[round] ?? none));
}

/** @returns By round. */
async function costsOf(
  { floor, service, whole }: Record<'floor' | 'service' | 'whole', Subject>,
  era: Era,
  tool: string,
  rounds: number,
): Promise<Costs[]> {
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
 * @param share Of the calls of a round.
 * @returns Microseconds of CPU per call.
 */
async function costOf(
  { url, headers: own, pid }: Subject,
  era: Era,
  name: string,
  share = 1,
): Promise<number> {
  const { headers, body } = callOf(own, era, name);
  const before = processorTimeOf(pid);
  const length = calls * share;
  await send({ url, headers, connections, bodies: Array.from({ length }, () => body) });
  return (processorTimeOf(pid) - before) / length;
}

/** A refusal is cheap: it must not be taken for a fast call. */
async function requireDocument({ url, headers: own }: Subject, era: Era, name: string) {
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

function callOf(own: Record<string, string>, era: Era, name: string) {
  const params = { name, arguments: {}, ...era.params };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const headers = { ...own, 'MCP-Protocol-Version': era.version, ...era.headers(name) };
  return { headers, body: Buffer.from(JSON.stringify(message)) };
}

async function startFloor({ start, pid }: Servers, name: string): Promise<Subject> {
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

async function startGateway(servers: Servers, options: ShippedOptions): Promise<Subject> {
  const { url, pid } = await startShipped(servers, 'mcp-gateway', options);
  const headers = {
    Authorization: `Bearer ${servers.apiKey}`,
    Accept: 'application/json, text/event-stream',
  };
  return { url: `${url}/mcp`, headers, pid };
}

async function isUp(url: string) {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
}
