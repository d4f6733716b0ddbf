// A memory limit that the kernel holds a process to, as it holds a pod: above it the process is killed.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

interface MemoryLimit {
  /** The same command, from its first byte within the limit. */
  within: (command: string[]) => string[];
  /** How many processes were killed for it. */
  kills: () => number;
  /** Once its processes are gone. */
  remove: () => Promise<void>;
}

/** How each version of cgroups calls what is needed. */
const controllers = [
  {
    own: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m,
    mount: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    events: 'memory.oom_control',
  },
  { own: /^0::(.*)$/m, mount: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events' },
];

/**
 * A control group of its own beside those of this process.
 * @returns undefined where this user may make none: then nothing but measuring is left.
 */
export function memoryLimit(megabytes: number): MemoryLimit | undefined {
  for (const { own, mount, limit, events } of controllers) {
    const [, path] = own.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
    if (path === undefined) continue;
    const group = join(mount, path, `outcomes-${process.pid}-${megabytes}`);
    try {
      mkdirSync(group);
      // The kernel fills the folder of a group. One that stays empty is none, and would take whatever is written.
      readFileSync(join(group, limit));
      writeFileSync(join(group, limit), String(megabytes * 2 ** 20));
      return limitOf(group, join(group, events));
    } catch {
      remove(group);
    }
  }
  return undefined;
}

function limitOf(group: string, events: string): MemoryLimit {
  // A process is charged for what it takes after it has come into the group, hence before it becomes the program.
  const enter = 'echo $$ > "$0" && exec "$@"';
  return {
    within: (command) => ['sh', '-c', enter, join(group, 'cgroup.procs'), ...command],
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, 'utf8'))?.[1] ?? NaN),
    remove: async () => {
      for (let tries = 0; tries < 50 && !remove(group); tries += 1) await delay(100);
    },
  };
}

/** @returns Whether it is gone. */
function remove(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
