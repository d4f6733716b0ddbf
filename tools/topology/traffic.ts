import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { run, within } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import type { App, Installation, Tenant } from '../reliability/installation.ts';
import { bodyOf, exchange, headersOf, smallEvents } from '../reliability/requests.ts';

export const apps: App[] = ['ingest-api', 'analysis-worker', 'read-api', 'mcp-gateway'];
const patience = 60_000;

/** What the services are told in a topology: variables of all, and how each of their URLs of Postgres changes. */
export interface Setting {
  environment: Record<string, string>;
  isChanged?: boolean;
  database?: (url: string) => string;
}

export async function startAll(
  installation: Installation,
  { environment, isChanged, database = (url) => url }: Setting,
) {
  const running = await Promise.all(
    apps.map((app) =>
      installation.start(app, {
        environment: { SWEEP_INTERVAL_MS: '200', ...environment },
        ...(isChanged && { isChanged }),
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
 * @param isCounted Whether all of it is waited for.
 * @returns `failed`: answers that are no success.
 */
export async function useEverything(
  installation: Pick<Installation, 'query'>,
  { ingest, read, gateway }: Awaited<ReturnType<typeof startAll>>,
  { apiKey, companyId }: Tenant,
  rounds: number,
  isCounted = true,
): Promise<{ answers: number; failed: number; uncounted: number }> {
  const headers = headersOf(apiKey);
  const toAgent = { ...headers, Accept: 'application/json, text/event-stream' };
  const call = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'get_bandit_state', arguments: {} },
  });
  let failed = 0;
  let answers = 0;
  const note = (isGood: boolean) => {
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

/** Whether a service that was told something else becomes ready within some seconds. */
export async function becomesReady(
  installation: Installation,
  app: App,
  { environment, database = (url) => url }: Setting,
) {
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

/** The doctor, with every login of a topology. */
export async function doctor(
  installation: Installation,
  { environment, database = (url) => url, redisUrl }: Setting & { redisUrl: string },
) {
  const { cli, readApi, ingestApi, mcpGateway, analysisWorker } = installation.logins;
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', ...environment, REDIS_URL: redisUrl, DATABASE_URL: database(cli) },
    ...{ READ_API_DATABASE_URL: database(readApi), INGEST_API_DATABASE_URL: database(ingestApi) },
    ...{
      MCP_GATEWAY_DATABASE_URL: database(mcpGateway),
      ANALYSIS_WORKER_DATABASE_URL: database(analysisWorker),
    },
  };
  const program = join(root, 'apps/outcomes-cli/bundle/main.js');
  return run([process.execPath, program, 'doctor'], { cwd: '/', env, timeout: 120_000 });
}

/** Posts small batches until told to stop, each again and again until it is taken. */
export function keepSending(url: string, apiKey: string) {
  const told = { acknowledged: [] as string[], statuses: new Map(), lastMs: 0 };
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
