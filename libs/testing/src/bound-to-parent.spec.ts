import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { boundToParent } from './bound-to-parent';
import { waitUntil } from './wait-until';

const isRunning = (pid: number) => existsSync(`/proc/${pid}/exe`);

describe('a command bound to its parent', () => {
  it('ends with it, even where that is killed', async () => {
    const [file, args] = boundToParent('sleep', ['60']);
    const parent = spawn(
      process.execPath,
      [
        '-e',
        `const child = require('node:child_process').spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, { stdio: 'ignore' });
        console.log(child.pid);
        setInterval(() => {}, 1_000);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [printed] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
    const pid = Number(printed);
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await waitUntil('the command to end', async () => !isRunning(pid), 5_000);
  });
});
