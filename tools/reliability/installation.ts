import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { runCli } from '../bench/servers.ts';
import { loginNames, type App } from '../bench/shipped.ts';
import { isReady, newPassword, type Logins } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { createDatabase, initialisePostgres, postgresService, postgresUrl } from '../local/postgres.mjs';
import { findRedis, redisService, redisUrl } from '../local/redis.mjs';
import { localDirectory, programOf, root } from '../local/settings.mjs';
import { watchForShutdown } from '../local/shutdown.mjs';
import { Life } from './life.ts';

export interface Tenant {
  companyId: string;
  apiKey: string;
}

/** `probe` tells the longest stall. */
export interface Running {
  life: Life;
  url: string;
  management: string;
  probe: string;
}

export type { App };

/**
 * `clockShift`: milliseconds that its clock is ahead; `database`: a URL instead of its login's own;
 * `awaitsReady`: false where it is enough that it lives; `within`: what starts it, and becomes it.
 */
interface AppOptions {
  environment?: Record<string, string>;
  clockShift?: number;
  probed?: boolean;
  database?: string;
  awaitsReady?: boolean;
  /** Whether something that is preloaded changes its classes: see programOf. */
  isChanged?: boolean;
  within?: (command: string[]) => string[];
}

interface InstallationServers {
  directory: string;
  postgres: Life;
  redis: Life;
  owner: string;
  redisUrl: string;
}

/** Servers that may be killed, the built services on them, and broken ones beside them. */
export class Installation {
  readonly directory: string;
  readonly postgres: Life;
  readonly redis: Life;
  readonly owner: string;
  readonly redisUrl: string;
  readonly pool: pg.Pool;
  logins: Logins;
  #services: Life[] = [];
  #count = 0;

  constructor({ directory, postgres, redis, owner, redisUrl }: InstallationServers) {
    this.directory = directory;
    this.postgres = postgres;
    this.redis = redis;
    this.owner = owner;
    this.redisUrl = redisUrl;
    this.pool = poolOf(owner);
    this.logins = { readApi: '', ingestApi: '', mcpGateway: '', analysisWorker: '', console: '', cli: '' };
  }

  async prepare() {
    await this.outcomes(['migrate', '--json'], this.owner);
    this.logins = (await this.outcomes(['service-logins', '--json'], this.owner)).logins;
  }

  /** A second database with the same schema, for which the same logins serve. */
  async addDatabase(name: string) {
    await createDatabase(withDatabase(this.owner, 'postgres'), name);
    const url = withDatabase(this.owner, name);
    await this.outcomes(['migrate', '--json'], url);
  }

  /**
   * A company with a key that neither limits nor time will stop.
   * @param database Name of another than the first.
   */
  async newTenant(name: string, database = 'outcomes'): Promise<Tenant> {
    const url = withDatabase(this.logins.cli, database);
    const { companyId } = await this.outcomes(['company', 'create', name, '--json'], url);
    const limits = ['--burst', '100000000', '--monthly', '100000000'];
    const create = ['keys', 'create', '--company', companyId, '--name', name, ...limits, '--json'];
    const { apiKey } = await this.outcomes(create, url);
    await this.query(`UPDATE api_keys SET expires_at = now() + interval '10 years'`, [], database);
    return { companyId, apiKey };
  }

  /** One query as the owner, on a connection of its own. */
  async query(text: string, values: unknown[] = [], database = 'outcomes'): Promise<any[]> {
    const client = new pg.Client({
      connectionString: withDatabase(this.owner, database),
      query_timeout: 120_000,
    });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** A login of a service for another database. */
  loginTo(app: App, database: string) {
    return withDatabase(this.logins[loginNames[app]], database);
  }

  /** Runs the command line. */
  async outcomes(args: string[], database: string = this.logins.cli) {
    return runCli(args, { ...process.env, DATABASE_URL: database, REDIS_URL: this.redisUrl });
  }

  /** Starts a built service as a process of its own. */
  async start(app: App, options: AppOptions = {}): Promise<Running> {
    const { environment = {}, clockShift, probed = false, database, awaitsReady = true } = options;
    const { within = (command) => command, isChanged = false } = options;
    const [port, management, probe] = [await freePort(), await freePort(), await freePort()];
    const preloads = [
      ...(clockShift === undefined ? [] : ['--import', join(import.meta.dirname, 'shifted-clock.mjs')]),
      ...(probed ? ['--import', join(root, 'tools/bench/loop-probe.mjs')] : []),
    ];
    return this.#run(app, {
      ...{
        port,
        management,
        probe,
        ready: `http://127.0.0.1:${management}/${awaitsReady ? 'readyz' : 'livez'}`,
      },
      command: within([process.execPath, ...preloads, programOf(app, { isChanged })]),
      environment: {
        ...{ NODE_ENV: 'production', BIND_ADDRESS: '127.0.0.1', LOG_LEVEL: 'warn' },
        ...{ DATABASE_URL: database ?? this.logins[loginNames[app]], REDIS_URL: this.redisUrl },
        ...{ PORT: String(port), MANAGEMENT_PORT: String(management), LOOP_PROBE_PORT: String(probe) },
        ...(clockShift !== undefined && { CLOCK_SHIFT_MS: String(clockShift) }),
        ...environment,
      },
    });
  }

  /** Starts a service that is broken on purpose: see mutants/server.ts. */
  async startMutant(
    mode: string,
    tenants: readonly Tenant[],
    {
      clockShift = 0,
      database = this.owner,
      probed = false,
    }: { clockShift?: number; database?: string; probed?: boolean } = {},
  ): Promise<Running & { table: string }> {
    const [port, probe] = [await freePort(), await freePort()];
    const keys = Object.fromEntries(tenants.map(({ apiKey, companyId }) => [apiKey, companyId]));
    const preloads = [
      ...['--import', join(import.meta.dirname, 'shifted-clock.mjs')],
      ...(probed ? ['--import', join(root, 'tools/bench/loop-probe.mjs')] : []),
    ];
    const running = await this.#run(`mutant-${mode}`, {
      ...{ port, management: port, probe, ready: `http://127.0.0.1:${port}/` },
      command: [process.execPath, ...preloads, join(import.meta.dirname, 'mutants/server.ts')],
      environment: {
        ...{ DATABASE_URL: database, PORT: String(port), MODE: mode, KEYS: JSON.stringify(keys) },
        ...{ CLOCK_SHIFT_MS: String(clockShift), LOOP_PROBE_PORT: String(probe) },
      },
    });
    return { ...running, table: `mutant_${mode.replaceAll('-', '_')}` };
  }

  /** Ends one service, or all of them. */
  async stop(...running: Running[]) {
    const lives = running.length > 0 ? running.map(({ life }) => life) : this.#services;
    await Promise.all(lives.map((life) => life.stop()));
    this.#services = this.#services.filter((life) => !lives.includes(life));
  }

  abandon() {
    for (const life of [...this.#services, this.redis, this.postgres]) life.abandon();
  }

  async #run(
    name: string,
    {
      port,
      management,
      probe,
      ready,
      command,
      environment,
    }: {
      port: number;
      management: number;
      probe: number;
      ready: string;
      command: string[];
      environment: Record<string, string>;
    },
  ) {
    const env = { PATH: process.env['PATH'] ?? '', ...environment };
    const service = {
      name: `${name}-${++this.#count}`,
      command,
      cwd: root,
      env,
      ready: () => isReady(ready),
    };
    const life = new Life(service, this.directory);
    this.#services.push(life);
    await life.start();
    const at = (number: number) => `http://127.0.0.1:${number}`;
    return { life, url: at(port), management: at(management), probe: at(probe) };
  }
}

/**
 * Starts a Postgres that waits for the disk and a Redis, does the work, and leaves nothing behind.
 * @param settings - of Postgres, beside those that it has by itself
 */
export async function withInstallation<T>(
  work: (installation: Installation) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const directory = join(localDirectory, `reliability-${process.pid}`);
  mkdirSync(directory, { mode: 0o700 });
  const { file } = await findRedis();
  const redisAccess = { port: await freePort(), password: newPassword() };
  const access = { port: await freePort(), password: newPassword() };
  const cluster = {
    ...access,
    ...{ directory: join(directory, 'postgres'), durable: true, maxConnections: 100, settings },
  };
  await initialisePostgres(cluster);
  const postgres = new Life(postgresService(cluster), directory);
  const redis = new Life(
    redisService({ ...redisAccess, file, directory: join(directory, 'redis'), durable: false }),
    directory,
  );
  let installation: Installation | undefined;
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await installation?.stop();
    await installation?.pool.end().catch(() => {});
    await redis.stop();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  watchForShutdown({
    stop: () => void stop().then(() => process.exit(130)),
    force: () => {
      installation?.abandon();
      process.exit(130);
    },
  });
  try {
    await Promise.all([postgres.start(), redis.start()]);
    await createDatabase(postgresUrl(access), 'outcomes');
    const owner = postgresUrl(access, 'outcomes');
    installation = new Installation({ directory, postgres, redis, owner, redisUrl: redisUrl(redisAccess) });
    await installation.prepare();
    return await work(installation);
  } finally {
    await stop();
  }
}

export function withDatabase(url: string, name: string) {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

/** The owner's connections, which outlive a Postgres that is killed. */
export function poolOf(url: string) {
  const pool = new pg.Pool({
    ...{ connectionString: url, max: 4, application_name: 'reliability' },
    ...{ connectionTimeoutMillis: 10_000, query_timeout: 120_000 },
  });
  pool.on('error', () => {});
  return pool;
}

/** The longest stall of the event loop since the last time somebody asked. @returns ms */
export async function longestStall({ probe }: Running): Promise<number> {
  const response = await fetch(probe, { signal: AbortSignal.timeout(30_000) });
  return Number(await response.text());
}
