// Replays simulated companies in one thread per processor, and tells how far it is.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Companies that a thread takes at a time: few, so that none is left with much of the last world. */
const COMPANIES_AT_A_TIME = 5;
const PROGRESS_MS = 30_000;

export class ReplayPool {
  /** @type {{ worker: Worker, slice?: Slice }[]} */
  #threads = [];
  /** @type {Slice[]} */
  #waiting = [];
  #asked = 0;
  #done = 0;
  #began = 0;
  #told = 0;
  #say;

  /**
   * @typedef {{ kind: string, range: any, resolve: (seen: unknown[]) => void, reject: (error: Error) => void }} Slice
   * @param {(line: string) => void} say
   */
  constructor(say) {
    this.#say = say;
  }

  /**
   * @param {string} kind
   * @param {{ world: object, mutation: object, seed: number, runs: number }} range
   * @returns {Promise<unknown[]>} What was seen of each company, in the order of their seeds.
   */
  async replay(kind, { seed, runs, ...world }) {
    this.#start();
    this.#asked += runs;
    const slices = [];
    for (let from = 0; from < runs; from += COMPANIES_AT_A_TIME) {
      const range = { ...world, seed: seed + from, runs: Math.min(COMPANIES_AT_A_TIME, runs - from) };
      slices.push(new Promise((resolve, reject) => this.#waiting.push({ kind, range, resolve, reject })));
    }
    this.#assign();
    return (await Promise.all(slices)).flat();
  }

  async stop() {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
    this.#threads = [];
  }

  #start() {
    if (this.#threads.length > 0) return;
    this.#began = this.#told = Date.now();
    this.#threads = Array.from({ length: availableParallelism() }, () => {
      const thread = { worker: new Worker(new URL('verify-thread.mjs', import.meta.url)) };
      thread.worker.on('message', (seen) => this.#take(thread, seen));
      thread.worker.on('error', (error) => {
        for (const { reject } of [...this.#threads.flatMap(({ slice }) => slice ?? []), ...this.#waiting])
          reject(error);
      });
      return thread;
    });
  }

  #assign() {
    for (const thread of this.#threads) {
      if (thread.slice) continue;
      thread.slice = this.#waiting.shift();
      if (!thread.slice) return;
      thread.worker.postMessage({ kind: thread.slice.kind, range: thread.slice.range });
    }
  }

  #take(thread, seen) {
    const { resolve } = thread.slice;
    thread.slice = undefined;
    this.#done += seen.length;
    this.#assign();
    resolve(seen);
    if (Date.now() - this.#told < PROGRESS_MS && this.#done < this.#asked) return;
    this.#told = Date.now();
    const seconds = Math.round((this.#told - this.#began) / 1_000);
    this.#say(`  ${this.#done} of ${this.#asked} simulated companies, ${seconds} s`);
  }
}
