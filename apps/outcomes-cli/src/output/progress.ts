import { SingleBar } from 'cli-progress';
import { beforeInterruption } from './interruption';
import { remark } from './terminal';

const PLAIN_LINE_EVERY_MS = 5_000;

export interface Progress {
  update(done: number, note: string): void;
  /** Ends it; calling it again does nothing. */
  stop(): void;
}

/**
 * A bar on a terminal; elsewhere a plain line every five seconds, and one at the end.
 * @param total - in the same unit as `done`; only the share is shown
 */
export function startProgress(label: string, total: number): Progress {
  return process.stderr.isTTY ? terminalBar(label, total) : plainLines(label, total);
}

function terminalBar(label: string, total: number): Progress {
  const bar = new SingleBar({
    format: `${label} [{bar}] {percentage}% | {note} | {duration_formatted}`,
    hideCursor: true,
    stream: process.stderr,
    barsize: 30,
  });
  bar.start(Math.max(total, 1), 0, { note: '' });
  // Otherwise the terminal is left without its cursor. The library's own gracefulExit would keep the process from ending.
  const takeBack = beforeInterruption(() => bar.stop());
  return {
    update: (done, note) => bar.update(Math.min(done, total), { note }),
    stop: () => {
      takeBack();
      bar.stop();
    },
  };
}

function plainLines(label: string, total: number): Progress {
  let shownAt = performance.now();
  let latest = '';
  let stopped = false;
  const line = (done: number, note: string) =>
    `${label} ${Math.floor((100 * Math.min(done, total)) / Math.max(total, 1))}% ${note}`;
  return {
    update(done, note) {
      latest = line(done, note);
      if (performance.now() - shownAt < PLAIN_LINE_EVERY_MS) return;
      shownAt = performance.now();
      remark(latest);
    },
    stop() {
      if (!stopped && latest !== '') remark(latest);
      stopped = true;
    },
  };
}
