// @ts-check
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { run, within } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { bodyOf, exchange, headersOf, smallEvents } from '../reliability/requests.mjs';

/** @typedef {import('../reliability/installation.mjs').Installation} Installation */
/** @typedef {import('../reliability/installation.mjs').Tenant} Tenant */
/** @typedef {import('../reliability/installation.mjs').App} App */

/** @type {App[]} */
export const apps = ['ingest-api', 'analysis-worker', 'read-api', 'mcp-gateway'];
const patience = 60_000;

/**
 * What the services are told in a topology: variables of all, and how each of their URLs of Postgres changes.
 * @typedef {{ environment: Record<string, string>, database?: (url: string) => string }} Setting
 */

/** @param {Installation} installation @param {Setting} setting */
export async function startAll(installation, { environment, database = (url) => url }) {
  const running = await Promise.all(
    apps.map((app) =>
      installation.start(app, {
        environment: { SWEEP_INTERVAL_MS: '200', ...environment },
        database: database(installation.loginTo(app, 'outcomes')),
      }),
    ),
  );
  const [ingest, worker, read, gateway] = running;
  if (!ingest || !worker || !read || !gateway) throw new Failure('a service is missing');
  return { ingest, worker, read, gateway };
}

/**
 * Sends, asks over REST and asks over MCP, at the same time and often, then waits until everything is counted.
 * @param {Pick<Installation, 'query'>} installation
 * @param {Awaited<ReturnType<typeof startAll>>} services
 * @param {Tenant} tenant
 * @param {number} rounds
 * @param {boolean} [isCounted] Whether all of it is waited for.
 * @returns {Promise<{ answers: number, failed: number, uncounted: number }>} `failed`: answers that are no success.
 */
export async function useEverything(
  installation,
  { ingest, read, gateway },
  { apiKey, companyId },
  rounds,
  isCounted = true,
) {
  const headers = headersOf(apiKey);
  const toAgent = { ...headers, Accept: 'application/json, text/event-stream' };
  const call = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'get_bandit_state', arguments: {} },
  });
  let failed = 0;
  let answers = 0;
  const note = (/** @type {boolean} */ isGood) => {
    answers += 1;
    failed += isGood ? 0 : 1;
  };
  const once = async () => {
    const [sent, asked, called] = await Promise.all([
      exchange(`${ingest.url}/ingest/events`, { headers, body: bodyOf(smallEvents(5)) }),
      fetch(`${read.url}/v1/patterns`, { headers: { authorization: `Bearer ${apiKey}` } }),
      fetch(`${gateway.url}/mcp`, { method: 'POST', headers: toAgent, body: call }),
    ]);
    note(sent.status === 202);
    note(asked.status === 200);
    await asked.arrayBuffer();
    const text = await called.text();
    note(called.status === 200 && !text.includes('"isError":true'));
  };
  for (let round = 0; round < rounds; round += 4) await Promise.all([once(), once(), once(), once()]);
  const pending = async () => {
    const [row] = await installation.query(
      'SELECT count(*)::int AS pending FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL',
      [companyId],
    );
    return row.pending;
  };
  if (isCounted) await within(patience, async () => (await pending()) === 0);
  return { answers, failed, uncounted: await pending() };
}

/** Whether a service that was told something else becomes ready within some seconds. @param {Installation} installation @param {App} app @param {Setting} setting */
export async function becomesReady(installation, app, { environment, database = (url) => url }) {
  const service = await installation.start(app, {
    ...{ environment, awaitsReady: false },
    database: database(installation.loginTo(app, 'outcomes')),
  });
  const isReady = await within(6_000, async () => {
    const answer = await fetch(`${service.management}/readyz`).catch(() => undefined);
    return answer?.status === 200;
  });
  await installation.stop(service);
  return isReady;
}

/** The doctor, with every login of a topology. @param {Installation} installation @param {Setting & { redisUrl: string }} setting */
export async function doctor(installation, { environment, database = (url) => url, redisUrl }) {
  const { cli, readApi, ingestApi, mcpGateway, analysisWorker } = installation.logins;
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', ...environment, REDIS_URL: redisUrl, DATABASE_URL: database(cli) },
    ...{ READ_API_DATABASE_URL: database(readApi), INGEST_API_DATABASE_URL: database(ingestApi) },
    ...{
      MCP_GATEWAY_DATABASE_URL: database(mcpGateway),
      ANALYSIS_WORKER_DATABASE_URL: database(analysisWorker),
    },
  };
  const program = join(root, 'apps/outcomes-cli/dist/main.js');
  return run([process.execPath, program, 'doctor'], { cwd: '/', env, timeout: 120_000 });
}

/** Posts small batches until told to stop, each again and again until it is taken. @param {string} url @param {string} apiKey */
export function keepSending(url, apiKey) {
  const told = { acknowledged: /** @type {string[]} */ ([]), statuses: new Map(), lastMs: 0 };
  let stopped = false;
  const client = async () => {
    while (!stopped) {
      const recipients = Array.from({ length: 5 }, () => randomUUID());
      const body = bodyOf(smallEvents(5, (n) => ({ recipient_id: recipients[n] })));
      for (;;) {
        const { status } = await exchange(url, { headers: headersOf(apiKey), body }).catch(() => ({
          status: 0,
        }));
        told.statuses.set(status, (told.statuses.get(status) ?? 0) + 1);
        if (status === 202) break;
        if (stopped) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      told.acknowledged.push(...recipients);
      told.lastMs = performance.now();
    }
  };
  const clients = Promise.all([client(), client(), client(), client()]);
  return {
    told,
    stop: async () => {
      stopped = true;
      await clients;
    },
  };
}
