import { NestFactory } from '@nestjs/core';
import type { ServiceConfig } from '../config/load-config';
import { createLogger, nestLogger } from '../logging/logger';
import { systemClock } from './clock';
import { keepCompiledCode } from './compiled-code';
import { letHeapGrowByTwoThirds } from './heap-growth';
import { Management } from './management';
import { PlatformModule } from './platform.module';
import { trustAuthorities } from './trusted-authorities';
import type { RunningService } from './start-service';

/** Starts a process that takes no requests: management port only, and the same clean stop. */
export async function startWorker(
  name: string,
  config: ServiceConfig,
  rootModule: (
    platform: ReturnType<typeof PlatformModule.register>,
  ) => Parameters<typeof NestFactory.createApplicationContext>[0],
): Promise<Omit<RunningService, 'app' | 'port'>> {
  trustAuthorities(config.TRUSTED_CA_FILES);
  const logger = createLogger(name, config.LOG_LEVEL);
  const management = new Management(name);
  const platform = PlatformModule.register({ clock: systemClock, config, logger, management });
  const context = await NestFactory.createApplicationContext(rootModule(platform), {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  keepCompiledCode();
  letHeapGrowByTwoThirds();
  await management.listen(config.MANAGEMENT_PORT, config.BIND_ADDRESS);
  logger.info({ managementPort: config.MANAGEMENT_PORT, node: process.version }, 'working');
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    management.startDraining();
    await context.close();
    await management.close();
  };
  return { stop: () => (stopping ??= stop()) };
}
