import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { atMost, CLOCK, LuaScript, REDIS, RedisGate, SERVICE_CONFIG, type Clock } from '@outcomes/platform';
import type { Redis, ServiceConfig } from '@outcomes/platform';
import { LRUCache } from 'lru-cache';
import { KeyEvents } from '../keys/key-events.service';
import { sha256 } from '../keys/key-form';
import { RecentAttempts } from './recent-attempts';

const LIMIT = 5;
const WINDOW_SECONDS = 3_600;
/** How long a pod believes that an address is not blocked, where the message that it is was lost. */
const CACHE_TTL_MS = 10_000;
const MAX_CACHED = 50_000;

const countAttempt = new LuaScript(join(__dirname, '../../lua/count-attempt.lua'));
const countUnknown = new LuaScript(join(__dirname, '../../lua/count-unknown.lua'));

/**
 * Five failures in an hour from one address with one credential, then an hour of 429. What is counted where
 * follows from what a mistake would cost: existing keys exactly, in Redis, for all pods; invented credentials in
 * a table of fixed size in Redis; what is not even well-formed in this pod's memory, without any I/O.
 */
@Injectable()
export class FailureThrottle {
  private readonly memory: RecentAttempts;
  private readonly gate: RedisGate;
  /** Marks whose state was read lately; true: blocked. */
  private readonly cache = new LRUCache<string, boolean>({
    ...atMost(MAX_CACHED),
    ttl: CACHE_TTL_MS,
    ttlResolution: 20,
  });
  /** Marks of proven callers, because a hash a request would be a third of the check's cost. */
  private readonly marks = new LRUCache<string, string>(atMost(MAX_CACHED));
  private readonly prefix: string;

  constructor(
    @Inject(REDIS) redis: Redis,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(CLOCK) clock: Clock,
    @Inject(KeyEvents) private readonly events: KeyEvents,
  ) {
    this.gate = new RedisGate(redis);
    this.memory = new RecentAttempts(LIMIT, WINDOW_SECONDS, clock);
    this.prefix = `${config.REDIS_PREFIX}:auth`;
    events.on('throttled', (mark) => this.cache.set(mark, true));
    events.onDisconnect(() => this.cache.clear());
  }

  /** Counts a failure with something that has no valid form. No I/O. @throws AppError from the sixth on */
  failedMalformed(ip: string, token: string): void {
    refuseAbove(this.memory.count(markOf(ip, token)));
  }

  /** Counts a failure with a credential that does not exist. @throws AppError from the sixth on */
  async failedUnknown(ip: string, name: string): Promise<void> {
    const mark = markOf(ip, name);
    // 18 of the mark's bits choose the cell.
    const cell = Buffer.from(mark, 'base64url').readUInt32BE() >>> 14;
    const count = await this.gate.use((redis) => countUnknown.run(redis, [`${this.prefix}:unknown`], [cell]));
    refuseAbove(typeof count === 'number' ? count : this.memory.count(mark));
  }

  /** Counts a failure with a key that exists. @throws AppError from the sixth on */
  async failedKnown(ip: string, keyId: string): Promise<void> {
    const mark = markOf(ip, keyId);
    const count = await this.gate.use((redis) =>
      countAttempt.run(
        redis,
        [this.keyOf(mark)],
        [LIMIT, WINDOW_SECONDS, this.events.channel('throttled'), mark],
      ),
    );
    const failures = typeof count === 'number' ? count : this.memory.count(mark);
    if (failures >= LIMIT) this.cache.set(mark, true);
    refuseAbove(failures);
  }

  /** Whether an address is known not to be refused with an existing key: no wait, no I/O. */
  isClear(ip: string, keyId: string): boolean {
    return this.cache.get(this.knownMark(ip, keyId)) === false;
  }

  /**
   * Refuses an address that failed too often with an existing key, whatever it presents now.
   * Redis is asked once per address, key and ten seconds; what happens meanwhile is told by message.
   * @throws AppError TOO_MANY_FAILED_ATTEMPTS
   */
  async refuseBlocked(ip: string, keyId: string): Promise<void> {
    const mark = this.knownMark(ip, keyId);
    let blocked = this.cache.get(mark);
    if (blocked === undefined) {
      const count = await this.gate.use((redis) => redis.llen(this.keyOf(mark)));
      blocked = count === undefined ? this.memory.isFull(mark) : count >= LIMIT;
      // A message that arrived during the question is newer than its answer.
      blocked ||= this.cache.get(mark) === true;
      this.cache.set(mark, blocked);
    }
    if (blocked) throw tooManyFailures();
  }

  private knownMark(ip: string, keyId: string): string {
    const pair = `${ip} ${keyId}`;
    const known = this.marks.get(pair);
    if (known !== undefined) return known;
    const mark = markOf(ip, keyId);
    this.marks.set(pair, mark);
    return mark;
  }

  private keyOf(mark: string): string {
    return `${this.prefix}:failed:${mark}`;
  }
}

/** Address and credential as one short name that reveals neither. */
function markOf(ip: string, name: string): string {
  return sha256(`${ip}\n${name}`).toString('base64url', 0, 16);
}

function refuseAbove(count: number): void {
  if (count > LIMIT) throw tooManyFailures();
}

function tooManyFailures(): AppError {
  return new AppError('TOO_MANY_FAILED_ATTEMPTS', {}, { headers: { 'Retry-After': String(WINDOW_SECONDS) } });
}
