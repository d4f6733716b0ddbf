import { MIGRATIONS } from '@outcomes/persistence';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { CliConfig } from '../outcomes-cli.config';
import { failureLine } from '../output/cli-failure';

export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'fault';
  /** What was seen; for a fault also what to do. */
  readonly detail: string;
}

const TIMEOUT_MS = 5_000;
const OLDEST_POSTGRES = 150_000;
const OLDEST_REDIS = [6, 2] as const;

/** Looks at an installation from outside; changes nothing. One finding per check, in a fixed order. */
export async function examine(config: CliConfig): Promise<Finding[]> {
  return [...(await examinePostgres(config.databaseUrl)), ...(await examineRedis(config.redisUrl))];
}

async function examinePostgres(url: string | undefined): Promise<Finding[]> {
  if (!url) return [fault('postgres', 'no address known; set DATABASE_URL')];
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  try {
    await client.connect();
  } catch (error) {
    return [fault('postgres', `not reachable (${failureLine(error)}); check DATABASE_URL and that it runs`)];
  }
  try {
    return [
      await versionFinding(client),
      await migrationFinding(client),
      await roleFinding(client),
      await rowSecurityFinding(client),
    ];
  } finally {
    await client.end();
  }
}

async function versionFinding(client: Client): Promise<Finding> {
  const number = Number((await one(client, `SELECT current_setting('server_version_num') AS value`)) ?? 0);
  const shown = `version ${Math.floor(number / 10_000)}.${number % 10_000}`;
  return number >= OLDEST_POSTGRES
    ? ok('postgres', shown)
    : fault('postgres', `${shown}; 15 or newer is needed`);
}

async function migrationFinding(client: Client): Promise<Finding> {
  const known = MIGRATIONS.map((migration) => new migration().name);
  try {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
    const ran = new Set(rows.map(({ name }) => name));
    const missing = known.filter((name) => !ran.has(name));
    return missing.length === 0
      ? ok('migrations', `${known.length} of ${known.length} have run`)
      : fault('migrations', `missing: ${missing.join(', ')}; run "outcomes migrate" as the owner`);
  } catch (error) {
    return fault('migrations', `cannot be read (${failureLine(error)}); run "outcomes migrate" as the owner`);
  }
}

async function roleFinding(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ rolname: string; fault: boolean }>(
    `SELECT r.rolname, (r.rolsuper OR r.rolbypassrls OR EXISTS (
         SELECT FROM pg_class c WHERE c.relowner = r.oid AND c.relnamespace = 'public'::regnamespace)) AS fault
       FROM pg_roles r WHERE r.rolname LIKE 'outcomes\\_%' ORDER BY 1`,
  );
  const faulty = rows.filter((row) => row.fault).map((row) => row.rolname);
  if (rows.length === 0) return fault('roles', 'no service role exists; run "outcomes migrate" as the owner');
  return faulty.length === 0
    ? ok('roles', `${rows.length} service roles, none owns a table or bypasses row-level security`)
    : fault(
        'roles',
        `${faulty.join(', ')} could pass row-level security; take superuser, BYPASSRLS and ownership away`,
      );
}

async function rowSecurityFinding(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ relname: string; secured: boolean }>(
    `SELECT c.relname, (c.relrowsecurity AND c.relforcerowsecurity) AS secured
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id'
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const open = rows.filter((row) => !row.secured).map((row) => row.relname);
  if (rows.length === 0)
    return fault('row-level security', 'no tables yet; run "outcomes migrate" as the owner');
  return open.length === 0
    ? ok('row-level security', `forced on all ${rows.length} tables with tenant data`)
    : fault('row-level security', `not forced on ${open.join(', ')}; run "outcomes migrate" as the owner`);
}

async function examineRedis(url: string | undefined): Promise<Finding[]> {
  if (!url) return [fault('redis', 'no address known; set REDIS_URL')];
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return [await redisVersionFinding(redis), await evictionFinding(redis)];
  } catch (error) {
    return [fault('redis', `not reachable (${failureLine(error)}); check REDIS_URL and that it runs`)];
  } finally {
    redis.disconnect();
  }
}

async function redisVersionFinding(redis: Redis): Promise<Finding> {
  const version = /redis_version:(\d+)\.(\d+)/.exec(await redis.info('server'));
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  const enough = major > OLDEST_REDIS[0] || (major === OLDEST_REDIS[0] && minor >= OLDEST_REDIS[1]);
  return enough
    ? ok('redis', `version ${major}.${minor}`)
    : fault('redis', `version ${major}.${minor}; ${OLDEST_REDIS.join('.')} or newer is needed`);
}

async function evictionFinding(redis: Redis): Promise<Finding> {
  const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1] ?? 'unknown';
  return policy === 'noeviction'
    ? ok('redis eviction', policy)
    : fault('redis eviction', `${policy}; set maxmemory-policy noeviction, or jobs and limits may vanish`);
}

async function one(client: Client, text: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>(text);
  return rows[0]?.value;
}

function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

function fault(check: string, detail: string): Finding {
  return { check, state: 'fault', detail };
}
