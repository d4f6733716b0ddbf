// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from './failure.mjs';
import { takeLock } from './lock.mjs';
import { buildPage } from './page.mjs';
import { step } from './progress.mjs';
import { boundToParent, onPath, run, send } from './processes.mjs';
import { ensureLocalDirectory, paths, readJson, requireFreeSpace, root, writeJson } from './settings.mjs';
import { together } from './together.mjs';

/** Set for the second of the two processes: the one on the project's Node. */
const handedOver = 'OUTCOMES_ON_PROJECT_NODE';
const minutes = 60_000;
/** Instead of package-lock.json while npm runs, and at no other time. */
const addressed = join(root, 'npm-shrinkwrap.json');

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes node_modules/.package-lock.json when
 * an installation is complete, whoever ran it, so an `npm ci` by hand counts and an interrupted one does not.
 * @param {string} folder
 */
export function isInstalled(folder) {
  const wanted = readJson(join(folder, 'package-lock.json'))?.packages;
  const present = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  const same = (/** @type {any} */ a, /** @type {any} */ b) =>
    a.version === b.version && a.integrity === b.integrity;
  // What is optional and absent is for other platforms; npm also goes on without what it could not fetch for this one.
  const isForOthers = (/** @type {any} */ { optional, os, cpu, libc }) =>
    optional && (!os?.includes(process.platform) || !cpu?.includes(process.arch) || libc);
  return (
    // The root itself is in one of the two only.
    Object.keys(wanted).every((key) => key === '' || present[key] || isForOthers(wanted[key])) &&
    Object.keys(present).every((key) => wanted[key] && same(wanted[key], present[key]))
  );
}

/**
 * Installs the locked dependencies where they are not there yet.
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} Whether anything was installed.
 */
async function ensureInstalled(signal) {
  return exclusively(async () => {
    // Of an installation that was killed.
    rmSync(addressed, { force: true });
    if (isInstalled(root)) return false;
    await requireFreeSpace(existsSync(join(root, 'node_modules')) ? 500 : 1_500);
    // Not the Node in node_modules: `npm ci` is about to remove it.
    const env = { ...process.env, PATH: withoutProject(process.env['PATH'] ?? '') };
    const options = { cwd: root, env, signal, timeout: 15 * minutes };
    const install = async () => {
      if (!onPath('npm'))
        throw new Failure('npm is not on the PATH: install Node.js 20.19 or newer with npm.');
      const { code, output } = await installLocked(options);
      signal.throwIfAborted();
      if (code === 0) return;
      const next = isUnreachable(output)
        ? 'The npm registry cannot be reached: check the network, then run this again.'
        : `npm ci ended with code ${code}: see its output above.`;
      throw new Failure(`${output.trim()}\n${next}`);
    };
    await step('Installing dependencies (npm ci)', install, signal);
    return true;
  });
}

/**
 * The lock file names no registry, so npm asks one for all versions of each of a thousand packages, only to learn
 * addresses that follow from the names: half of the installation. A copy with the addresses, which npm prefers, spares
 * that. What is fetched has to match the lock file's hashes in any case. A registry that has its files elsewhere gets the
 * questions after all. One that cannot be reached has had npm try for minutes already.
 * @param {Parameters<typeof run>[1]} options
 */
async function installLocked(options) {
  // Without its warnings: most are about packages of the services, which run on the Node that is among them.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const command = ['npm', 'ci', '--include=dev', '--include=optional', ...quiet];
  const { code, stdout } = await run(['npm', 'config', 'get', 'registry'], options);
  try {
    const lock = readJson(join(root, 'package-lock.json'));
    if (code === 0 && lock?.packages) writeJson(addressed, withAddresses(lock, stdout.trim()));
    const result = await run(command, options);
    if (result.code === 0 || options.signal?.aborted || isUnreachable(result.output)) return result;
  } finally {
    rmSync(addressed, { force: true });
  }
  return run(command, options);
}

/** @param {string} output Of an npm that failed. */
function isUnreachable(output) {
  return /^npm \S+ code (EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)$/m.test(output);
}

/**
 * @param {{ packages: Record<string, any> }} lock
 * @param {string} registry
 */
export function withAddresses(lock, registry) {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    // Only what is checked against a hash; workspaces and links have none.
    if (!entry.integrity || entry.resolved) return [path, entry];
    const name = entry.name ?? path.split('node_modules/').at(-1);
    const file = `${name.split('/').at(-1)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: `${registry.replace(/\/$/, '')}/${name}/-/${file}` }];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

/**
 * Compiles every project; a second run has nothing to do and takes a second.
 * @param {AbortSignal} signal
 */
export async function build(signal) {
  await exclusively(() => step('Building', () => together(signal, compile, buildPage), signal));
}

/** @param {AbortSignal} signal */
async function compile(signal) {
  // The native compiler: a fifth of the time of the one written in TypeScript, which ESLint still needs.
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  const command = [process.execPath, compiler, '-b', 'tsconfig.build.json'];
  const { code, output } = await run(command, { cwd: root, signal, timeout: 10 * minutes });
  signal.throwIfAborted();
  if (code !== 0) throw new Failure(`${output.trim()}\nThe build failed: see the compiler's output above.`);
  const bundled = await run([process.execPath, join(root, 'tools/bundle.mjs')], {
    ...{ cwd: root, signal, timeout: 10 * minutes },
  });
  signal.throwIfAborted();
  if (bundled.code !== 0)
    throw new Failure(`${bundled.output.trim()}\nThe bundles could not be made: see above.`);
}

/**
 * Installs, then goes on under the Node version of the project: in this process where that is the one running
 * already, otherwise in a child, whose end is this process's end.
 * @param {string} script The file that was started.
 * @param {string[]} args
 * @param {() => Promise<void>} main The rest of the program.
 */
export async function onProjectNode(script, args, main) {
  if (process.env[handedOver]) {
    delete process.env[handedOver];
    return main();
  }
  const abort = new AbortController();
  const interrupt = () => abort.abort(new Failure('Interrupted.'));
  for (const signal of stopSignals) process.on(signal, interrupt);
  ensureLocalDirectory();
  const installed = await ensureInstalled(abort.signal);
  abort.signal.throwIfAborted();
  for (const signal of stopSignals) process.off(signal, interrupt);

  const { projectNode } = paths;
  if (!existsSync(projectNode)) {
    console.log(
      `  Note: continuing with the system's Node ${process.version}, because the project's own is not installed.`,
    );
    return main();
  }
  if (!installed && realpathSync(process.execPath) === realpathSync(projectNode)) return main();
  await handOver([projectNode, script, ...args]);
}

/** @type {NodeJS.Signals[]} */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * @param {string[]} command
 * @returns {Promise<void>} Once the child has ended; its code is ours.
 */
function handOver(command) {
  const bin = join(root, 'node_modules/.bin');
  const env = { ...process.env, [handedOver]: '1', PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const [file = '', ...args] = boundToParent(command, 'TERM');
  const child = spawn(file, args, { stdio: 'inherit', env });
  for (const signal of stopSignals) process.on(signal, () => child.pid && send(child.pid, signal));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => {
      process.exitCode = code ?? 143;
      done();
    });
  });
}

/**
 * Only one process at a time changes node_modules or the compiled files.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function exclusively(work) {
  let release = takeLock(paths.workspaceLock);
  if (!release) {
    console.log('  Another process is installing or building in this folder: waiting for it.');
    release = takeLock(paths.workspaceLock, 900);
  }
  if (!release)
    throw new Failure('Another process has been installing or building here for 15 minutes: giving up.');
  try {
    return await work();
  } finally {
    release();
  }
}

/** @param {string} path @returns {string} The PATH without this project's folders. */
function withoutProject(path) {
  const inside = join(root, 'node_modules');
  return path
    .split(delimiter)
    .filter((directory) => !directory.startsWith(inside))
    .join(delimiter);
}
