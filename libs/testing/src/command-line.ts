import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { nodeBoundToParent } from './bound-to-parent';
import { inheritedEnvironment } from './test-servers.config';

const PROGRAM = join(__dirname, '../../../apps/outcomes-cli/bin/outcomes.js');
/** No command of a test takes as long; one that hangs must not outlive its suite. */
const LONGEST_MS = 180_000;

export interface CommandOptions {
  /** All that the command sees beside what children of tests inherit. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Its working folder. */
  readonly cwd?: string;
  /** What somebody types, up to the end of the input. */
  readonly input?: string;
  /** Another program than the one that is shipped. */
  readonly program?: string;
}

export interface CommandOutcome {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command under way. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** What it wrote to stderr so far. */
  stderr(): string;
  /** Its end, whatever that is. */
  readonly ended: Promise<CommandOutcome>;
}

/** Starts the built command line: `outcomes <arguments>`. It is killed after three minutes. */
export function startCommand(
  args: readonly string[],
  { environment, cwd, input, program = PROGRAM }: CommandOptions = {},
): RunningCommand {
  const child = spawn(...nodeBoundToParent(program, args), {
    cwd,
    env: { ...inheritedEnvironment(), ...environment },
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  // A command that asks nothing may end before it has read.
  child.stdin.on('error', () => undefined).end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  const ended = new Promise<CommandOutcome>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, stderr: () => stderr, ended };
}
