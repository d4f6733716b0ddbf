// `npm run verify:pods`: every process of the three APIs and the worker is replaced under load, as a rolling upgrade does it.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { roundRobin, startServiceProcess, type ServiceProcess as Pod } from '@outcomes/testing';
import { withServers, type Servers } from '../bench/servers.ts';
import { Failure } from '../local/failure.mjs';
import { build } from '../local/install.mjs';
import { program } from '../local/program.mjs';
import { ensureLocalDirectory, root } from '../local/settings.mjs';

const help = `Usage: npm run verify:pods [-- --rounds N]

Starts two processes of each of the three APIs, behind a proxy that gives each request to the next ready one, and two
workers, keeps clients posting, reading and calling tools, and replaces every process in turn: the new one is ready
before the old one is told to stop. No request may fail, and what was answered 202 must be stored exactly once. Then both
processes of each are killed at once, which must be seen to fail requests, and to lose none that were acknowledged.

  --rounds N   how often every process is replaced, 2 unless told`;

type App = 'readApi' | 'ingestApi' | 'mcpGateway' | 'analysisWorker';

const folders: Record<App, string> = {
  readApi: 'read-api',
  ingestApi: 'ingest-api',
  mcpGateway: 'mcp-gateway',
  analysisWorker: 'analysis-worker',
};
const eventsPerBatch = 20;

async function keepGoing(request: () => Promise<void>, state: { stopped: boolean }) {
  while (!state.stopped) await request();
}

/** What clients saw. */
class Tally {
  requests = 0;
  failures: string[] = [];
  /** Ids of events that were answered 202. */
  acknowledged: string[] = [];

  /** @returns The body of an answer as expected. */
  async count(what: string, expected: number, send: () => Promise<Response>): Promise<string | undefined> {
    this.requests += 1;
    try {
      const answer = await send();
      const text = await answer.text();
      if (answer.status === expected) return text;
      this.failures.push(`${what}: ${answer.status} ${text.slice(0, 120)}`);
    } catch (error) {
      this.failures.push(`${what}: ${String(error instanceof Error ? (error.cause ?? error) : error)}`);
    }
    return undefined;
  }
}

function clients(
  ports: Record<'readApi' | 'ingestApi' | 'mcpGateway', number>,
  apiKey: string,
  tally: Tally,
  state: { stopped: boolean },
) {
  const authorization = `Bearer ${apiKey}`;
  const json = { authorization, 'content-type': 'application/json' };
  const signal = () => AbortSignal.timeout(15_000);
  const post = async () => {
    const events = Array.from({ length: eventsPerBatch }, () => ({
      event_id: randomUUID(),
      channel: 'email',
      sequence_step: 1,
      recipient_id: `r${Math.floor(Math.random() * 500)}`,
      sent_at: '2026-06-01T10:00:00Z',
      outcome_at: '2026-06-03T10:00:00Z',
      outcome: Math.random() < 0.1 ? 'responded' : 'no_response',
    }));
    const url = `http://127.0.0.1:${ports.ingestApi}/ingest/events`;
    const body = JSON.stringify({ events });
    const text = await tally.count('POST /ingest/events', 202, () =>
      fetch(url, { method: 'POST', headers: json, body, signal: signal() }),
    );
    if (text) tally.acknowledged.push(...events.map(({ event_id }) => event_id));
  };
  const read = async () => {
    const url = `http://127.0.0.1:${ports.readApi}/v1/patterns`;
    await tally.count('GET /v1/patterns', 200, () =>
      fetch(url, { headers: { authorization }, signal: signal() }),
    );
  };
  const call = async () => {
    const url = `http://127.0.0.1:${ports.mcpGateway}/mcp`;
    const params = { name: 'get_bandit_state', arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = { ...json, accept: 'application/json, text/event-stream' };
    await tally.count('tools/call', 200, () =>
      fetch(url, { method: 'POST', headers, body, signal: signal() }),
    );
  };
  return Promise.all([post, post, post, read, read, call, call].map((one) => keepGoing(one, state)));
}

async function replaceAll(servers: Servers, { rounds, isRolling }: { rounds: number; isRolling: boolean }) {
  const apps = Object.keys(folders) as App[];
  const start = (app: App) =>
    startServiceProcess(join(root, 'apps', folders[app], 'bundle/main.js'), {
      DATABASE_URL: servers.logins[app],
      REDIS_URL: servers.redis,
      LOG_LEVEL: 'warn',
      DRAIN_DELAY_MS: '1000',
    });
  const pods: Map<App, Pod[]> = new Map();
  for (const app of apps) pods.set(app, [await start(app), await start(app)]);
  const [readApi, ingestApi, mcpGateway] = [await roundRobin(), await roundRobin(), await roundRobin()];
  const proxies = { readApi, ingestApi, mcpGateway };
  const announce = async (app: App) => {
    if (app !== 'analysisWorker') await proxies[app].use(pods.get(app) ?? []);
  };
  for (const app of apps) await announce(app);
  const tally = new Tally();
  const state = { stopped: false };
  const ports = { readApi: readApi.port, ingestApi: ingestApi.port, mcpGateway: mcpGateway.port };
  const load = clients(ports, servers.apiKey, tally, state);
  let replaced = 0;
  const replaceOne = async (app: App) => {
    const list = pods.get(app) ?? [];
    const old = list.shift();
    list.push(await start(app));
    // As Kubernetes does it: the new pod is ready, the old one is told to stop, and the proxy sees it in readyz.
    if (app !== 'analysisWorker') await proxies[app].use(old ? [...list, old] : list);
    await old?.stop('SIGTERM');
    await announce(app);
  };
  const killBoth = async (app: App) => {
    await Promise.all((pods.get(app) ?? []).map((pod) => pod.stop('SIGKILL')));
    pods.set(app, [await start(app), await start(app)]);
    await announce(app);
  };
  for (let step = 0; step < rounds * apps.length * 2; step += 1) {
    const app = apps[Math.floor(step / 2) % apps.length] as App;
    if (isRolling) await replaceOne(app);
    else if (step % 2 === 0) await killBoth(app);
    replaced += 1;
    process.stderr.write(
      `\r  replaced ${replaced} of ${rounds * apps.length * 2}, ${tally.requests} requests `,
    );
  }
  process.stderr.write('\n');
  state.stopped = true;
  await load;
  for (const list of pods.values()) await Promise.all(list.map((pod) => pod.stop()));
  for (const proxy of Object.values(proxies)) await proxy.close();
  const ids = tally.acknowledged;
  const { rows } = await servers.pool.query(
    'SELECT count(*)::int AS stored FROM outcome_events WHERE event_id = ANY ($1::uuid[])',
    [ids],
  );
  return { ...tally, replaced, acknowledged: ids.length, lost: ids.length - rows[0].stored };
}

function print(line: string, holds: boolean) {
  console.log(`${holds ? 'PASS' : 'FAIL'}  ${line}`);
  if (!holds) process.exitCode = 1;
}

await program(async () => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '2' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Failure('--rounds takes a whole number from 1 on.');
  ensureLocalDirectory();
  await build(new AbortController().signal);
  await withServers(async (servers) => {
    const rolling = await replaceAll(servers, { rounds, isRolling: true });
    const size = `${rolling.replaced} processes replaced under ${rolling.requests} requests`;
    print(`${size}: ${rolling.failures.length} failed`, rolling.failures.length === 0);
    for (const failure of rolling.failures.slice(0, 5)) console.log(`      ${failure}`);
    print(`${rolling.acknowledged} acknowledged events: ${rolling.lost} lost`, rolling.lost === 0);
    const killed = await replaceAll(servers, { rounds: 1, isRolling: false });
    print(
      `mutation, kill -9 of both pods at once: ${killed.failures.length} requests failed`,
      killed.failures.length > 0,
    );
    print(
      `and even then, of ${killed.acknowledged} acknowledged events: ${killed.lost} lost`,
      killed.lost === 0,
    );
  });
});
