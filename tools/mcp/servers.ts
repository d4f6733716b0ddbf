import type { Pool } from 'pg';
import { send } from '../bench/load.ts';
import { typicalBatch } from '../bench/events.mjs';
import { runCli, type Servers } from '../bench/servers.ts';
import { isReady } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { step } from '../local/progress.mjs';
import { programOf, root } from '../local/settings.mjs';

/** A gateway that runs, and a company with data. */
export interface Gateway {
  url: string;
  apiKey: string;
  pool: Pool;
  companyId: string;
}

/** Starts the services and gives the company 2,000 messages and an analysis. */
export async function startGateway(servers: Servers): Promise<Gateway> {
  const { apiKey, companyId, logins, pool } = servers;
  const ingest = await startService(servers, 'ingest-api', logins.ingestApi);
  await startService(servers, 'analysis-worker', logins.analysisWorker);
  const gateway = await startService(servers, 'mcp-gateway', logins.mcpGateway);
  await step('Sending 2,000 messages and analysing them', async () => {
    const bodies = Array.from({ length: 4 }, (_, at) => typicalBatch(500, at * 500));
    const headers = { Authorization: `Bearer ${apiKey}` };
    await send({ url: `${ingest}/ingest/events`, headers, connections: 2, bodies, accepted: 500 });
    await analyse(servers);
  });
  return { url: `${gateway}/mcp`, apiKey, pool, companyId };
}

/** Analyses the company and waits for it. */
export async function analyse({ companyId, logins, redis }: Servers) {
  const env = { ...process.env, DATABASE_URL: logins.cli, REDIS_URL: redis };
  await runCli(['analyze', '--company', companyId, '--wait', '--json'], env, 120_000);
}

/**
 * Starts a built service.
 * @returns The address of its public port.
 */
export async function startService({ redis, start }: Servers, name: string, login: string): Promise<string> {
  const [port, management] = [await freePort(), await freePort()];
  await start({
    name,
    command: [process.execPath, programOf(name)],
    cwd: root,
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', BIND_ADDRESS: '127.0.0.1', DATABASE_URL: login, REDIS_URL: redis },
      ...{ PORT: String(port), MANAGEMENT_PORT: String(management) },
    },
    ready: () => isReady(`http://127.0.0.1:${management}/readyz`),
  });
  return `http://127.0.0.1:${port}`;
}
