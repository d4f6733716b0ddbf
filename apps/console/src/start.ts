import 'reflect-metadata';
import { startService } from '@outcomes/platform/service';
import { consoleConfig } from './console.config';
import { ConsoleModule, SERVICE_NAME } from './console.module';
import { securityHeaders } from './page/security-headers.middleware';
import { writeAnswer } from './answer.format';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  const config = consoleConfig();
  return startService(
    SERVICE_NAME,
    config,
    (platform) => ConsoleModule.register(platform, config),
    (app, http) => {
      http.writer = writeAnswer;
      app.use(securityHeaders(config));
    },
  );
}
