// @ts-check
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, onProjectNode } from './local/install.mjs';
import { makeTemplate, newPassword } from './local/installation.mjs';
import { takeLock } from './local/lock.mjs';
import { freePort } from './local/ports.mjs';
import { findPostgres, initialisePostgres, postgresService, postgresUrl } from './local/postgres.mjs';
import { postgresVersion, stopRemains } from './local/postgres.mjs';
import { run } from './local/processes.mjs';
import { program } from './local/program.mjs';
import { step } from './local/progress.mjs';
import { findRedis, redisService, redisUrl } from './local/redis.mjs';
import { Failure } from './local/failure.mjs';
import { compiled, ensureLocalDirectory, localDirectory, requireFreeSpace, root } from './local/settings.mjs';
import { watchForShutdown } from './local/shutdown.mjs';
import { Supervisor } from './local/supervisor.mjs';

/** How long a step may take; suites at full size say that they need longer. */
const longest = Number(process.env['TEST_LONGEST_MINUTES'] ?? 60) * 60_000;

/**
 * What `--pods N` asks for: the black-box suites, with N processes of each service behind a proxy that gives each
 * request to the next of them. Everything else goes to Jest.
 * @param {string[]} args
 * @returns {{ jestArgs: string[], environment: Record<string, string>, patience: number }}
 */
function chosenBy(args) {
  const at = args.indexOf('--pods');
  if (at < 0) return { jestArgs: args, environment: {}, patience: longest };
  const pods = Number(args[at + 1]);
  if (!Number.isInteger(pods) || pods < 1) throw new Failure('--pods takes a whole number, 1 or more.');
  const rest = args.toSpliced(at, 2);
  // One file at a time: each starts so many processes already.
  const forced = ['--testPathPatterns', 'e2e-spec', '--maxWorkers=1', `--testTimeout=${60_000 * pods}`];
  return {
    jestArgs: [...forced, ...rest],
    environment: { TEST_PODS: String(pods) },
    patience: pods * longest,
  };
}

/** @param {string[]} args */
async function test(args) {
  const { jestArgs, environment: chosen, patience } = chosenBy(args);
  ensureLocalDirectory();
  await requireFreeSpace(500);
  await removeAbandoned();
  const directory = join(localDirectory, `test-${process.pid}`);
  mkdirSync(directory, { mode: 0o700 });
  takeLock(lockIn(directory));
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
    const environment = await startServices(directory, supervisor, abort.signal);
    // Arguments ask for a part of the Jest tests.
    const toolsCode = jestArgs.length > 0 ? 0 : await testTools(abort.signal);
    const jestCode = await runJest(jestArgs, { ...environment, ...chosen }, patience, abort.signal);
    abort.signal.throwIfAborted();
    process.exitCode = jestCode || toolsCode;
    if (toolsCode !== 0) console.error('The tests in tools/ failed: see above.');
  } finally {
    abort.abort(new Failure('Over.'));
    await supervisor.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * A Postgres without fsync and a Redis without files, for this run alone.
 * @param {string} directory
 * @param {Supervisor} supervisor
 * @param {AbortSignal} signal
 */
async function startServices(directory, supervisor, signal) {
  const redis = await findRedis(signal);
  const redisAccess = { port: await freePort(), password: newPassword() };
  const access = { port: await freePort(), password: newPassword() };
  const postgres = { ...access, directory: join(directory, 'postgres'), durable: false, maxConnections: 200 };
  await step('Starting Postgres and Redis', async () => {
    await initialisePostgres(postgres, signal);
    await supervisor.start(
      postgresService(postgres),
      redisService({ ...redisAccess, file: redis.file, directory: join(directory, 'redis'), durable: false }),
    );
  });
  signal.throwIfAborted();
  const template = await step('Migrating the database that suites copy', () => makeTemplate(access, signal));
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

/** @param {AbortSignal} signal */
async function testTools(signal) {
  const tools = join(root, 'tools');
  const specs = readdirSync(tools, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.spec\.(mjs|ts)$/.test(file),
  );
  if (specs.length === 0) return 0;
  const command = [process.execPath, '--test', ...specs.map((file) => join(tools, file))];
  const { code } = await run(command, { cwd: root, signal, timeout: longest, output: 'inherit' });
  signal.throwIfAborted();
  return code;
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} environment
 * @param {number} timeout
 * @param {AbortSignal} signal
 */
async function runJest(args, environment, timeout, signal) {
  const jest = [process.execPath, join(root, 'node_modules/jest/bin/jest.js'), '--config', 'jest.config.js'];
  const workers = args.some((arg) => /^(--maxWorkers|-w|--runInBand|-i)\b/.test(arg))
    ? []
    : ['--maxWorkers=2'];
  const env = { ...process.env, ...environment };
  const { code } = await run([...jest, ...workers, ...args], {
    ...{ cwd: root, env, signal, timeout },
    output: 'inherit',
  });
  return code;
}

/** Removes the folders of test runs that were killed: nobody holds their lock any more. */
async function removeAbandoned() {
  for (const name of readdirSync(localDirectory)) {
    const directory = join(localDirectory, name);
    if (!/^test-\d+$/.test(name)) continue;
    const release = existsSync(lockIn(directory)) ? takeLock(lockIn(directory)) : () => {};
    if (!release) continue;
    await stopRemains(join(directory, 'postgres'));
    rmSync(directory, { recursive: true, force: true });
    release();
  }
}

/** @param {string} directory */
function lockIn(directory) {
  return join(directory, 'lock');
}

await program(() => {
  const args = process.argv.slice(2);
  return onProjectNode(import.meta.filename, args, () => test(args));
});
