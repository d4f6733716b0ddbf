// @ts-check
import { randomBytes } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { run } from './processes.mjs';
import { answers, createDatabase, initialisePostgres, postgresService, postgresUrl } from './postgres.mjs';
import { serverVersion, serviceLogins, stopRemains } from './postgres.mjs';
import { findRedis, redisFacts, redisService, redisUrl, requireRecent } from './redis.mjs';
import {
  compiled,
  localDirectory,
  paths,
  programOf,
  readJson,
  root,
  writeJson,
  serviceEnvironmentOf,
  nodeOptionsOf,
} from './settings.mjs';

const database = 'outcomes';
const cli = join(root, 'apps/outcomes-cli/bundle/main.js');

/**
 * What every part of the local installation is told.
 * @typedef {{
 *   ports: Record<import('./settings.mjs').PortName, import('./settings.mjs').Port>,
 *   supervisor: import('./supervisor.mjs').Supervisor, signal: AbortSignal,
 * }} Context
 * @typedef {{ readApi: string, ingestApi: string, mcpGateway: string, analysisWorker: string, console: string, cli: string }} Logins
 */

/** Removes what earlier starts made, and nothing else that may lie in the folder. */
export async function removeData() {
  if (lstatSync(localDirectory).isSymbolicLink()) {
    throw new Failure(
      `${localDirectory} is a symbolic link: --fresh never removes anything outside the project.`,
    );
  }
  await stopRemains(paths.postgres);
  const { postgres, redis, logs, credentials, environment, quickstart, quickstartState } = paths;
  for (const path of [postgres, redis, logs, credentials, environment, quickstart, quickstartState]) {
    // A symbolic link is removed itself, never what it points to.
    rmSync(path, { recursive: true, force: true });
  }
}

/** The passwords of this installation, and the key that secrets of sources are kept under; each made once. */
function credentials() {
  const known = readJson(paths.credentials);
  if (known?.postgres && known?.redis && known?.sourceSecrets) return known;
  const made = {
    postgres: known?.postgres ?? newPassword(),
    redis: known?.redis ?? newPassword(),
    sourceSecrets: known?.sourceSecrets ?? randomBytes(32).toString('base64'),
  };
  writeJson(paths.credentials, made);
  return made;
}

export function newPassword() {
  return randomBytes(24).toString('base64url');
}

/**
 * @param {Context} context
 * @param {string | undefined} own The person's own database, where there is one.
 * @returns {Promise<{ url: string, version: string }>} The owner's URL of a database that answers.
 */
export async function bringUpPostgres({ ports, supervisor, signal }, own) {
  if (own) {
    const version = await serverVersion(own).catch((error) => {
      throw new Failure(`DATABASE_URL does not answer: ${error.message}`);
    });
    return { url: own, version };
  }
  const access = { port: ports.postgres.port, password: credentials().postgres };
  const options = { ...access, directory: paths.postgres, durable: true };
  await initialisePostgres(options, signal);
  await supervisor.start(postgresService(options));
  signal.throwIfAborted();
  await createDatabase(postgresUrl(access), database);
  const url = postgresUrl(access, database);
  return { url, version: await serverVersion(url) };
}

/**
 * @param {Context} context
 * @param {string | undefined} own The URL of the person's own Redis, where there is one.
 * @returns {Promise<{ url: string, version: string, note?: string }>} With what the person should know of their own.
 */
export async function bringUpRedis({ ports, supervisor, signal }, own) {
  if (own) return { url: own, ...(await checkedRedis(own)) };
  const { file, version } = await findRedis(signal);
  const access = { port: ports.redis.port, password: credentials().redis };
  await supervisor.start(redisService({ ...access, file, directory: paths.redis, durable: true }));
  return { url: redisUrl(access), version };
}

/** @param {string} url */
async function checkedRedis(url) {
  const { version, policy } = await redisFacts(url).catch((error) => {
    throw new Failure(`REDIS_URL does not answer: ${error.message}`);
  });
  requireRecent(version, 'REDIS_URL');
  const forgets = policy !== '' && policy !== 'noeviction';
  const note = `REDIS_URL has maxmemory-policy ${policy}; set noeviction, or jobs and limits may be lost.`;
  return { version, ...(forgets && { note }) };
}

/** What a person's own database is called where it is shown. @param {string} url */
export function shownDatabase(url) {
  const parsed = URL.parse(url);
  if (!parsed)
    throw new Failure('DATABASE_URL is no URL such as postgres://owner:password@db:5432/outcomes.');
  return `${parsed.host}${parsed.pathname}`;
}

/**
 * A login has one password: a new one ends whatever else works with it, such as the services of a running installation.
 * @param {string} url The owner's, of a person's own database.
 * @throws {Failure} Where services have logins there that are not those of an earlier start in this folder.
 */
export async function refuseLoginsOfOthers(url) {
  const noted = Object.values(readJson(paths.environment)?.logins ?? {}).filter(
    (login) => shownDatabase(login) === shownDatabase(url),
  );
  const working = await Promise.all(noted.map(async (login) => ((await answers(login)) ? [login] : [])));
  const ours = new Set(working.flat().map((login) => decodeURIComponent(new URL(login).username)));
  const others = (await serviceLogins(url)).filter((name) => !ours.has(name));
  if (others.length === 0) return;
  throw new Failure(
    [
      `DATABASE_URL is ${shownDatabase(url)}, which an installation works with already: npm start would migrate it and give`,
      `its logins new passwords, so that its services could not sign in any more: ${others.join(', ')}.`,
      "Unset DATABASE_URL to start on the project's own Postgres; or, if nothing that runs needs these passwords,",
      'npm start -- --reset-logins.',
    ].join('\n'),
  );
}

/**
 * Brings the database up to date and gives every service a login of its own, where it has none that works.
 * @param {Context} context
 * @param {string} url The owner's.
 * @returns {Promise<Logins>}
 */
export async function migrate({ signal }, url) {
  const known = readJson(paths.environment);
  const env = { ...process.env, DATABASE_URL: url };
  await runCli(['migrate', '--json'], env, signal, 'The database could not be migrated.');
  // Those that an earlier version noted lack the login of the console.
  const isComplete = known?.ownerDatabaseUrl === url && known.logins?.console;
  if (isComplete && (await allAnswer(known.logins))) return known.logins;
  const output = await runCli(['service-logins', '--json'], env, signal, 'The logins could not be made.');
  return JSON.parse(output).logins;
}

/**
 * A database with the newest schema, for tests to copy: that is quicker than to migrate one for each of hundreds of suites.
 * @param {{ port: number, password: string }} postgres A cluster of theirs alone, as its superuser.
 * @param {AbortSignal} signal
 * @returns {Promise<string>} Its name.
 */
export async function makeTemplate(postgres, signal) {
  const name = 'migrated';
  await createDatabase(postgresUrl(postgres), name);
  // Not by the command line, which writes down who migrated: suites begin with nothing written down.
  const migration = `require('@outcomes/persistence').migrateDatabase(process.env.DATABASE_URL)`;
  const { code, output } = await run([process.execPath, '-e', migration], {
    ...{ cwd: root, env: { ...compiled(), ...process.env, DATABASE_URL: postgresUrl(postgres, name) } },
    ...{ signal, timeout: 300_000 },
  });
  signal.throwIfAborted();
  if (code !== 0) throw new Failure(`${output.trim()}\nThe database of the tests could not be migrated.`);
  return name;
}

/** @param {Logins} logins */
async function allAnswer(logins) {
  return (await Promise.all(Object.values(logins).map(answers))).every(Boolean);
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 * @param {string} complaint
 */
async function runCli(args, env, signal, complaint) {
  const { code, stdout, output } = await run([process.execPath, cli, ...args], {
    ...{ cwd: root, env: { ...compiled(), ...env }, signal },
    timeout: 300_000,
  });
  signal.throwIfAborted();
  if (code !== 0) throw new Failure(`${output.trim()}\n${complaint}`);
  return stdout;
}

/** Where people open the console: browsers keep its cookie on localhost. @param {Context['ports']} ports */
const consoleUrl = (ports) => process.env['CONSOLE_ORIGIN'] ?? `http://localhost:${ports.console.port}`;

/**
 * @param {Context} context
 * @param {Logins} logins
 * @param {string} redis Its URL.
 */
export async function startApps({ ports, supervisor }, logins, redis) {
  const secrets = { SOURCE_SECRETS_KEY: process.env['SOURCE_SECRETS_KEY'] ?? credentials().sourceSecrets };
  const apps = [
    { name: 'read-api', url: logins.readApi, port: ports.readApi, management: ports.readApiManagement },
    {
      name: 'ingest-api',
      url: logins.ingestApi,
      port: ports.ingestApi,
      management: ports.ingestApiManagement,
      env: secrets,
    },
    { name: 'mcp-gateway', url: logins.mcpGateway, port: ports.mcp, management: ports.mcpManagement },
    {
      name: 'analysis-worker',
      url: logins.analysisWorker,
      management: ports.analysisWorkerManagement,
      env: secrets,
    },
    {
      name: 'console',
      url: logins.console,
      port: ports.console,
      management: ports.consoleManagement,
      env: {
        CONSOLE_ORIGIN: consoleUrl(ports),
        READ_API_PUBLIC_URL: `http://localhost:${ports.readApi.port}/v1`,
        INGEST_API_PUBLIC_URL: `http://localhost:${ports.ingestApi.port}`,
        MCP_PUBLIC_URL: `http://localhost:${ports.mcp.port}/mcp`,
      },
    },
  ];
  await supervisor.start(
    ...apps.map(({ name, url, port, management, env }) => ({
      name,
      command: [process.execPath, programOf(name)],
      cwd: root,
      env: {
        ...env,
        ...serviceEnvironmentOf(name),
        ...compiled(),
        ...process.env,
        DATABASE_URL: url,
        REDIS_URL: redis,
        MANAGEMENT_PORT: String(management.port),
        ...(port ? { PORT: String(port.port) } : {}),
        NODE_ENV: 'production',
        NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? nodeOptionsOf(name),
        // A demonstration key lies in a file here: nobody outside this machine needs to reach it.
        BIND_ADDRESS: process.env['BIND_ADDRESS'] ?? '127.0.0.1',
        LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
      },
      ready: () => isReady(`http://127.0.0.1:${management.port}/readyz`),
      // An app must survive any crash; nothing is gained by an orderly end that might hang.
      deathSignal: /** @type {const} */ ('KILL'),
    })),
  );
}

/**
 * Not with fetch, which takes twice the CPU: it is asked while everything loads.
 * @param {string} url
 * @returns {Promise<boolean>}
 */
export function isReady(url) {
  return new Promise((answer) => {
    const request = get(url, { timeout: 2_000, agent: false }, (response) => {
      response.resume();
      answer(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => answer(false));
  });
}

/**
 * Notes where everything is, so that `npx outcomes` in this folder finds it.
 * @param {Context} context
 * @param {{ owner: string, logins: Logins, redis: string }} found
 */
export function writeEnvironment({ ports }, { owner, logins, redis }) {
  const environment = {
    readApiUrl: `http://127.0.0.1:${ports.readApi.port}/v1`,
    ingestApiUrl: `http://127.0.0.1:${ports.ingestApi.port}`,
    mcpUrl: `http://127.0.0.1:${ports.mcp.port}/mcp`,
    consoleUrl: consoleUrl(ports),
    redisUrl: redis,
    databaseUrl: logins.cli,
    ownerDatabaseUrl: owner,
    sourceSecretsKey: process.env['SOURCE_SECRETS_KEY'] ?? credentials().sourceSecrets,
    logins,
  };
  writeJson(paths.environment, environment);
  return environment;
}

/**
 * Sends the demonstration history, has it analysed and prints the report; what is done already is not repeated.
 * @param {Context} context
 * @param {ReturnType<typeof writeEnvironment>} environment
 */
export async function runQuickstart({ signal }, environment) {
  const state = ['--state', paths.quickstartState, '--output', paths.quickstart];
  const { code } = await run([process.execPath, cli, 'quickstart', ...state], {
    cwd: root,
    env: {
      ...compiled(),
      ...process.env,
      DATABASE_URL: environment.databaseUrl,
      REDIS_URL: environment.redisUrl,
      READ_API_URL: environment.readApiUrl,
      INGEST_API_URL: environment.ingestApiUrl,
      MCP_URL: environment.mcpUrl,
      CONSOLE_URL: environment.consoleUrl,
    },
    ...{ signal, timeout: 1_800_000, output: /** @type {const} */ ('inherit') },
  });
  signal.throwIfAborted();
  if (code !== 0)
    throw new Failure(`The demonstration did not finish: see above, and the logs in ${paths.logs}.`);
}
