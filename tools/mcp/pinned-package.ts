import { delimiter, dirname } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { onPath, run } from '../local/processes.mjs';

/** A package of the registry's, in one version, with the command that it brings. */
export class PinnedPackage {
  #command;
  #folder;

  /**
   * @param name With its version.
   * @param folder To run it in: no workspace.
   * @param beside Packages that it needs beside it, where it leaves their versions open.
   */
  constructor(name: string, command: string, folder: string, beside: readonly string[] = []) {
    const packages = [name, ...beside].flatMap((one) => ['--package', one]);
    this.#command = ['npx', '--yes', ...packages, '--', command];
    this.#folder = folder;
  }

  /** @returns Why it cannot be had; undefined where it can. */
  async missing(): Promise<string | undefined> {
    if (!onPath('npx')) return 'npx is not on the PATH';
    const { code, output } = await this.run(['--help'], 300_000).catch(() => ({
      code: 1,
      output: 'npx failed',
    }));
    return code === 0 ? undefined : (output.trim().split('\n').at(-1) ?? `npx ended with code ${code}`);
  }

  /** @param timeout In milliseconds. */
  async run(args: string[], timeout = 120_000, environment: Record<string, string> = {}) {
    // On the Node of this process: that of the system may be older than a package wants.
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, PATH, npm_config_update_notifier: 'false', NO_COLOR: '1', ...environment };
    const result = await run([...this.#command, ...args], { cwd: this.#folder, env, timeout });
    if (result.code > 128) throw new Failure(`${this.#command.at(-1)} ${args[0]} had to be ended.`);
    return result;
  }
}
