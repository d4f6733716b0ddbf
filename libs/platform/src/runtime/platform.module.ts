import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { ServiceConfig } from '../config/load-config';
import { LOGGER, type Logger } from '../logging/logger';
import { createRedis, REDIS, type Redis } from '../redis/create-redis';
import { redisAddress } from '../redis/redis-address';
import { CLOCK, type Clock } from './clock';
import { Management } from './management';
import { ConnectionCloser } from './connection-closer.service';

export const SERVICE_CONFIG = Symbol('ServiceConfig');

export interface PlatformParts {
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly management: Management;
}

/** Clock, configuration, logger, management port and one Redis connection, for every service alike. */
@Global()
@Module({})
export class PlatformModule {
  static register({ clock, config, logger, management }: PlatformParts): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: CLOCK, useValue: clock },
        { provide: LOGGER, useValue: logger },
        { provide: SERVICE_CONFIG, useValue: config },
        { provide: Management, useValue: management },
        {
          provide: REDIS,
          useFactory: (): Redis =>
            createRedis(redisAddress(config), 'requests', (error) => logger.debug({ err: error }, 'redis')),
        },
        ConnectionCloser,
      ],
      exports: [CLOCK, LOGGER, SERVICE_CONFIG, Management, REDIS],
    };
  }
}
