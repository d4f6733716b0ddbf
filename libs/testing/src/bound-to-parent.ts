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
