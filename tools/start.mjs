// @ts-check
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { build, onProjectNode } from './local/install.mjs';
import * as installation from './local/installation.mjs';
import { takeLock } from './local/lock.mjs';
import { requireFree } from './local/ports.mjs';
import { program } from './local/program.mjs';
import { step } from './local/progress.mjs';
import { ensureLocalDirectory, paths, portsFrom, requireFreeSpace } from './local/settings.mjs';
import { watchForShutdown } from './local/shutdown.mjs';
import { Supervisor } from './local/supervisor.mjs';
import { together } from './local/together.mjs';

const help = `Usage: npm start [-- --fresh] [--reset-logins]

Installs, builds and runs everything on this machine until Ctrl-C: Postgres, Redis, the five services and a
demonstration company. Data is kept in .local/ and reused at the next start.

  --fresh         remove the data of earlier starts first
  --reset-logins  give the logins of services in DATABASE_URL new passwords although others may work with them
  --help          this text

If set, DATABASE_URL and REDIS_URL are used instead of its own Postgres and Redis.
Ports: CONSOLE_PORT 3000, READ_API_PORT 3001, INGEST_API_PORT 3002, MCP_PORT 3003, POSTGRES_PORT 54329,
REDIS_PORT 63799;
management: CONSOLE_MANAGEMENT_PORT 9000, READ_API_MANAGEMENT_PORT 9001, INGEST_API_MANAGEMENT_PORT 9002, MCP_MANAGEMENT_PORT 9003,
ANALYSIS_WORKER_MANAGEMENT_PORT 9004.
Only this machine reaches the services unless BIND_ADDRESS says otherwise (127.0.0.1). Their other settings, which are in
docs/settings.md, are taken from the environment, too.`;

/** @typedef {{ fresh: boolean, resetLogins: boolean }} Wishes */

/** @returns {Wishes & { help: boolean }} */
function options() {
  try {
    const { values } = parseArgs({
      options: {
        ...{ fresh: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
        'reset-logins': { type: 'boolean', default: false },
      },
    });
    const { fresh, help, 'reset-logins': resetLogins } = values;
    return { fresh: fresh === true, help: help === true, resetLogins: resetLogins === true };
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : error}\n\n${help}`);
  }
}

/** @param {Wishes} wishes */
async function start(wishes) {
  const ports = portsFrom(process.env);
  ensureLocalDirectory();
  await requireFreeSpace(500);
  // A start that is just ending gets a moment to do so.
  if (!takeLock(paths.startLock, 3)) {
    throw new Failure('npm start is already running in this folder: use it, or stop it with Ctrl-C first.');
  }
  const abort = new AbortController();
  const supervisor = new Supervisor({
    logs: paths.logs,
    processes: paths.processes,
    onEvent: ({ name, kind, detail }) => {
      if (abort.signal.aborted) return;
      console.log(
        kind === 'ended' ? `  ${name} ended (${detail}): restarting it` : `  ${name} is ready again`,
      );
    },
  });
  const stopped = new Promise((stop) =>
    watchForShutdown({
      stop: (reason) => {
        process.exitCode = reason === 'SIGINT' ? 130 : 143;
        abort.abort(new Failure('Stopping ...'));
        stop(reason);
      },
      force: () => {
        supervisor.kill();
        process.exit(130);
      },
    }),
  );
  try {
    await bringUp({ ports, supervisor, signal: abort.signal }, wishes);
    await stopped;
    console.log('Stopping ...');
    process.exitCode = 0;
  } finally {
    await supervisor.stop();
  }
  console.log('Stopped.');
}

/**
 * @param {import('./local/installation.mjs').Context} context
 * @param {Wishes} wishes
 */
async function bringUp(context, { fresh, resetLogins }) {
  const { ports, supervisor, signal } = context;
  const { DATABASE_URL: database, REDIS_URL: redis } = process.env;
  if (database) console.log(`  Using the database of DATABASE_URL: ${installation.shownDatabase(database)}`);
  const { postgres: postgresPort, redis: redisPort, ...appPorts } = ports;
  await supervisor.reclaim();
  await requireFree([
    ...Object.values(appPorts),
    ...(database ? [] : [postgresPort]),
    ...(redis ? [] : [redisPort]),
  ]);
  if (fresh) await step('Removing earlier data', installation.removeData);
  if (fresh && database) console.log('  Note: the data in DATABASE_URL is not removed.');
  const [, services] = await together(signal, build, (signal) =>
    step(
      'Starting Postgres and Redis',
      () =>
        together(
          signal,
          (signal) => installation.bringUpPostgres({ ...context, signal }, database),
          (signal) => installation.bringUpRedis({ ...context, signal }, redis),
        ),
      signal,
    ),
  );
  signal.throwIfAborted();
  const [{ url: owner, version: postgresVersion }, { url: redisUrl, version: redisVersion, note }] = services;
  console.log(`  Node ${process.version}, Postgres ${postgresVersion}, Redis ${redisVersion}`);
  if (note !== undefined) console.log(`  Note: ${note}`);
  if (database && !resetLogins) await installation.refuseLoginsOfOthers(owner);
  const logins = await step('Migrating the database', () => installation.migrate(context, owner), signal);
  const environment = installation.writeEnvironment(context, { owner, logins, redis: redisUrl });
  await step('Starting the services', () => installation.startApps(context, logins, redisUrl), signal);
  signal.throwIfAborted();
  await installation.runQuickstart(context, environment);
  console.log(`\nEverything is running; logs are in ${paths.logs}. Ctrl-C stops it.`);
}

await program(async () => {
  const { help: helpWanted, ...wishes } = options();
  if (helpWanted) return console.log(help);
  await onProjectNode(import.meta.filename, process.argv.slice(2), () => start(wishes));
});
