import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../local/processes.mjs';
import type { Installation } from './installation.ts';
import type { Life } from './life.ts';
import { seeded } from './requests.ts';

export type Fault =
  'service killed' | 'Postgres killed' | 'backend killed' | 'service stopped 600 ms' | 'Redis killed';

const kinds: readonly Fault[] = [
  'service killed',
  'Postgres killed',
  'backend killed',
  'service stopped 600 ms',
  'Redis killed',
];

/**
 * Does one kind of harm after the other, each kind as often as the others, one to two seconds apart. What was killed
 * is started again at once, and may be hit again before it is ready.
 * @returns How often each was done.
 */
export async function harm(
  installation: Installation,
  service: Life,
  {
    seed,
    application,
    only = kinds,
    isOver,
  }: { seed: number; application: string; only?: readonly Fault[]; isOver: (faults: number) => boolean },
): Promise<Map<Fault, number>> {
  const chance = seeded(seed);
  const done: Map<Fault, number> = new Map();
  const revivals = new Map();
  let bag: Fault[] = [];
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

/** @returns false where there was nobody to hit */
async function inflict(
  fault: Fault,
  {
    installation: { postgres, redis, pool },
    service,
    application,
    revivals,
  }: {
    installation: Installation;
    service: Life;
    application: string;
    revivals: Map<Life, Promise<void>>;
  },
): Promise<boolean> {
  const strike = (life: Life, signal: NodeJS.Signals) => {
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

/** Starts it, again where it is killed before it is ready. */
async function revive(life: Life) {
  for (let attempt = 1; life.pid === undefined; attempt += 1) {
    await life.start().catch((error) => {
      if (attempt >= 10) throw error;
    });
  }
}
