// @ts-check
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { build } from './install.mjs';
import { makeTemplate, newPassword } from './installation.mjs';
import { freePort } from './ports.mjs';
import { findPostgres, initialisePostgres, postgresService, postgresUrl } from './postgres.mjs';
import { postgresVersion } from './postgres.mjs';
import { step } from './progress.mjs';
import { findRedis, redisService, redisUrl } from './redis.mjs';
import { clusterIn, makeRunFolder } from './run-folder.mjs';
import { compiled } from './settings.mjs';
import { watchForShutdown } from './shutdown.mjs';
import { Supervisor } from './supervisor.mjs';

/**
 * Builds, starts the servers that tests need, and stops and removes them however the work ends.
 * @param {(environment: Record<string, string>, signal: AbortSignal) => Promise<void>} work gets what tests find in their
 *   environment, and a signal that is aborted when the program is interrupted.
 */
export async function withTestServers(work) {
  const { directory, remove } = await makeRunFolder('test');
  const abort = new AbortController();
  const supervisor = new Supervisor({
    logs: join(directory, 'logs'),
    processes: join(directory, 'processes.json'),
    // A database that dies under the tests is a finding, not something to paper over.
    restart: false,
    onEvent: ({ name, detail }) =>
      abort.signal.aborted || console.error(`${name} ended during the tests: ${detail}`),
  });
  watchForShutdown({
    stop: (reason) => {
      process.exitCode = reason === 'SIGINT' ? 130 : 143;
      abort.abort(new Failure('Interrupted.'));
    },
    force: () => {
      supervisor.kill();
      process.exit(130);
    },
  });
  try {
    await build(abort.signal);
    await work(await startServices(directory, supervisor, abort.signal), abort.signal);
  } finally {
    abort.abort(new Failure('Over.'));
    await supervisor.stop();
    remove();
  }
}

/**
 * A Postgres without fsync, in memory where there is enough, and a Redis without files, for this run alone.
 * @param {string} directory
 * @param {Supervisor} supervisor
 * @param {AbortSignal} signal
 */
async function startServices(directory, supervisor, signal) {
  const redis = await findRedis(signal);
  const redisAccess = { port: await freePort(), password: newPassword() };
  const access = { port: await freePort(), password: newPassword() };
  const postgres = {
    ...{ ...access, durable: false, maxConnections: 200, settings: { max_wal_size: '256MB' } },
    directory: clusterIn(directory, { inMemory: true }),
  };
  const start = async () => {
    await initialisePostgres(postgres, signal);
    await supervisor.start(
      postgresService(postgres),
      redisService({ ...redisAccess, file: redis.file, directory: join(directory, 'redis'), durable: false }),
    );
  };
  await step('Starting Postgres and Redis', start, signal);
  signal.throwIfAborted();
  const template = await step(
    'Migrating the database that suites copy',
    () => makeTemplate(access, signal),
    signal,
  );
  console.log(
    `  Node ${process.version}, Postgres ${postgresVersion(findPostgres())}, Redis ${redis.version}`,
  );
  return {
    TEST_DATABASE_URL: postgresUrl(access),
    TEST_TEMPLATE: template,
    TEST_REDIS_URL: redisUrl(redisAccess),
    // Hundreds of services are started from the same files.
    ...compiled(),
  };
}
