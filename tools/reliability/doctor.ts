import { Redis } from 'ioredis';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isReady, newPassword } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { within } from '../local/processes.mjs';
import { findRedis, redisService, redisUrl } from '../local/redis.mjs';
import { outcomes } from './empty-cluster.ts';
import { withDatabase, type App, type Installation, type Running } from './installation.ts';
import { Life } from './life.ts';
import type { Report } from './report.ts';
import type { Section } from './section.ts';

type Variables = Record<string, string>;

const database = 'doctor';
const patience = 30_000;
const minutesAhead = 10;

/**
 * Whatever breaks an installation is found by the doctor under the name of what it looks at, services that cannot work say so in
 * readyz, and `outcomes migrate` puts back what protects the tables.
 */
export async function verifyDoctor({ installation, report }: Section) {
  const line = { promise: 'doctor', limit: { exactly: 0 } };
  await installation.addDatabase(database);
  const owner = withDatabase(installation.owner, database);
  const query = (text: string) => installation.query(text, [], database);
  const variables = variablesOf(installation);
  const findings = async (changes: Variables = {}) => {
    const { stdout } = await outcomes(['doctor', '--json'], { ...variables, ...changes });
    const said: { findings: { check: string; state: string; detail: string }[] } = JSON.parse(stdout);
    return said.findings.filter(({ state }) => state === 'fault');
  };
  const healthy = async (when: string) => {
    const found = await findings();
    for (const { check, detail } of found) report.note(`${check}: ${detail}`);
    report.check({ ...line, what: `${when}: faults`, value: found.length });
  };
  const caught = async (what: string, check: string, changes: Variables = {}) => {
    const found = await findings(changes);
    report.mutation({
      ...{ ...line, what: `${what}: faults at "${check}"` },
      value: found.filter((one) => one.check === check).length,
    });
  };
  await healthy('an installation that is well');

  for (const { what, check, harm } of PROTECTION) {
    await query(harm);
    await caught(what, check);
  }
  await installation.outcomes(['migrate', '--json'], owner);
  await healthy('after outcomes migrate, which puts back what was taken');

  const reader = new URL(installation.logins.readApi).username;
  await query(`CREATE ROLE doctor_superior NOLOGIN BYPASSRLS; GRANT doctor_superior TO ${reader}`);
  await caught('a login that could pass row-level security', 'roles');
  await query(`REVOKE doctor_superior FROM ${reader}; DROP ROLE doctor_superior`);
  await caught('a login of the database beside it that nobody has named', 'neighbours', {
    CONSOLE_DATABASE_URL: variables.READ_API_DATABASE_URL as string,
  });
  const clock = join(import.meta.dirname, 'shifted-clock.mjs');
  await caught(`a clock that is ${minutesAhead} minutes ahead`, 'clock', {
    ...{ NODE_OPTIONS: `--import ${clock}`, CLOCK_SHIFT_MS: String(minutesAhead * 60_000) },
  });
  await verifyReadiness({ installation, report, query, caught });
  await verifyRedis(installation, caught);
  await healthy('with everything put back');
}

/** What protects the tables, taken away. */
const PROTECTION = [
  {
    ...{ what: 'a service that may not store what it takes', check: 'as ingest-api' },
    harm: 'REVOKE INSERT ON outcome_events FROM outcomes_ingest',
  },
  {
    ...{ what: 'a service that may not write its audit rows', check: 'as mcp-gateway' },
    harm: 'REVOKE INSERT ON audit_log FROM outcomes_reader',
  },
  { what: 'a policy that is gone', check: 'protection', harm: 'DROP POLICY own_company ON snapshots' },
  {
    ...{ what: 'a table without row-level security', check: 'as ingest-api' },
    harm: 'GRANT INSERT ON outcome_events TO outcomes_ingest; ALTER TABLE erasures DISABLE ROW LEVEL SECURITY',
  },
];

function variablesOf(installation: Installation): Variables {
  const urlOf = (login: string) => withDatabase(login, database);
  const { cli, readApi, ingestApi, mcpGateway, analysisWorker, console: consoleLogin } = installation.logins;
  return {
    ...{ REDIS_URL: installation.redisUrl, REDIS_PREFIX: '{doctor}', DATABASE_URL: urlOf(cli) },
    ...{ READ_API_DATABASE_URL: urlOf(readApi), INGEST_API_DATABASE_URL: urlOf(ingestApi) },
    MCP_GATEWAY_DATABASE_URL: urlOf(mcpGateway),
    ...{ ANALYSIS_WORKER_DATABASE_URL: urlOf(analysisWorker), CONSOLE_DATABASE_URL: urlOf(consoleLogin) },
  };
}

/** A schema that is behind, and a database that takes no writes: no service is ready, until it is as it was. */
async function verifyReadiness({
  installation,
  report,
  query,
  caught,
}: {
  installation: Installation;
  report: Report;
  query: (text: string) => Promise<any[]>;
  caught: (what: string, check: string) => Promise<void>;
}) {
  const line = { promise: 'doctor', limit: { exactly: 0 } };
  const apps: App[] = ['ingest-api', 'read-api', 'mcp-gateway', 'analysis-worker'];
  const services: Running[] = [];
  for (const app of apps)
    services.push(
      await installation.start(app, {
        ...{ database: installation.loginTo(app, database), environment: { REDIS_PREFIX: '{doctor}' } },
      }),
    );
  const readyOnes = async (wanted: boolean) => {
    const all = () => Promise.all(services.map(({ management }) => isReady(`${management}/readyz`)));
    await within(patience, async () => (await all()).every((is) => is === wanted));
    return (await all()).filter(Boolean).length;
  };
  const harms = [
    {
      ...{ what: 'a schema that is behind', check: 'migrations' },
      harm: `UPDATE schema_migrations SET name = 'Later' || name WHERE id = (SELECT max(id) FROM schema_migrations)`,
      fix: `UPDATE schema_migrations SET name = substr(name, 6) WHERE name LIKE 'Later%'`,
    },
    {
      ...{ what: 'a database that takes no writes', check: 'primary' },
      harm: `ALTER DATABASE ${database} SET default_transaction_read_only = on;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid()`,
      fix: `BEGIN READ WRITE; ALTER DATABASE ${database} RESET default_transaction_read_only; COMMIT`,
    },
  ];
  for (const { what, check, harm, fix } of harms) {
    report.check({
      ...{ ...line, what: `before ${what}: services of ${apps.length} that are not ready` },
      value: apps.length - (await readyOnes(true)),
    });
    await query(harm);
    report.check({
      ...line,
      what: `${what}: services that are ready all the same`,
      value: await readyOnes(false),
    });
    await caught(what, check);
    await query(fix);
  }
  report.check({
    ...{ ...line, what: `put right: services of ${apps.length} that are not ready again` },
    value: apps.length - (await readyOnes(true)),
  });
  await installation.stop();
}

async function verifyRedis(
  installation: Installation,
  caught: (what: string, check: string, changes?: Variables) => Promise<void>,
) {
  const { file } = await findRedis();
  const directory = join(installation.directory, 'doctor-redis');
  mkdirSync(directory, { recursive: true });
  const access = { port: await freePort(), password: newPassword() };
  const service = redisService({ ...access, file, directory, durable: false });
  const alone = await new Life({ ...service, name: 'redis-doctor' }, installation.directory).start();
  const url = redisUrl(access);
  const redis = new Redis(url);
  redis.on('error', () => {});
  const changes = { REDIS_URL: url };
  try {
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await caught('a Redis that forgets what it has no room for', 'redis eviction', changes);
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    await redis.replicaof('127.0.0.1', 1);
    await caught('a Redis that is a replica', 'redis topology', changes);
    await redis.replicaof('NO', 'ONE');
  } finally {
    redis.disconnect();
    await alone.stop();
  }
  const cluster = {
    ...service,
    name: 'redis-cluster',
    command: [...service.command, '--cluster-enabled', 'yes'],
  };
  const life = await new Life(cluster, installation.directory).start();
  try {
    await caught('a Redis Cluster', 'redis topology', changes);
  } finally {
    await life.stop();
  }
  await caught('a Redis that is away', 'redis', changes);
}
