// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../local/processes.mjs';
import { seeded } from './requests.mjs';

/** @typedef {'service killed' | 'Postgres killed' | 'backend killed' | 'service stopped 600 ms' | 'Redis killed'} Fault */

/** @type {readonly Fault[]} */
const kinds = [
  'service killed',
  'Postgres killed',
  'backend killed',
  'service stopped 600 ms',
  'Redis killed',
];

/**
 * Does one kind of harm after the other, each kind as often as the others, one to two seconds apart. What was killed
 * is started again at once, and may be hit again before it is ready.
 * @param {import('./installation.mjs').Installation} installation
 * @param {import('./life.mjs').Life} service
 * @param {{ seed: number, application: string, only?: readonly Fault[], isOver: (faults: number) => boolean }} options
 * @returns {Promise<Map<Fault, number>>} How often each was done.
 */
export async function harm(installation, service, { seed, application, only = kinds, isOver }) {
  const chance = seeded(seed);
  /** @type {Map<Fault, number>} */
  const done = new Map();
  const revivals = new Map();
  /** @type {Fault[]} */
  let bag = [];
  for (let count = 0; !isOver(count);) {
    await delay(1_000 + chance() * 1_000);
    if (bag.length === 0) bag = [...only];
    const fault = bag.splice(Math.floor(chance() * bag.length), 1)[0] ?? 'service killed';
    if (!(await inflict(fault, { installation, service, application, revivals }))) continue;
    done.set(fault, (done.get(fault) ?? 0) + 1);
    count += 1;
  }
  await Promise.all(revivals.values());
  return done;
}

/**
 * @param {Fault} fault
 * @param {{
 *   installation: import('./installation.mjs').Installation, service: import('./life.mjs').Life, application: string,
 *   revivals: Map<import('./life.mjs').Life, Promise<void>>,
 * }} scene
 * @returns {Promise<boolean>} false where there was nobody to hit
 */
async function inflict(fault, { installation: { postgres, redis, pool }, service, application, revivals }) {
  const strike = (/** @type {import('./life.mjs').Life} */ life, /** @type {NodeJS.Signals} */ signal) => {
    if (life.pid === undefined) return false;
    const before = revivals.get(life) ?? Promise.resolve();
    revivals.set(
      life,
      life.kill(signal).then(async () => {
        await before;
        await revive(life);
      }),
    );
    return true;
  };
  switch (fault) {
    case 'service killed':
      return strike(service, 'SIGKILL');
    case 'Postgres killed':
      // Its immediate end: no checkpoint, nothing more is written, the next start recovers from the log.
      return strike(postgres, 'SIGQUIT');
    case 'Redis killed':
      return strike(redis, 'SIGKILL');
    case 'service stopped 600 ms':
      if (service.pid === undefined) return false;
      service.signal('SIGSTOP');
      await delay(600);
      service.signal('SIGCONT');
      return true;
    case 'backend killed': {
      const { rows } = await pool
        .query('SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY state LIMIT 1', [
          application,
        ])
        .catch(() => ({ rows: [] }));
      if (!rows[0]) return false;
      send(rows[0].pid, 'SIGKILL');
      return true;
    }
  }
}

/** Starts it, again where it is killed before it is ready. @param {import('./life.mjs').Life} life */
async function revive(life) {
  for (let attempt = 1; life.pid === undefined; attempt += 1) {
    await life.start().catch((error) => {
      if (attempt >= 10) throw error;
    });
  }
}
