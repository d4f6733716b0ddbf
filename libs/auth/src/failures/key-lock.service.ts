import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration } from '@outcomes/audit';
import { atMost, CLOCK, LOGGER, LuaScript, REDIS, RedisGate, SERVICE_CONFIG } from '@outcomes/platform';
import type { Clock, Logger, Redis, ServiceConfig } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { LRUCache } from 'lru-cache';
import { KeyDirectory, type StoredKey } from '../keys/key-directory.service';
import { KeyEvents } from '../keys/key-events.service';
import { sha256 } from '../keys/key-form';
import { lockUntil } from '../keys/key.repository';
import { CredentialMetrics } from './credential-metrics.service';
import { RecentAttempts } from './recent-attempts';

const WRONG_SECRETS = 20;
const WINDOW_SECONDS = 3_600;
const LOCK_MS = 15 * 60_000;
/** An address stays trusted for a day after its last use; a use is written down at most once an hour. */
const TRUST_SECONDS = 86_400 + 3_600;
const NOTED_MS = 3_600_000;
/** Trusted addresses that are remembered per key. */
const MAX_ADDRESSES = 200;

const countAttempt = new LuaScript(join(__dirname, '../../lua/count-attempt.lua'));

/**
 * Twenty wrong secrets for one key in an hour, from wherever, lock it for a quarter of an hour. An address that
 * used the right secret within the last day is not refused, so that a stranger cannot lock a customer out.
 */
@Injectable()
export class KeyLock {
  private readonly gate: RedisGate;
  private readonly memory: RecentAttempts;
  private readonly noted = new LRUCache<string, true>({
    ...atMost(50_000),
    ttl: NOTED_MS,
    ttlResolution: 1_000,
  });
  /**
   * When an address last used the right secret here, in seconds since 1970, by what `noted` is named by. It outlasts a
   * Redis that comes back without its data under a lock: whoever is refused by then has no way to be noted again.
   */
  private readonly lastUses = new LRUCache<string, number>(atMost(50_000));
  private readonly prefix: string;

  constructor(
    @Inject(REDIS) redis: Redis,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(KeyDirectory) private readonly directory: KeyDirectory,
    @Inject(KeyEvents) private readonly events: KeyEvents,
    @Inject(CredentialMetrics) private readonly metrics: CredentialMetrics,
  ) {
    this.gate = new RedisGate(redis);
    this.memory = new RecentAttempts(WRONG_SECRETS, WINDOW_SECONDS, clock);
    this.prefix = `${config.REDIS_PREFIX}:auth`;
    // Redis may have lost its data while it was away.
    events.onDisconnect(() => this.noted.clear());
  }

  /** Counts a wrong secret, and locks the key at the twentieth. */
  async wrongSecret(scope: TenantScope, keyId: string): Promise<void> {
    const name = `${this.prefix}:wrong:${keyId}`;
    const count = await this.gate.use((redis) =>
      countAttempt.run(redis, [name], [WRONG_SECRETS, WINDOW_SECONDS, '', '']),
    );
    const wrong = typeof count === 'number' ? count : this.memory.count(keyId);
    if (wrong >= WRONG_SECRETS) await this.lock(scope, keyId, name);
  }

  /** Whether a key that was proven by its secret is refused at this address. */
  async refuses(key: StoredKey, ip: string): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (key.lockedUntil === null || key.lockedUntil.getTime() <= now) return false;
    const { keyId } = key.identity;
    const since = now / 1_000 - TRUST_SECONDS;
    const marked = await this.gate.use((redis) => redis.zscore(this.addressesOf(keyId), addressMark(ip)));
    if (typeof marked === 'string' && Number(marked) >= since) return false;
    const note = noteOf(keyId, ip);
    if ((this.lastUses.get(note) ?? -Infinity) < since) return true;
    // Redis has lost the mark: it is made again with this use, for the other pods too.
    this.noted.delete(note);
    return false;
  }

  /** Remembers that an address holds the right secret. Nobody waits for it. */
  rightSecret(keyId: string, ip: string): void {
    const note = noteOf(keyId, ip);
    this.lastUses.set(note, this.nowSeconds());
    if (this.noted.has(note)) return;
    // Before it is written, so that requests meanwhile do not write it too.
    this.noted.set(note, true);
    void this.write(keyId, ip).then((isWritten) => {
      if (!isWritten) this.noted.delete(note);
    });
  }

  private async write(keyId: string, ip: string): Promise<boolean> {
    const name = this.addressesOf(keyId);
    const results = await this.gate.use((redis) =>
      redis
        .multi()
        .zadd(name, this.nowSeconds(), addressMark(ip))
        .zremrangebyrank(name, 0, -MAX_ADDRESSES - 1)
        .expire(name, TRUST_SECONDS)
        .exec(),
    );
    return results?.every(([error]) => error === null) ?? false;
  }

  private async lock(scope: TenantScope, keyId: string, counter: string): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + LOCK_MS);
    try {
      await this.database.transaction(scope, async (transaction) => {
        await lockUntil(transaction, keyId, until);
        await recordAdministration(transaction, {
          ...{ ...BY_THE_SERVICE, action: 'key.lock', subject: keyId, occurredAt: now },
          details: { until: until.toISOString() },
        });
      });
      this.metrics.locked();
    } catch (error) {
      // The counter stays full, so the next wrong secret tries again.
      this.logger.error({ err: error, keyId, companyId: scope.companyId }, 'a key could not be locked');
      return;
    }
    this.memory.clear(keyId);
    this.directory.invalidate(keyId);
    await this.gate.use((redis) =>
      redis.multi().del(counter).publish(this.events.channel('changed'), keyId).exec(),
    );
    this.logger.warn({ keyId, companyId: scope.companyId }, 'a key was locked after repeated wrong secrets');
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1_000);
  }

  private addressesOf(keyId: string): string {
    return `${this.prefix}:trusted:${keyId}`;
  }
}

function noteOf(keyId: string, ip: string): string {
  return `${keyId}${ip}`;
}

function addressMark(ip: string): string {
  return sha256(ip).toString('base64url', 0, 12);
}
