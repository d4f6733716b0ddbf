// @ts-check
// Preloaded into a service (--import): tells how long its event loop has been blocked. Each GET begins anew.
import { createServer } from 'node:http';

const beat = 1;
let longest = 0;
let last = moment();
setInterval(look, beat).unref();

/** Milliseconds of the clock, and of CPU that the process has had, its helping threads included. */
function moment() {
  const { user, system } = process.cpuUsage();
  return { clock: performance.now(), processor: (user + system) / 1_000 };
}

/**
 * A block counts as long as the process was computing meanwhile: where others have the processor, every program is
 * late. Nothing in a service waits for a disk with its event loop.
 */
function look() {
  const now = moment();
  longest = Math.max(longest, Math.min(now.clock - last.clock - beat, now.processor - last.processor));
  last = now;
}

createServer((_request, response) => {
  look();
  response.end(String(longest));
  longest = 0;
})
  .listen(Number(process.env['LOOP_PROBE_PORT']), '127.0.0.1')
  .unref();
