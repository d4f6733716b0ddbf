import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'node:http';
import { processorTimeOf } from '../bench/processor-time.mjs';
import { bodyOf, exchange, headersOf, smallEvents } from '../reliability/requests.ts';

export type App = 'ingest-api' | 'read-api' | 'mcp-gateway';
/** Milliseconds, megabytes, and the part of a processor that the service took. */
export interface Seen {
  p50: number;
  p99: number;
  failures: number;
  requests: number;
  memory: number;
  processor: number;
}

/** How often another company asks. */
const PACE_MS = 15;
const callers = 3;

/** What it asks for, in turn. */
const asks: Record<
  App,
  (url: string, key: string, agent: Agent) => Promise<{ status: number; milliseconds: number }>
> = {
  'ingest-api': (url, key, agent) =>
    exchange(`${url}/ingest/events`, { agent, headers: headersOf(key), body: bodyOf(smallEvents(20)) }),
  'read-api': (url, key, agent) =>
    exchange(`${url}/v1/${alternate()}`, { method: 'GET', agent, headers: headersOf(key) }),
  'mcp-gateway': (url, key, agent) =>
    exchange(`${url}/mcp`, {
      ...{ agent, headers: { ...headersOf(key), Accept: 'application/json, text/event-stream' } },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_drift_state"}}',
    }),
};

let turn = 0;
const alternate = () => ['patterns', 'intelligence/decisions', 'intelligence/campaigns'][(turn += 1) % 3];

/** What another company sees of a service for a while, and the most memory that the service takes meanwhile. */
export async function watch(
  app: App,
  { url, apiKey, pid, seconds }: { url: string; apiKey: string; pid: number; seconds: number },
): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const before = processorTimeOf(pid);
  const end = performance.now() + seconds * 1_000;
  const times: number[] = [];
  let failures = 0;
  let memory = 0;
  const call = async () => {
    while (performance.now() < end) {
      const answer = await asks[app](url, apiKey, agent).catch(() => undefined);
      if (answer && answer.status < 300) times.push(answer.milliseconds);
      else failures += 1;
      memory = Math.max(memory, residentMegabytes(pid));
      await delay(PACE_MS);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Infinity;
  const processor = (processorTimeOf(pid) - before) / 1e6 / seconds;
  return { p50: at(0.5), p99: at(0.99), failures, requests: times.length + failures, memory, processor };
}

/** @returns 0 where the process is gone. */
function residentMegabytes(pid: number): number {
  try {
    const [, kibibytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1_024;
  } catch {
    return 0;
  }
}
