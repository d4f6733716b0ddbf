import { connect } from 'node:net';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { run } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { singleEvent } from './events.mjs';
import { ratioRow, valueRow, type Row } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped } from './shipped.ts';

const requests = 200;

type Pairs = { service: number; floor: number }[];

/** P8 to P11. */
export function measure({ rounds }: { rounds: number }): Promise<Row[]> {
  return withServers(async (servers) => {
    const work = await step(`The libraries, ${rounds} rounds`, () => measureLibraries(servers, rounds));
    const commands = await step('Redis round trips', () => measureRoundTrips(servers, rounds));
    const [service, floor] = [
      (pairs: Pairs) => pairs.map((pair) => pair.service),
      (pairs: Pairs) => pairs.map((pair) => pair.floor),
    ];
    return [
      ratioRow(
        { id: 'P8', metric: 'RLS read / plain read: CPU of Node and Postgres', unit: 'us/read', gate: 1.35 },
        service(work.reads),
        floor(work.reads),
      ),
      valueRow({ id: 'P9', metric: 'key check, cached: CPU', unit: 'us', gate: 5 }, service(work.checks)),
      valueRow({ id: 'P9', metric: '  its hash and comparison alone', unit: 'us' }, floor(work.checks)),
      valueRow({ id: 'P9', metric: 'look-ups per key, pod and 10 s', unit: 'count', gate: 1 }, [
        work.lookUps,
      ]),
      ...Object.entries(commands).map(([metric, counts]) =>
        valueRow({ id: 'P10', metric: `Redis round trips per ${metric}`, unit: 'count', gate: 1 }, counts),
      ),
      ratioRow(
        { id: 'P11', metric: 'audit wait, 1 caller / one commit', unit: 'ms', gate: 1.3 },
        service(work.alone),
        floor(work.alone),
      ),
      ratioRow(
        { id: 'P11', metric: 'audit wait, 32 callers / one commit of 32', unit: 'ms', gate: 2.5 },
        service(work.together),
        floor(work.together),
      ),
    ];
  });
}

async function measureLibraries(
  { owner, logins, redis, apiKey, companyId }: Servers,
  rounds: number,
): Promise<{ reads: Pairs; checks: Pairs; lookUps: number; alone: Pairs; together: Pairs }> {
  const command = [process.execPath, join(root, 'tools/bench/access-work.mjs')];
  const env = {
    ...process.env,
    ...{ NODE_ENV: 'production', DATABASE_URL: logins.readApi, REDIS_URL: redis, OWNER_URL: owner },
    ...{ API_KEY: apiKey, COMPANY_ID: companyId, ROUNDS: String(rounds) },
  };
  const { code, stdout, output } = await run(command, { cwd: root, env, timeout: 600_000 });
  if (code !== 0) throw new Failure(output.trim());
  return JSON.parse(stdout);
}

/**
 * Commands that the services send, counted by Redis itself: those that scripts give are no round trips, and the
 * first request of a key, which reads what the pod then remembers, is not the rule.
 */
async function measureRoundTrips(servers: Servers, rounds: number): Promise<Record<string, number[]>> {
  const { apiKey, redis } = servers;
  const authorization = { Authorization: `Bearer ${apiKey}` };
  const { url: read } = await startShipped(servers, 'read-api');
  const { url: mcp } = await startShipped(servers, 'mcp-gateway');
  const { url: ingest } = await startShipped(servers, 'ingest-api');
  const json = { ...authorization, 'Content-Type': 'application/json' };
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'get_drift_state', arguments: {} },
  };
  let event = 0;
  const kinds: Record<string, () => Promise<Response>> = {
    'read-api request': () => fetch(`${read}/v1/patterns`, { headers: authorization }),
    'tools/call': () =>
      fetch(`${mcp}/mcp`, {
        method: 'POST',
        headers: { ...json, Accept: 'application/json, text/event-stream' },
        body: JSON.stringify(call),
      }),
    'ingest-api request (but for the queue)': () =>
      fetch(`${ingest}/ingest/events`, {
        method: 'POST',
        headers: json,
        body: new Uint8Array(singleEvent(event++)),
      }),
  };
  const counts: Record<string, number[]> = {};
  for (const [kind, ask] of Object.entries(kinds)) {
    await answered(ask);
    counts[kind] = [];
    for (let round = 0; round < rounds; round += 1) {
      const commands = await commandsDuring(redis, async () => {
        for (let sent = 0; sent < requests; sent += 1) await answered(ask);
      });
      const own = commands.filter((line) => !line.includes('"{outcomes}:batches:'));
      counts[kind].push(own.length / requests);
    }
  }
  return counts;
}

async function answered(ask: () => Promise<Response>) {
  const response = await ask();
  const text = await response.text();
  if (response.status >= 300) throw new Failure(`${response.url} answered ${response.status}: ${text}`);
}

/** What MONITOR shows of clients other than scripts. */
async function commandsDuring(redis: string, work: () => Promise<void>): Promise<string[]> {
  const { hostname, port, password } = new URL(redis);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(`AUTH ${decodeURIComponent(password)}\r\nMONITOR\r\n`);
  await until(() => text.split('+OK').length > 2);
  await work();
  const mark = `end-${Date.now()}`;
  const other = connect(Number(port), hostname);
  other.on('error', () => {}).write(`AUTH ${decodeURIComponent(password)}\r\nECHO ${mark}\r\n`);
  await until(() => text.includes(mark));
  socket.destroy();
  other.destroy();
  return text
    .split('\n')
    .filter(
      (line) =>
        /^\+\d+\.\d+ \[\d+ (?!lua)/.test(line) && !/"(?:auth|echo|ping|info|client|hello)"/i.test(line),
    );
}

async function until(condition: () => boolean) {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Failure('Redis did not show its commands within 10 s.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
