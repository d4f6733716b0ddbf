// `npm run verify:statements`: what services really send to Postgres, held against what Citus asks of it.
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Failure } from '../local/failure.mjs';
import { build } from '../local/install.mjs';
import { makeTemplate, newPassword } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { initialisePostgres, postgresService, postgresUrl } from '../local/postgres.mjs';
import { run } from '../local/processes.mjs';
import { program } from '../local/program.mjs';
import { findRedis, redisService, redisUrl } from '../local/redis.mjs';
import { ensureLocalDirectory, localDirectory, root } from '../local/settings.mjs';
import { Supervisor } from '../local/supervisor.mjs';
import { isExplained, idleExceptions } from './statement-exceptions.ts';
import { faultsOf, spread } from './statements.ts';

const help = `Usage: npm run verify:statements [-- --projects NAME ...]

Runs the suites that work on a real Postgres, which writes down every statement of every login that is not its
owner's, those inside functions too, and holds each statement, as Citus would get it (citus-dialect of
libs/persistence), against the rules of tools/deploy/statements.ts: what touches a table that k8s/citus.sql spreads says whose rows it means. Exceptions stand in
tools/deploy/statement-exceptions.ts, each with its reason, and one that no statement needs any more is a failure.

  --projects NAME ...   only the suites of these projects; exceptions may then be without a statement`;

const timeout = 40 * 60_000;
/** Takes the company out of statements on their way to Postgres, to see that row-level security holds alone. */
const deliberatelyWrong = 'surfaces-e2e/test/cross-tenant';

/** @returns Statements of all logins but the owner. */
async function recorded(url: string): Promise<{ query: string; toplevel: boolean }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT query, bool_or(toplevel) AS toplevel FROM pg_stat_statements
       WHERE userid <> (SELECT oid FROM pg_roles WHERE rolname = current_user) GROUP BY query ORDER BY query`,
    );
    const { rows: info } = await client.query('SELECT dealloc::int FROM pg_stat_statements_info');
    if (info[0].dealloc > 0)
      throw new Failure('Postgres has forgotten statements: pg_stat_statements.max is too small.');
    return rows;
  } finally {
    await client.end();
  }
}

function print(line: string, holds: boolean) {
  console.log(`${holds ? 'PASS' : 'FAIL'}  ${line}`);
  if (!holds) process.exitCode = 1;
}

function judge(recorded: { query: string; toplevel: boolean }[], isWhole: boolean) {
  const { textInCitus } = createRequire(import.meta.url)(
    join(root, 'libs/persistence/dist/database/citus-dialect.js'),
  );
  const statements = recorded.map(({ query }) => ({ query: textInCitus(query) }));
  const names = new RegExp(`\\b(${[...spread].join('|')})\\b`);
  const ours = statements.filter(({ query }) => names.test(query));
  print(`${ours.length} of ${statements.length} statements name a spread table`, ours.length > 0);
  const used = new Set([...spread].filter((table) => ours.some(({ query }) => query.includes(table))));
  if (isWhole) print(`they name ${used.size} of ${spread.size} spread tables`, used.size === spread.size);
  const found = ours
    .map(({ query }) => ({ query, faults: faultsOf(query) }))
    .filter(({ faults }) => faults.length > 0);
  const bad = found.filter(({ query }) => !isExplained(query));
  print(`${found.length - bad.length} are explained exceptions, ${bad.length} are faults`, bad.length === 0);
  for (const { query, faults } of bad) console.log(`\n${faults.join('; ')}\n${query}\n`);
  const idle = idleExceptions(found.map(({ query }) => query));
  if (isWhole) print(`exceptions that nothing needs: ${idle.join(', ') || 'none'}`, idle.length === 0);
}

async function record(projects: string[]) {
  const directory = join(localDirectory, `statements-${process.pid}`);
  mkdirSync(directory, { mode: 0o700 });
  const supervisor = new Supervisor({
    logs: join(directory, 'logs'),
    processes: join(directory, 'processes.json'),
    restart: false,
  });
  try {
    const { file } = await findRedis();
    const redis = { port: await freePort(), password: newPassword() };
    const postgres = {
      ...{ port: await freePort(), password: newPassword() },
      ...{ directory: join(directory, 'postgres'), durable: false, maxConnections: 200 },
    };
    await initialisePostgres(postgres);
    appendFileSync(
      join(postgres.directory, 'postgresql.conf'),
      `shared_preload_libraries = 'pg_stat_statements'\ncompute_query_id = on
pg_stat_statements.max = 100000\npg_stat_statements.track = all\n`,
    );
    await supervisor.start(
      postgresService(postgres),
      redisService({ ...redis, file, directory: join(directory, 'redis'), durable: false }),
    );
    const url = postgresUrl(postgres);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('CREATE EXTENSION pg_stat_statements');
    await client.end();
    const jest = [
      process.execPath,
      join(root, 'node_modules/jest/bin/jest.js'),
      '--config',
      'jest.config.js',
    ];
    const which = projects.length > 0 ? ['--selectProjects', ...projects] : [];
    const command = [
      ...jest,
      '--maxWorkers=2',
      '--testTimeout=120000',
      '--testPathPatterns',
      '(int|e2e)-spec',
      ...['--testPathIgnorePatterns', deliberatelyWrong],
      ...which,
    ];
    const servers = {
      TEST_DATABASE_URL: url,
      TEST_TEMPLATE: await makeTemplate(postgres, new AbortController().signal),
      TEST_REDIS_URL: redisUrl(redis),
    };
    const env = { ...process.env, ...servers };
    const { code } = await run(command, { cwd: root, env, timeout, output: 'inherit' });
    if (code !== 0) print('the suites are green', false);
    judge(await recorded(url), projects.length === 0);
  } finally {
    await supervisor.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

await program(async () => {
  const { values, positionals } = parseArgs({
    options: { projects: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.help) return console.log(help);
  ensureLocalDirectory();
  await build(new AbortController().signal);
  await record(values.projects ? positionals : []);
});
