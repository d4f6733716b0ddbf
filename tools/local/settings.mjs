// @ts-check
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Failure } from './failure.mjs';

/** The folder of the project: everything else is derived from it. */
export const root = resolve(import.meta.dirname, '../..');

/** Everything that runs locally keeps its data below this folder, and nothing outside it. */
export const localDirectory = join(root, '.local');

/**
 * How V8 keeps house in the services, here and in the images (docker/Dockerfile). Left alone it lets the heap of a
 * busy process grow to twice the size before it collects; this costs little CPU and halves the resident memory. With 4 MB
 * for what is young, counting costs a tenth more in the worker, which then copies again and again what it has just read.
 */
const thrifty = '--max-semi-space-size=8 --max-old-space-size=256';
/**
 * Of the services that answer many small requests. A heap that may not grow is collected as a whole again and again,
 * and what is young only because many are under way at once is taken for old: a read of Postgres and an event cost a
 * fifth less with this, and up to 80 MB more. From 2,048 on V8 lets a heap grow to four times what lives, and an attack takes
 * all the memory of a pod (tools/floors/README.md).
 */
const answering = '--max-semi-space-size=32 --max-old-space-size=2000';
const answeringApps = ['read-api', 'mcp-gateway', 'ingest-api'];

/** @param {string} app @returns {string} NODE_OPTIONS */
export function nodeOptionsOf(app) {
  return answeringApps.includes(app) ? answering : thrifty;
}

/**
 * What else the images set. Arenas of malloc would each keep memory of their own. Blocks of a page or more it is to give
 * back to the system at once. The worker reads the counts of thousands of campaigns in such blocks, and what malloc keeps
 * of them between others it gives back to nobody: of a million messages, analysed, rebuilt and followed day by day, 82 MB
 * with blocks of 64 KB and more given back, 35 with those of 4 KB, at no cost that could be measured.
 */
const arenas = { MALLOC_ARENA_MAX: '2' };
const givenBack = { ...arenas, MALLOC_MMAP_THRESHOLD_: '4096', MALLOC_TRIM_THRESHOLD_: '65536' };

/** @param {string} app @returns {Record<string, string>} */
export function serviceEnvironmentOf(app) {
  return answeringApps.includes(app) ? arenas : givenBack;
}

/**
 * Where processes of the services and of the command line keep compiled code: compiling is two fifths of what loading one takes.
 */
export const compiled = () => ({
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? paths.compileCache,
});

/**
 * What is started of an application.
 * @param {string} app
 * @param {{ isChanged?: boolean }} [options] - whether something that is preloaded changes its classes: then the compiled
 *   files, of which it can load each, instead of the bundle that is shipped
 */
export const programOf = (app, { isChanged = false } = {}) =>
  join(root, 'apps', app, isChanged ? 'dist' : 'bundle', 'main.js');

export const paths = {
  projectNode: join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`),
  logs: join(localDirectory, 'logs'),
  postgres: join(localDirectory, 'postgres'),
  redis: join(localDirectory, 'redis'),
  redisPackage: join(localDirectory, 'redis-package'),
  credentials: join(localDirectory, 'credentials.json'),
  environment: join(localDirectory, 'environment.json'),
  processes: join(localDirectory, 'processes.json'),
  quickstart: join(localDirectory, 'quickstart.json'),
  quickstartState: join(localDirectory, 'quickstart-state.json'),
  startLock: join(localDirectory, 'start.lock'),
  workspaceLock: join(localDirectory, 'workspace.lock'),
  compileCache: join(localDirectory, 'compile-cache'),
};

/** The ports of `npm start`, each with the variable that changes it. */
const defaultPorts = {
  console: { variable: 'CONSOLE_PORT', port: 3000 },
  readApi: { variable: 'READ_API_PORT', port: 3001 },
  ingestApi: { variable: 'INGEST_API_PORT', port: 3002 },
  mcp: { variable: 'MCP_PORT', port: 3003 },
  readApiManagement: { variable: 'READ_API_MANAGEMENT_PORT', port: 9001 },
  ingestApiManagement: { variable: 'INGEST_API_MANAGEMENT_PORT', port: 9002 },
  mcpManagement: { variable: 'MCP_MANAGEMENT_PORT', port: 9003 },
  consoleManagement: { variable: 'CONSOLE_MANAGEMENT_PORT', port: 9000 },
  analysisWorkerManagement: { variable: 'ANALYSIS_WORKER_MANAGEMENT_PORT', port: 9004 },
  postgres: { variable: 'POSTGRES_PORT', port: 54329 },
  redis: { variable: 'REDIS_PORT', port: 63799 },
};

/**
 * @typedef {keyof typeof defaultPorts} PortName
 * @typedef {{ variable: string, port: number }} Port
 */

/**
 * The ports in force: the defaults, changed by the environment.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Record<PortName, Port>}
 */
export function portsFrom(environment) {
  const entries = Object.entries(defaultPorts).map(([name, { variable, port }]) => {
    const text = environment[variable];
    if (text === undefined || text === '') return [name, { variable, port }];
    const wanted = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (wanted < 1 || wanted > 65535) throw new Failure(`${variable} must be a port number from 1 to 65535.`);
    return [name, { variable, port: wanted }];
  });
  return Object.fromEntries(entries);
}

/** @param {string} file @returns {any} The parsed file, undefined where there is none or it is damaged. */
export function readJson(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Replaces a file in one step, readable by its owner only: a crash leaves the old one or the new one.
 * @param {string} file
 * @param {unknown} value
 */
export function writeJson(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/** Creates the data folder, closed to other users: it holds passwords and customers' messages. */
export function ensureLocalDirectory() {
  mkdirSync(localDirectory, { recursive: true, mode: 0o700 });
}

/** @returns {Promise<number>} The free megabytes where the project lies. */
async function freeSpace() {
  const { bavail, bsize } = await statfs(root);
  return Math.floor((bavail * bsize) / 1024 / 1024);
}

/** Whether so little is free that whatever just failed, failed of it. */
export async function diskIsFull() {
  return (await freeSpace().catch(() => Infinity)) < 20;
}

/** @param {number} megabytes What has to be free where the project lies. */
export async function requireFreeSpace(megabytes) {
  const free = await freeSpace();
  if (free < megabytes) {
    throw new Failure(
      `The disk is full: ${free} MB free at ${root}, ${megabytes} MB needed. Free some space.`,
    );
  }
}
