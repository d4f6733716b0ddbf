import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { CLOCK, LuaScript, REDIS, RedisGate, SERVICE_CONFIG } from '@outcomes/platform';
import type { Clock, Redis, ServiceConfig } from '@outcomes/platform';

interface AddressWindow {
  /** Requests in the window, as far as this pod knows. */
  total: number;
  /** Those of them that only this pod knows of. */
  unshared: number;
  endsAtMs: number;
}

/** Requests of an address that a pod counts alone before it tells the others. */
const SHARE_EVERY = 10;
/** Addresses a pod remembers at most; beyond, the oldest go. */
const MAX_ADDRESSES = 50_000;

const countAddress = new LuaScript(join(__dirname, '../../lua/count-address.lua'));

/**
 * Windows of requests that nobody has proven, by source address. A pod counts by itself and shares every tenth
 * request: a flood of nonsense costs a tenth of the round trips, an address seen once costs Redis nothing, and
 * the price is that each further pod lets at most nine more through.
 */
@Injectable()
export class AddressWindows implements ThrottlerStorage {
  private readonly windows = new Map<string, AddressWindow>();
  private readonly gate: RedisGate;
  private readonly prefix: string;

  constructor(
    @Inject(REDIS) redis: Redis,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.gate = new RedisGate(redis);
    this.prefix = `${config.REDIS_PREFIX.replaceAll(/[{}]/g, '')}:address`;
  }

  /**
   * The counting side of @nestjs/throttler.
   * @param key - the address
   * @param ttl - length of the window in milliseconds
   * @returns hits and times in the package's shape; times in seconds
   */
  increment(key: string, ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    const nowMs = this.clock.now().getTime();
    const window = this.window(key, nowMs, ttl);
    window.total += 1;
    window.unshared += 1;
    if (window.unshared >= SHARE_EVERY) this.share(key, window, ttl);
    const seconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1_000));
    const isBlocked = window.total > limit;
    return Promise.resolve({
      totalHits: window.total,
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    });
  }

  /** Whether an address has used up its window, as far as this pod knows. Counts nothing. */
  isExhausted(key: string, limit: number): boolean {
    const window = this.windows.get(key);
    return window !== undefined && window.total >= limit && window.endsAtMs > this.clock.now().getTime();
  }

  /** Adds what only this pod knows to what all know, and learns the sum; nobody waits for it. */
  private share(key: string, window: AddressWindow, ttl: number): void {
    const name = `${this.prefix}:{${createHash('sha256').update(key).digest('base64url').slice(0, 16)}}`;
    const added = window.unshared;
    window.unshared = 0;
    const leftMs = Math.min(ttl, Math.max(1, window.endsAtMs - this.clock.now().getTime()));
    void this.gate
      .use((redis) => countAddress.run(redis, [name], [added, leftMs]))
      .then((reply) => {
        if (!Array.isArray(reply)) return;
        const [total, remainingMs] = reply as [number, number];
        window.total = total + window.unshared;
        window.endsAtMs = this.clock.now().getTime() + remainingMs;
      });
  }

  private window(key: string, nowMs: number, ttl: number): AddressWindow {
    const present = this.windows.get(key);
    if (present && present.endsAtMs > nowMs) return present;
    const window = { total: 0, unshared: 0, endsAtMs: nowMs + ttl };
    this.windows.delete(key);
    this.windows.set(key, window);
    const oldest = this.windows.keys().next();
    if (this.windows.size > MAX_ADDRESSES && !oldest.done) this.windows.delete(oldest.value);
    return window;
  }
}
