// @ts-check
import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A process that cannot be mistaken for a later one with the same number.
 * @typedef {{ pid: number, startTime: string }} ProcessIdentity
 */

/**
 * @param {number} pid
 * @returns {(ProcessIdentity & { parent: number }) | undefined} undefined where it is gone, or dead and not yet reaped.
 */
export function inspect(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything, so the fields are counted from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return { pid, parent: Number(fields[1]), startTime: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** @param {ProcessIdentity} process */
export function isAlive({ pid, startTime }) {
  return inspect(pid)?.startTime === startTime;
}

/** @returns {number[]} The numbers of all processes that can be seen. */
export function allPids() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** @param {number} pid @returns {string[]} Its command line, empty where it cannot be read. */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}

/**
 * The processes between this one and the package manager that started it, both the nearest parent and the
 * package manager included. Their death means that nobody is left to press Ctrl-C.
 * @returns {ProcessIdentity[]}
 */
export function startingAncestors() {
  /** @type {ProcessIdentity[]} */
  const chain = [];
  for (let pid = process.ppid; pid > 1 && chain.length < 6;) {
    const facts = inspect(pid);
    if (!facts) break;
    chain.push({ pid, startTime: facts.startTime });
    if (isPackageManager(commandLine(pid))) return chain;
    pid = facts.parent;
  }
  return [];
}

/** @param {string[]} command */
function isPackageManager(command) {
  // npm renames its process ("npm start"); the others are Node running a script of their name.
  const names = command.slice(0, 2).map((word) => word.split('/').at(-1) ?? '');
  return names.some((name) => /^(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?( |$)/.test(name));
}

/**
 * @param {string} command
 * @returns {string | undefined} Its full path.
 */
export function onPath(command) {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(directory, command);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      continue;
    }
  }
  return undefined;
}

/**
 * The same command, bound to its parent's life: the kernel sends it the signal when the parent dies, even
 * of kill -9. Where setpriv is missing the command runs unbound, and the next start stops what is left.
 * @param {string[]} command
 * @param {'INT' | 'TERM' | 'KILL'} signal
 * @returns {string[]}
 */
export function boundToParent(command, signal) {
  const setpriv = onPath('setpriv');
  return setpriv ? [setpriv, '--pdeathsig', signal, ...command] : command;
}

/**
 * Waits until a condition holds.
 * @param {number} milliseconds
 * @param {() => boolean | Promise<boolean>} condition
 * @param {number} [pause] In milliseconds, between two looks.
 * @returns {Promise<boolean>} Whether it held in time.
 */
export async function within(milliseconds, condition, pause = 25) {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await delay(pause);
  }
}

/**
 * Stops processes that are not our children: first politely, then for good.
 * @param {ProcessIdentity[]} processes
 * @param {NodeJS.Signals} signal
 * @param {number} milliseconds How long they may take.
 */
export async function stopForeign(processes, signal, milliseconds) {
  const left = () => processes.filter(isAlive);
  for (const { pid } of left()) send(pid, signal);
  if (await within(milliseconds, () => left().length === 0)) return;
  for (const { pid } of left()) send(pid, 'SIGKILL');
  await within(2_000, () => left().length === 0);
}

/**
 * @param {number} pid A process, or a whole group where negative.
 * @param {NodeJS.Signals} signal
 */
export function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * Runs a command to its end.
 * @param {string[]} command
 * @param {{
 *   cwd?: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal, timeout: number,
 *   output?: 'inherit' | 'capture',
 * }} options `timeout` in milliseconds. The signal, too, ends the command.
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output` is both streams as they came;
 * empty where inherited. A command that had to be ended, or was killed, has a code above 128.
 */
export function run(command, { cwd, env, signal, timeout, output = 'capture' }) {
  const [file = '', ...args] = boundToParent(command, 'KILL');
  const piped = output === 'capture';
  return new Promise((done, failed) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ['ignore', ...(piped ? both('pipe') : both('inherit'))],
    });
    let stdout = '';
    let all = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      all += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => (all += text));
    const end = () => {
      child.kill('SIGTERM');
      kill ??= setTimeout(() => child.kill('SIGKILL'), 5_000);
    };
    /** @type {NodeJS.Timeout | undefined} */
    let kill;
    const late = setTimeout(end, timeout);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    const settle = () => {
      clearTimeout(late);
      clearTimeout(kill);
      signal?.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      failed(error);
    });
    child.once('close', (code) => {
      settle();
      done({ code: code ?? 143, stdout, output: all });
    });
  });
}

/** @template {'pipe' | 'inherit'} T @param {T} kind @returns {[T, T]} */
function both(kind) {
  return [kind, kind];
}
