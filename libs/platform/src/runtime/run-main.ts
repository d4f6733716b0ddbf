import { describeError } from '../logging/logger';
import type { RunningService } from './start-service';

/**
 * The body of every main.ts: starts the service, stops it on SIGTERM or SIGINT, and ends with a clear line
 * where it cannot start.
 */
export function runMain(name: string, start: () => Promise<Pick<RunningService, 'stop'>>): void {
  start().then(
    (service) => {
      const stop = () => {
        void service.stop().then(() => process.exit(0));
      };
      process.once('SIGTERM', stop);
      process.once('SIGINT', stop);
    },
    (error: unknown) => {
      process.stderr.write(`${name} cannot start: ${JSON.stringify(describeError(error))}\n`);
      process.exit(1);
    },
  );
}
