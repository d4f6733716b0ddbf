// @ts-check
import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './failure.mjs';
import { boundToParent, inspect, isAlive, send, stopForeign, within } from './processes.mjs';
import { readJson, writeJson } from './settings.mjs';

/**
 * Something to keep running.
 * @typedef {{
 *   name: string,
 *   command: string[],
 *   cwd?: string,
 *   env?: NodeJS.ProcessEnv,
 *   ready: () => Promise<boolean>,
 *   prepare?: () => Promise<void>,
 *   stopSignal?: 'SIGINT' | 'SIGTERM',
 *   killSignal?: 'SIGQUIT' | 'SIGKILL',
 *   deathSignal?: 'INT' | 'TERM' | 'KILL',
 * }} Service
 * `ready` answers within 3 s and does not throw; `prepare` runs before every start; `stopSignal` asks for the
 * orderly end, `killSignal` for the immediate one; `deathSignal` is what the kernel sends when the supervisor dies.
 *
 * @typedef {{ name: string, kind: 'ended' | 'ready again', detail: string }} SupervisorEvent
 * @typedef {{
 *   logs: string, processes: string, restart?: boolean, onEvent?: (event: SupervisorEvent) => void,
 *   patience?: number, grace?: number,
 * }} SupervisorOptions
 * `logs` is the folder of the log files, `processes` the file that remembers what runs; `patience` is how long
 * a service may take to become ready, `grace` how long to end, both in milliseconds.
 */

const firstBackoff = 250;
const longestBackoff = 5_000;
const steadyAfter = 30_000;
const logLimit = 10 * 1024 * 1024;

/** Starts services, restarts whatever dies, and stops everything in the reverse order. */
export class Supervisor {
  /** @type {SupervisedService[][]} */
  #groups = [];
  #stopping = false;
  #options;

  /** @param {SupervisorOptions} options */
  constructor(options) {
    this.#options = { restart: true, onEvent: () => {}, patience: 60_000, grace: 10_000, ...options };
  }

  /** Stops what an earlier supervisor left behind, where the kernel could not do it. */
  async reclaim() {
    const left = readJson(this.#options.processes);
    if (Array.isArray(left)) await stopForeign(left.filter(isAlive), 'SIGTERM', this.#options.grace);
  }

  /**
   * Starts services together and waits until all are ready.
   * @param {...Service} services
   * @throws {Failure} where one does not become ready: with the end of its log.
   */
  async start(...services) {
    if (this.#stopping) return;
    const group = services.map(
      (service) => new SupervisedService(service, this.#options, () => this.#remember()),
    );
    this.#groups.push(group);
    await Promise.all(group.map((service) => service.start()));
  }

  /** Stops everything, the last group first. Resolves when nothing is left. */
  async stop() {
    this.#stopping = true;
    for (const group of this.#groups.toReversed()) await Promise.all(group.map((service) => service.stop()));
    this.#groups = [];
    writeJson(this.#options.processes, []);
  }

  /** Kills everything at once. */
  kill() {
    this.#stopping = true;
    for (const service of this.#groups.flat()) service.kill();
  }

  /** @param {string} name @returns {number | undefined} The process number of a running service. */
  pid(name) {
    return this.#groups.flat().find((service) => service.name === name)?.pid;
  }

  #remember() {
    const pids = this.#groups.flat().map(({ pid }) => (pid === undefined ? undefined : inspect(pid)));
    writeJson(
      this.#options.processes,
      pids.filter((facts) => facts !== undefined),
    );
  }
}

/** One service through all its lives. */
class SupervisedService {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #service;
  #options;
  #remember;
  #stopping = new AbortController();
  #backoff = firstBackoff;
  #failures = 0;
  #everReady = false;

  /**
   * @param {Service} service
   * @param {Required<SupervisorOptions>} options
   * @param {() => void} remember
   */
  constructor(service, options, remember) {
    this.#service = service;
    this.#options = options;
    this.#remember = remember;
  }

  get name() {
    return this.#service.name;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Starts it and waits until it is ready for the first time. */
  async start() {
    const done = () => this.#everReady || this.#stopping.signal.aborted;
    let over = false;
    void this.#live().finally(() => (over = true));
    await within(this.#options.patience, () => done() || over);
    if (!done()) throw new Failure(`${this.name} does not start. ${this.#lastWords()}`);
  }

  /** One life after the other. */
  async #live() {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const began = Date.now();
      const detail = await this.#once().catch((error) => String(error.message ?? error));
      this.#failures += this.#everReady ? 0 : 1;
      if (signal.aborted) return;
      if (Date.now() - began > steadyAfter) this.#backoff = firstBackoff;
      this.#options.onEvent({ name: this.name, kind: 'ended', detail });
      if (!this.#options.restart || (!this.#everReady && this.#failures >= 3)) return;
      await delay(this.#backoff, undefined, { signal }).catch(() => {});
      this.#backoff = Math.min(this.#backoff * 2, longestBackoff);
    }
  }

  /** @returns {Promise<string>} How this life ended. */
  async #once() {
    await this.#service.prepare?.();
    if (this.#stopping.signal.aborted) return 'stopped';
    const { command, cwd, env, deathSignal = 'TERM' } = this.#service;
    const [file = '', ...args] = boundToParent(command, deathSignal);
    const log = openLog(this.#logFile());
    // Detached: Ctrl-C reaches the supervisor only, which then stops everything in order.
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    const over = new AbortController();
    /** @type {Promise<string>} */
    const ended = new Promise((done) => {
      child.once('error', (error) => done(error.message));
      child.once('exit', (code, signal) => done(signal ? `killed by ${signal}` : `exit code ${code}`));
    });
    if (child.pid !== undefined) {
      this.#remember();
      void this.#awaitReady(over.signal, child.pid);
    }
    const detail = await ended;
    over.abort();
    this.#child = undefined;
    return detail;
  }

  /**
   * Waits until the running process is ready; one that never is gets killed, and so restarted.
   * @param {AbortSignal} over
   * @param {number} pid
   */
  async #awaitReady(over, pid) {
    const again = this.#everReady;
    let ready = false;
    const look = async () => {
      ready = !over.aborted && (await this.#service.ready());
      return ready || over.aborted;
    };
    // Looking takes CPU from what is looked at: several start at once.
    await within(this.#options.patience, look, 50);
    if (over.aborted) return;
    if (!ready) return send(-pid, 'SIGKILL');
    this.#everReady = true;
    if (again) this.#options.onEvent({ name: this.name, kind: 'ready again', detail: '' });
  }

  /** Asks it to end, insists after the grace period, and resolves when it is gone. */
  async stop() {
    this.#stopping.abort();
    const { pid } = this;
    if (pid === undefined) return;
    send(pid, this.#service.stopSignal ?? 'SIGTERM');
    const gone = () => this.#child === undefined;
    if (await within(this.#options.grace, gone)) return;
    this.kill();
    if (await within(2_000, gone)) return;
    send(-pid, 'SIGKILL');
    await within(2_000, gone);
  }

  kill() {
    this.#stopping.abort();
    // The whole group: whatever the service started for itself goes with it.
    if (this.pid !== undefined) send(-this.pid, this.#service.killSignal ?? 'SIGKILL');
  }

  #logFile() {
    return join(this.#options.logs, `${this.name}.log`);
  }

  #lastWords() {
    if (!existsSync(this.#logFile())) return '';
    const lines = readFileSync(this.#logFile(), { encoding: 'utf8' }).trimEnd().split('\n').slice(-12);
    return `The end of ${this.#logFile()}:\n${lines.map((line) => `    ${line}`).join('\n')}`;
  }
}

/** @param {string} file @returns {number} Open for appending; what grew too long is moved aside first. */
function openLog(file) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const log = openSync(file, 'a', 0o600);
  if (fstatSync(log).size < logLimit) return log;
  closeSync(log);
  renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
