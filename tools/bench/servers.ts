import { renameSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { Failure } from '../local/failure.mjs';
import { newPassword, type Logins } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { createDatabase, initialisePostgres, postgresService, postgresUrl } from '../local/postgres.mjs';
import { run } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { findRedis, redisService, redisUrl } from '../local/redis.mjs';
import { clusterIn, makeRunFolder } from '../local/run-folder.mjs';
import { readJson, root, writeJson } from '../local/settings.mjs';
import { watchForShutdown } from '../local/shutdown.mjs';
import { Supervisor, type Service } from '../local/supervisor.mjs';

const cli = join(root, 'apps/outcomes-cli/bundle/main.js');

/** What a benchmark runs on: a migrated database on a Postgres that waits for the disk, a Redis, and one company. */
export interface Servers {
  owner: string;
  logins: Logins;
  redis: string;
  pool: pg.Pool;
  companyId: string;
  apiKey: string;
  postgresPid: number;
  redisPid: number;
  newCompany: () => Promise<{ companyId: string; apiKey: string }>;
  start: (...services: Service[]) => Promise<void>;
  pid: (name: string) => number;
}

/**
 * Starts servers for a benchmark, runs it, and leaves nothing behind.
 * @param cluster A folder with a kept cluster to work on a copy of, and one to put
 *   the cluster into after the work.
 */
export async function withServers<T>(
  work: (servers: Servers) => Promise<T>,
  { from, keepIn }: { from?: string; keepIn?: string } = {},
): Promise<T> {
  const { directory, remove } = await makeRunFolder('bench');
  const supervisor = new Supervisor({
    logs: join(directory, 'logs'),
    processes: join(directory, 'processes.json'),
    restart: false,
  });
  let pool: pg.Pool | undefined;
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await pool?.end().catch(() => {});
    await supervisor.stop();
    remove();
  };
  watchForShutdown({
    stop: () => void stop().then(() => process.exit(130)),
    force: () => {
      supervisor.kill();
      process.exit(130);
    },
  });
  try {
    const { password, ...urls } = await startBoth(directory, supervisor, from);
    pool = new pg.Pool({ connectionString: urls.owner, max: 2, application_name: 'bench' });
    pool.on('error', () => {});
    const { logins, newCompany, company } = await step('Making the database and a key', () => prepare(urls));
    const pid = (name: string) => supervisor.pid(name) ?? 0;
    const result = await work({
      ...urls,
      ...{ logins, ...company, newCompany, pool, pid },
      postgresPid: pid('postgres'),
      redisPid: pid('redis'),
      start: (...services) => supervisor.start(...services),
    });
    if (keepIn !== undefined) {
      await pool.query('CHECKPOINT');
      await pool.end();
      await supervisor.stop();
      renameSync(clusterIn(directory), join(keepIn, 'postgres'));
      writeJson(join(keepIn, 'cluster.json'), { password });
    }
    return result;
  } finally {
    await stop();
  }
}

/** @param from Folder of a kept cluster. */
async function startBoth(directory: string, supervisor: Supervisor, from?: string) {
  const { file } = await findRedis();
  const redis = { port: await freePort(), password: newPassword() };
  const kept = from === undefined ? undefined : readJson(join(from, 'cluster.json'));
  const postgres = { port: await freePort(), password: kept?.password ?? newPassword() };
  if (from !== undefined)
    await step('Copying the kept cluster', () =>
      cp(join(from, 'postgres'), clusterIn(directory), { recursive: true }),
    );
  const cluster = { ...postgres, directory: clusterIn(directory), durable: true, maxConnections: 200 };
  await step('Starting Postgres (fsync on) and Redis', async () => {
    await initialisePostgres(cluster);
    await supervisor.start(
      postgresService(cluster),
      redisService({ ...redis, file, directory: join(directory, 'redis'), durable: false }),
    );
    await createDatabase(postgresUrl(postgres), 'outcomes');
  });
  const { password } = postgres;
  return { password, owner: postgresUrl(postgres, 'outcomes'), redis: redisUrl(redis) };
}

async function prepare({ owner, redis }: { owner: string; redis: string }) {
  const env = { ...process.env, DATABASE_URL: owner, REDIS_URL: redis };
  await runCli(['migrate', '--json'], env);
  const { logins } = await runCli(['service-logins', '--json'], env);
  const asCli = { ...env, DATABASE_URL: logins.cli };
  const limits = ['--burst', '100000000', '--monthly', '100000000'];
  const newCompany = async () => {
    const { companyId } = await runCli(['company', 'create', 'Benchmark', '--json'], asCli);
    const create = ['keys', 'create', '--company', companyId, '--name', 'bench', ...limits, '--json'];
    const { apiKey } = await runCli(create, asCli);
    return { companyId, apiKey };
  };
  return { logins, newCompany, company: await newCompany() };
}

/** Runs the command line, whose output is JSON. */
export async function runCli(args: string[], env: NodeJS.ProcessEnv, timeout = 60_000) {
  const { code, stdout, output } = await run([process.execPath, cli, ...args], {
    ...{ cwd: root, env, timeout },
  });
  if (code !== 0) throw new Failure(`${output.trim()}\noutcomes ${args[0]} failed.`);
  return JSON.parse(stdout);
}
