import { runMain } from '../runtime/run-main';
import type { RunningService } from '../runtime/start-service';
import { tracesEndpoint } from './tracing.config';

/**
 * The body of every main.ts: switches traces on where they are configured, then loads and starts the service, in
 * this order, since what is to be traced must not have been loaded before.
 * @param load - imports the module that starts the service
 *
 * Traces are off unless TRACES_ENDPOINT says where they go. Then nothing of OpenTelemetry is loaded.
 */
export function runTracedMain(
  name: string,
  load: () => Promise<{ start: () => Promise<Pick<RunningService, 'stop'>> }>,
): void {
  runMain(name, async () => {
    const endpoint = tracesEndpoint();
    const traces = endpoint
      ? (await import('./open-telemetry.js')).startTraces(name, endpoint)
      : { stop: () => Promise.resolve() };
    const service = await (await load()).start();
    return { stop: () => service.stop().finally(() => traces.stop()) };
  });
}
