// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time that a process has taken so far, all its threads together, from the scheduler's own count: the ticks
 * of /proc/<pid>/stat are ten milliseconds long.
 * @param {number} pid
 * @returns {number} Microseconds; 0 where there is no such process.
 */
export function processorTimeOf(pid) {
  let nanoseconds = 0;
  for (const thread of entriesOf(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The thread has ended meanwhile.
    }
  }
  return nanoseconds / 1_000;
}

/** @param {string} folder @returns {string[]} */
function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * CPU time of the Postgres processes that serve one client. What Postgres does in the background for all alike
 * (checkpoints, autovacuum) is nobody's.
 */
export class PostgresTime {
  #pool;
  #application;

  /** @param {import('pg').Pool} pool @param {string} application As in application_name. */
  constructor(pool, application) {
    this.#pool = pool;
    this.#application = application;
  }

  /** @returns {Promise<Map<number, number>>} Microseconds so far of each process. */
  async read() {
    const { rows } = await this.#pool.query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [
      this.#application,
    ]);
    return new Map(rows.map(({ pid }) => [pid, processorTimeOf(pid)]));
  }

  /** @param {Map<number, number>} before @returns {Promise<number>} Microseconds since. */
  async since(before) {
    let sum = 0;
    for (const [pid, time] of await this.read()) sum += time - (before.get(pid) ?? 0);
    return sum;
  }
}
