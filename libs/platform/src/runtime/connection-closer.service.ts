import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { REDIS, type Redis } from '../redis/create-redis';

/** Redis is opened here, so it is closed here; an open socket would keep the process alive. */
@Injectable()
export class ConnectionCloser implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
