// Preloaded into each service: tells what its heap holds after each full collection, and does harm when it is told to.
// Services have no switch for either.
import { openSync } from 'node:fs';
import { createServer } from 'node:http';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Left alone, even a busy service collects its whole heap once in minutes: then it is made to. */
const LONGEST_MS = 10_000;
const TICK_MS = 100;

/** Megabytes after each full collection since somebody asked. */
let heaps: number[] = [];
let collectedAt = Date.now();

/** What is young is mostly garbage by the time that the observer is called, and is left out. */
function survivors(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith('new_'));
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0) / 1e6;
}

new PerformanceObserver((list) => {
  const isFull = list.getEntries().some((entry) => {
    const { kind } = (entry as unknown as { detail: { kind: number } }).detail;
    return kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  });
  if (!isFull) return;
  collectedAt = Date.now();
  heaps.push(survivors());
}).observe({ entryTypes: ['gc'] });

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
setInterval(() => {
  if (Date.now() - collectedAt >= LONGEST_MS) collect();
}, 1_000).unref();

const kept: unknown[] = [];
const still = new Int32Array(new SharedArrayBuffer(4));
/** Blocks the event loop without taking a processor from others. */
const block = (milliseconds: number) => void Atomics.wait(still, 0, 0, milliseconds);
const often = (work: () => void) => setInterval(work, TICK_MS).unref();

let harm: NodeJS.Timeout | undefined;
const faults: Record<string, () => void> = {
  /** 200 KB of objects a second that nobody lets go of. */
  objects: () => void (harm = often(() => kept.push(Array.from({ length: 2_500 }, Math.random)))),
  /** The same outside the heap. */
  buffers: () => void (harm = often(() => kept.push(Buffer.alloc(20_000, 1)))),
  /** At work for a moment every two seconds, so that whatever a job waits for takes as long. */
  slow: () => void (harm = setInterval(() => block(1_990), 2_000).unref()),
  /** Blocked longer and longer, up to nine tenths of the time: more than a machine that is slow itself could hide. */
  slower() {
    let milliseconds = 0;
    const next = () => {
      harm = setTimeout(next, 2_000).unref();
      block((milliseconds = Math.min(1_800, milliseconds + 20)));
    };
    next();
  },
  /** More than the container may have. */
  ballast: () => void kept.push(Buffer.alloc(550_000_000, 1)),
  files: () => void (harm = often(() => openSync('/dev/null', 'r'))),
  error: () => console.log('{"level":"error","msg":"planted by the soak"}'),
  none: () => clearInterval(harm),
};

createServer(({ url = '/' }, response) => {
  faults[url.slice(1)]?.();
  response.setHeader('Connection', 'close').end(JSON.stringify({ heaps }));
  heaps = [];
})
  .listen(Number(process.env['LOOP_PROBE_PORT']), '127.0.0.1')
  .unref();
