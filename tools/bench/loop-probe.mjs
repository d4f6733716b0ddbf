// @ts-check
// Preloaded into a service (--import): tells how long its event loop has been blocked. Each GET begins anew.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 1;
const histogram = monitorEventLoopDelay({ resolution });
histogram.enable();
createServer((_request, response) => {
  // The histogram counts the time between two beats of its timer, of which `resolution` is meant to be.
  const longest = Math.max(0, histogram.max / 1e6 - resolution);
  histogram.reset();
  response.end(String(longest));
})
  .listen(Number(process.env['LOOP_PROBE_PORT']), '127.0.0.1')
  .unref();
