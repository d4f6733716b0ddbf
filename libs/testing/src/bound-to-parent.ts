import { existsSync } from 'node:fs';

/** Of util-linux, which not every system has. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));

/**
 * A command that the kernel kills when the process that starts it ends, however that ends: what a suite starts does not
 * outlive a worker that was killed, nor a set-up that failed halfway. Without setpriv it is the command as it is.
 * @returns file and arguments for `spawn`, whose child has the id of the command itself
 */
export function boundToParent(
  file: string,
  args: readonly string[],
): readonly [file: string, args: readonly string[]] {
  return SETPRIV === undefined ? [file, args] : [SETPRIV, ['--pdeathsig', 'KILL', file, ...args]];
}

/**
 * Memory of what suites start with Node: with V8's own 1 MB for what is young, a twentieth of the CPU of a suite that starts
 * services went into collecting it while they load. Larger heaps from the start cost more than they save.
 */
const MEMORY = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

/**
 * The same for a program of Node.
 * @param program - its file
 */
export function nodeBoundToParent(
  program: string,
  args: readonly string[] = [],
): readonly [file: string, args: readonly string[]] {
  return boundToParent(process.execPath, [...MEMORY, program, ...args]);
}
