import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ServiceConfig } from '../config/load-config';
import { HttpAdapter } from '../http/http-adapter';
import { createLogger, nestLogger } from '../logging/logger';
import { systemClock } from './clock';
import { keepCompiledCode } from './compiled-code';
import { letHeapDouble } from './heap-growth';
import { Management } from './management';
import { PlatformModule } from './platform.module';
import { trustAuthorities } from './trusted-authorities';

/** How long answers under way may take once the process was told to stop. */
const DRAIN_TIMEOUT_MS = 10_000;

type RootModule = Parameters<typeof NestFactory.create>[0];

export interface RunningService {
  readonly app: INestApplication;
  /** Port that the public server listens on (of interest where the configuration said 0). */
  readonly port: number;
  /** Stops taking requests, lets those under way finish, closes every connection. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts one service: public server, management port, request ids, access log, the error body, and a stop that
 * loses nothing.
 * @param rootModule - builds the app's own module from what the platform gives it
 * @param configure - app-wide settings that the module cannot express, before the server listens; its second
 * parameter takes routes that are answered without Express and Nest
 */
export async function startService(
  name: string,
  config: ServiceConfig,
  rootModule: (platform: ReturnType<typeof PlatformModule.register>) => RootModule,
  configure: (app: NestExpressApplication, http: HttpAdapter) => void = () => undefined,
): Promise<RunningService> {
  trustAuthorities(config.TRUSTED_CA_FILES);
  const logger = createLogger(name, config.LOG_LEVEL);
  const management = new Management(name);
  const platform = PlatformModule.register({ clock: systemClock, config, logger, management });
  const http = new HttpAdapter({ config, management, name });
  const app = await NestFactory.create<NestExpressApplication>(rootModule(platform), http, {
    bodyParser: false,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  http.prepare(app);
  const { flush } = http.log;
  process.once('exit', flush);
  configure(app, http);
  await app.init();
  keepCompiledCode();
  letHeapDouble();
  const server = app.getHttpServer();
  await app.listen(config.PORT, config.BIND_ADDRESS);
  await management.listen(config.MANAGEMENT_PORT, config.BIND_ADDRESS);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= drain(app, server, management, config.DRAIN_DELAY_MS).finally(flush));
  const address = server.address();
  logger.info({ port: config.PORT, node: process.version }, 'listening');
  return { app, port: typeof address === 'object' && address ? address.port : config.PORT, stop };
}

async function drain(
  app: INestApplication,
  server: Server,
  management: Management,
  drainDelayMs: number,
): Promise<void> {
  management.startDraining();
  if (drainDelayMs > 0) await delay(drainDelayMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
  await app.close();
  await management.close();
}
