import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RecentAttempts } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { CLOCK, REDIS, RedisGate, SERVICE_CONFIG, type Clock } from '@outcomes/platform';
import type { Redis, ServiceConfig } from '@outcomes/platform';

const LIMIT = 10;
const WINDOW_SECONDS = 3_600;

/**
 * Ten failures in an hour with one account from one address. An attempt is counted before it is judged, so that a
 * hundred at once are ten; a success takes the count away. While Redis is away each pod counts for itself.
 */
@Injectable()
export class SignInThrottle {
  private readonly memory: RecentAttempts;
  private readonly gate: RedisGate;
  private readonly prefix: string;

  constructor(
    @Inject(REDIS) redis: Redis,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.gate = new RedisGate(redis);
    this.memory = new RecentAttempts(LIMIT, WINDOW_SECONDS, clock);
    this.prefix = `${config.REDIS_PREFIX}:sign-in`;
  }

  /** @throws AppError TOO_MANY_FAILED_ATTEMPTS from the eleventh attempt on */
  async attempt(email: string, ip: string): Promise<void> {
    const mark = markOf(email, ip);
    const key = `${this.prefix}:${mark}`;
    // In one step: a count that ends in between would begin anew without an end.
    const count = await this.gate.use(async (redis) => {
      const replies = await redis.multi().set(key, 0, 'EX', WINDOW_SECONDS, 'NX').incr(key).exec();
      const counted = replies?.[1]?.[1];
      return typeof counted === 'number' ? counted : undefined;
    });
    if ((count ?? this.memory.count(mark)) > LIMIT) {
      const headers = { 'Retry-After': String(WINDOW_SECONDS) };
      throw new AppError('TOO_MANY_FAILED_ATTEMPTS', {}, { headers });
    }
  }

  async succeeded(email: string, ip: string): Promise<void> {
    const mark = markOf(email, ip);
    this.memory.clear(mark);
    await this.gate.use((redis) => redis.del(`${this.prefix}:${mark}`));
  }
}

/** One short name that reveals neither. */
function markOf(email: string, ip: string): string {
  return createHash('sha256').update(`${email}\n${ip}`).digest('base64url').slice(0, 22);
}
