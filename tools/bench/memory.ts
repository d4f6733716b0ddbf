import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { exchange, keptConnections } from '../reliability/requests.ts';
import { singleEvent, typicalBatch } from './events.mjs';
import { send } from './load.ts';
import { processorTimeOf } from './processor-time.mjs';
import { valueRow } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped, type App, type Shipped } from './shipped.ts';

/** Megabytes, and seconds of CPU for the load. */
interface Memory {
  idle: number;
  loaded: number;
  processor: number;
}

const apps = ['ingest-api', 'analysis-worker', 'read-api', 'mcp-gateway'] as const;
const batches = 100;
const requests = 6_000;
const settle = 3_000;

/** P16: what a service holds when nobody asks it anything, and at most under load. */
export async function measure({ rounds }: { rounds: number }) {
  const results: Record<App, Memory[]> = {
    'ingest-api': [],
    'analysis-worker': [],
    'read-api': [],
    'mcp-gateway': [],
  };
  for (let round = 0; round < rounds; round += 1) {
    await withServers(async (servers) => {
      for (const app of apps) {
        const name = `Round ${round + 1} of ${rounds}: ${app}`;
        results[app].push(await step(name, () => memoryOf(servers, app)));
      }
    });
  }
  return apps.flatMap((app) => [
    valueRow(
      { id: 'P16', metric: `${app}: resident memory, idle`, unit: 'MB', gate: 200 },
      results[app].map(({ idle }) => idle),
    ),
    valueRow(
      { id: 'P16', metric: '  at most under load', unit: 'MB', gate: 256 },
      results[app].map(({ loaded }) => loaded),
    ),
    valueRow(
      { id: 'P16', metric: '  CPU of that load', unit: 's' },
      results[app].map(({ processor }) => processor),
    ),
  ]);
}

async function memoryOf(servers: Servers, app: App): Promise<Memory> {
  const subject = await startShipped(servers, app, { environment: { LOG_LEVEL: 'info' } });
  await delay(settle);
  const idle = memoryIn(subject.pid, 'VmRSS');
  const before = processorTimeOf(subject.pid);
  await loads[app](servers, subject);
  const processor = (processorTimeOf(subject.pid) - before) / 1e6;
  return { idle, loaded: memoryIn(subject.pid, 'VmHWM'), processor };
}

const loads: Record<App, (servers: Servers, subject: Shipped) => Promise<void>> = {
  'ingest-api': async ({ apiKey }, { url }) => {
    const target = { url: `${url}/ingest/events`, headers: { Authorization: `Bearer ${apiKey}` } };
    for (let from = 0; from < batches; from += 50) {
      const bodies = Array.from({ length: 50 }, (_, at) => typicalBatch(500, (from + at) * 500));
      await send({ ...target, connections: 8, bodies, accepted: 500 });
    }
    const singles = Array.from({ length: requests / 3 }, (_, at) => singleEvent(at));
    await send({ ...target, connections: 32, bodies: singles, accepted: 1 });
  },
  // What the ingest API has taken is waiting; then runs over it.
  'analysis-worker': async ({ pool }) => {
    const isDone = async () => {
      const { rows } = await pool.query(
        `SELECT 1 FROM ingest_batches WHERE processed_at IS NULL UNION ALL
         SELECT 1 WHERE NOT EXISTS (SELECT FROM analysis_runs WHERE state = 'succeeded') LIMIT 1`,
      );
      return rows.length === 0;
    };
    if (!(await within(600_000, isDone))) throw new Failure('the worker did not work in what was waiting');
  },
  'read-api': async ({ apiKey }, { url }) => {
    const agent = keptConnections(32);
    const paths = ['/v1/patterns', '/v1/patterns/chunks', '/v1/patterns/analysis', '/v1/intelligence/bandit'];
    const headers = { Authorization: `Bearer ${apiKey}` };
    let next = 0;
    const client = async () => {
      for (let at = next++; at < requests; at = next++) {
        const path = paths[at % paths.length];
        const { status, text } = await exchange(`${url}${path}`, { method: 'GET', headers, agent });
        if (status !== 200) throw new Failure(`${path} was answered ${status}: ${text.slice(0, 200)}`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, client));
    agent.destroy();
  },
  'mcp-gateway': async ({ apiKey }, { url }) => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
    };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_bandit_state', arguments: {} },
    };
    const body = Buffer.from(JSON.stringify(call));
    const first = await exchange(`${url}/mcp`, {
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    });
    if (first.status !== 200 || !first.text.includes('schema_version'))
      throw new Failure(`a tool was answered ${first.status}: ${first.text.slice(0, 200)}`);
    await send({
      url: `${url}/mcp`,
      headers,
      connections: 32,
      bodies: Array.from({ length: requests }, () => body),
    });
  },
};

/**
 * @param field What the process holds in memory now, or the most that it ever did.
 * @returns Megabytes (of a million bytes).
 */
function memoryIn(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1_024) / 1e6;
}
