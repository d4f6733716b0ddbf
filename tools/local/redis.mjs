// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { librariesIn, unpackPackage } from './debian-package.mjs';
import { Failure } from './failure.mjs';
import { step } from './progress.mjs';
import { onPath, run } from './processes.mjs';
import { paths } from './settings.mjs';

const oldest = [6, 2];
const advice =
  'Redis 6.2 or newer is needed: install it (Debian, Ubuntu: sudo apt-get install redis-server), or set REDIS_URL.';

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ file: string, version: string }>} A Redis server, installed first where that is possible.
 */
export async function findRedis(signal) {
  const file = onServerPath() ?? (await installRedis(signal));
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 5_000 });
  const version = /v=(\d+\.\d+[.\d]*)/.exec(stdout ?? '')?.[1] ?? '';
  requireRecent(version, file);
  return { file, version };
}

/** Valkey is Redis' free continuation, and what newer systems carry. */
function onServerPath() {
  return onPath('redis-server') ?? onPath('valkey-server');
}

/** @param {string} version @param {string} where */
export function requireRecent(version, where) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Failure(`${where} is Redis ${version || 'of an unknown version'}. ${advice}`);
}

/** @param {AbortSignal} [signal] @returns {Promise<string>} */
async function installRedis(signal) {
  const debian = /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readOrEmpty('/etc/os-release'));
  if (!debian || !onPath('apt-get')) throw new Failure(advice);
  return process.getuid?.() === 0 ? installAsRoot(signal) : unpackedRedis(paths.redisPackage, signal);
}

/** @param {AbortSignal} [signal] @returns {Promise<string>} */
async function installAsRoot(signal) {
  // RUNLEVEL=1 and, below, systemctl: the package shall not start a Redis of the system's beside ours.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { env, signal, timeout: 300_000 };
  const quiet = ['-o', 'DPkg::Lock::Timeout=120', '-qq'];
  const install = ['apt-get', ...quiet, 'install', '-y', '--no-install-recommends', 'redis-server'];
  const work = async () => {
    let result = await run(install, options);
    // A bare system has no package lists yet, or old ones.
    let warnings = '';
    if (result.code !== 0) {
      warnings = (await run(['apt-get', ...quiet, 'update'], options)).output;
      result = await run(install, options);
    }
    signal?.throwIfAborted();
    if (result.code !== 0) throw new Failure(`${`${warnings}${result.output}`.trim()}\n${advice}`);
  };
  await step('No Redis found. Installing it: apt-get install -y redis-server', work, signal);
  if (existsSync('/run/systemd/system')) {
    spawnSync('systemctl', ['disable', '--now', 'redis-server'], { timeout: 30_000 });
  }
  const file = onServerPath();
  if (!file) throw new Failure(advice);
  return file;
}

/**
 * Who may not install a package may still unpack one.
 * @param {string} folder
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
export async function unpackedRedis(folder, signal) {
  const server = join(folder, 'usr/bin/redis-server');
  if (!existsSync(server)) {
    const title = "No Redis found. Unpacking the distribution's redis-server into .local";
    await step(title, () => unpackPackage('redis-server', folder, signal), signal).catch((error) => {
      signal?.throwIfAborted();
      throw new Failure(`${error.message}\n${advice}`);
    });
  }
  // Its libraries are not where the system looks for them.
  const program = join(folder, 'redis-server');
  const libraries = quoted(librariesIn(folder).join(':'));
  const lines = ['#!/bin/sh', `LD_LIBRARY_PATH=${libraries} exec ${quoted(server)} "$@"`];
  writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o700 });
  return program;
}

/** @param {string} text @returns {string} As the shell reads it back. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** @param {string} file */
function readOrEmpty(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * @param {{ file: string, directory: string, port: number, password: string, durable: boolean }} options
 * `durable: false` keeps everything in memory, for tests.
 * @returns {import('./supervisor.mjs').Service} Redis on 127.0.0.1 only, with a password.
 */
export function redisService({ file, directory, port, password, durable }) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const configuration = join(directory, 'redis.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${JSON.stringify(directory)}`,
    // In the file, not on the command line, which every user of the machine can read.
    `requirepass ${password}`,
    'maxmemory-policy noeviction',
    `appendonly ${durable ? 'yes' : 'no'}`,
    'save ""',
    'daemonize no',
  ];
  writeFileSync(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
  const url = redisUrl({ port, password });
  return {
    name: 'redis',
    command: [file, configuration],
    ready: () => redisVersion(url).then(Boolean, () => false),
  };
}

/** @param {{ port: number, password: string }} options */
export function redisUrl({ port, password }) {
  return `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

/**
 * @param {string} url
 * @returns {Promise<string>} The version of the server that answers there, within 3 s.
 */
export async function redisVersion(url) {
  return (await redisFacts(url)).version;
}

/**
 * @param {string} url
 * @returns {Promise<{ version: string, policy: string }>} The same, and what it does where its memory is full.
 */
export async function redisFacts(url) {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Calls only say that the connection is closed; this says why.
  /** @type {Error | undefined} */
  let fault;
  client.on('error', (error) => (fault = error));
  try {
    await client.connect();
    // While it still loads its file, INFO is answered and nothing else would be.
    await client.ping();
    const info = await client.info();
    const fact = (/** @type {string} */ name) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
    return { version: fact('redis_version'), policy: fact('maxmemory_policy') };
  } catch (error) {
    throw fault ?? error;
  } finally {
    client.disconnect();
  }
}
