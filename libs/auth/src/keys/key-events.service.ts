import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  createRedis,
  LOGGER,
  redisAddress,
  SERVICE_CONFIG,
  type Logger,
  type Redis,
  type ServiceConfig,
} from '@outcomes/platform';

export const KEY_CHANNELS = {
  /** Message: id of a key whose row changed (revoked, locked). */
  changed: 'keys:revoked',
  /** Message: mark of an address and a key that failed too often together. */
  throttled: 'auth:throttled',
} as const;

type Channel = keyof typeof KEY_CHANNELS;

/**
 * What other pods tell about keys, over a connection of its own (a subscribed connection takes no commands).
 * Messages only speed it up: caches also expire by themselves after some seconds, and at once after a disconnect.
 */
@Injectable()
export class KeyEvents implements OnModuleInit, OnApplicationShutdown {
  private readonly listeners: Record<Channel, ((message: string) => void)[]> = { changed: [], throttled: [] };
  private readonly gapListeners: (() => void)[] = [];
  private subscriber?: Redis;
  private stopped = false;

  constructor(
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Full name of a channel, for those who publish. */
  channel(name: Channel): string {
    return `${this.config.REDIS_PREFIX}:${KEY_CHANNELS[name]}`;
  }

  on(channel: Channel, listener: (message: string) => void): void {
    this.listeners[channel].push(listener);
  }

  /** @param listener - called whenever messages may have been missed */
  onDisconnect(listener: () => void): void {
    this.gapListeners.push(listener);
  }

  onModuleInit(): void {
    const subscriber = createRedis(redisAddress(this.config), 'key-events', (error) =>
      this.logger.debug({ err: error }, 'key events connection'),
    );
    this.subscriber = subscriber;
    const channels = Object.keys(KEY_CHANNELS) as Channel[];
    const names = new Map(channels.map((name) => [this.channel(name), name]));
    subscriber.on('ready', () => {
      subscriber.subscribe(...names.keys()).then(
        () => this.gapListeners.forEach((listener) => listener()),
        // The connection broke again; the next `ready` comes with the next try.
        () => {
          if (!this.stopped) subscriber.disconnect(true);
        },
      );
    });
    subscriber.on('message', (channel, message) => {
      const name = names.get(channel);
      if (name) this.listeners[name].forEach((listener) => listener(message));
    });
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    this.subscriber?.disconnect();
  }
}
