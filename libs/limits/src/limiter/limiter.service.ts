import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectThrottlerOptions } from '@nestjs/throttler';
import { BURST_WINDOW_SECONDS } from '@outcomes/contracts';
import { CLOCK, LOGGER, LuaScript, REDIS, RedisGate, SERVICE_CONFIG } from '@outcomes/platform';
import type { Clock, Logger, Redis, ServiceConfig } from '@outcomes/platform';
import { AddressWindows } from '../address/address-windows.service';
import { UsageLedger, type KnownUsage } from '../usage/usage-ledger.service';
import {
  addressExceeded,
  addressHeaders,
  burstExceeded,
  policyOf,
  quotaExceeded,
  subjectNameOf,
} from './consumption';
import type { Consumption, LimitSubject, Surface } from './consumption';
import { MemoryLimits } from './memory-limits';
import { monthOf, startMsOf, type Month } from './month';
import { LimitCheckBatcher } from './limit-check-batcher';
import {
  parseBatchResult,
  verdictAt,
  type LimitCheck,
  type BatchResult,
  type LimitVerdict,
} from './limit-verdict';

const WINDOW_MS = BURST_WINDOW_SECONDS * 1_000;
/** Free requests for each call: a client that connects anew for each call makes four or five. */
const PROTOCOL_FACTOR = 5;
const FEWEST_PROTOCOL = 100;
/** How long a start waits for Redis, so that the first requests are counted there. */
const REDIS_START_MS = 1_000;
/** As consume.lua has it: a month that is not known, or how much of it is used. */
const UNKNOWN = -1;
/** As refund.lua has it. */
const OF_ANOTHER_MONTH = -1;
/** Of somebody without a tenant, whose month nobody counts. */
const NOTHING = { used: 0, owed: 0 };

const consumeScript = new LuaScript(join(__dirname, '../../lua/consume.lua'));
const refundScript = new LuaScript(join(__dirname, '../../lua/refund.lua'));

/** The window of an address, as the module gives it to @nestjs/throttler; `ttl` in milliseconds. */
export interface AddressWindowOptions {
  readonly throttlers: readonly [{ readonly ttl: number; readonly limit: number }];
}

/** Counts requests of credentials: burst window and month in one Redis round trip, or a share of one. */
@Injectable()
export class Limiter implements OnModuleInit {
  private readonly gate: RedisGate;
  private readonly memory: MemoryLimits;
  private readonly prefix: string;
  private readonly addressWindow: AddressWindowOptions['throttlers'][0];
  private readonly checks = new LimitCheckBatcher((...asked) => this.askRedis(...asked));

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
    @Inject(UsageLedger) private readonly ledger: UsageLedger,
    @Inject(AddressWindows) private readonly addresses: AddressWindows,
    @InjectThrottlerOptions() { throttlers: [window] }: AddressWindowOptions,
  ) {
    this.gate = new RedisGate(redis, (answers, error) =>
      answers
        ? logger.info('limits are shared again')
        : logger.warn({ err: error }, 'limits are per pod now'),
    );
    this.addressWindow = window;
    this.memory = new MemoryLimits(clock);
    // The braces below are each credential's own: the keys of one script belong together, those of two do not.
    this.prefix = `${config.REDIS_PREFIX.replaceAll(/[{}]/g, '')}:limits`;
  }

  async onModuleInit(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, REDIS_START_MS);
      this.redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** `degraded` while requests are limited per pod from memory. */
  get state(): 'operational' | 'degraded' {
    return this.gate.answers ? 'operational' : 'degraded';
  }

  /**
   * Counts one request, or refuses it and counts nothing.
   * @param use.surface - read-api and MCP tool calls share `read`; `ingest` and `protocol` have windows of their own
   * @param use.countsQuota - whether the request is one of the month's
   * @throws AppError RATE_LIMITED, QUOTA_EXCEEDED, each with its headers; SERVICE_UNAVAILABLE where neither Redis
   * nor Postgres can say how much of the month is used
   */
  consume(
    subject: LimitSubject,
    use: { readonly surface: Surface; readonly countsQuota: boolean },
  ): Promise<Consumption> {
    const check: LimitCheck = {
      surface: use.surface,
      limit: limitOf(subject, use.surface),
      windowMs: WINDOW_MS,
      quota: subject.monthlyQuota,
      countsQuota: use.countsQuota && subject.scope !== null,
    };
    const { index, result } = this.checks.join(subjectNameOf(subject), subject, check);
    return result.then((told) =>
      told
        ? allowed(subject, check, verdictAt(told, index, check.countsQuota))
        : this.consumeAlone(subject, check),
    );
  }

  /**
   * Gives a consumed request back to its month; the burst window keeps it. Where Redis does not answer, it is handed over with
   * the next request that Redis counts.
   * @param month - `month` of its consumption; the present one where not given
   */
  async refundQuota(subject: LimitSubject, month: Month = monthOf(this.clock.now())): Promise<void> {
    if (!subject.scope) return;
    const name = subjectNameOf(subject);
    let gaveBackAlone: KnownUsage | undefined;
    const left = await this.gate.use(
      (redis) => refundScript.run(redis, [this.keyOf(name)], [month]),
      (late) => {
        if (gaveBackAlone && late !== OF_ANOTHER_MONTH) gaveBackAlone.owed += 1;
      },
    );
    const known = this.ledger.find(name, month);
    if (!known) return;
    if (typeof left === 'number') known.used = left === OF_ANOTHER_MONTH ? known.used : left;
    else if (known.used > 0) {
      known.owed -= 1;
      known.used -= 1;
      gaveBackAlone = known;
    }
  }

  /**
   * Counts a request that nobody has proven, by its address.
   * @returns headers of the address's window
   * @throws AppError RATE_LIMITED
   */
  async consumeAddress(ip: string): Promise<Record<string, string>> {
    const { ttl, limit } = this.addressWindow;
    const { totalHits, timeToExpire, isBlocked } = await this.addresses.increment(ip, ttl, limit);
    const headers = addressHeaders(limit, totalHits, timeToExpire);
    if (isBlocked) throw addressExceeded(limit, totalHits, timeToExpire);
    return headers;
  }

  /** Whether an address that proves nothing would be refused. Counts nothing, and waits for nothing. */
  isAddressExhausted(ip: string): boolean {
    return this.addresses.isExhausted(ip, this.addressWindow.limit);
  }

  private async askRedis(
    name: string,
    subject: LimitSubject,
    check: LimitCheck,
    requests: number,
  ): Promise<BatchResult | undefined> {
    const present = this.ledger.find(name, monthOf(this.clock.now()));
    // What this pod last saw is not the month: other pods went on counting. Where Redis has lost it, it is in Postgres.
    const result = await this.run(name, check, requests, present, UNKNOWN);
    if (result?.last.kind !== 'month-unknown') return result && this.noted(subject, name, result);
    const scope = subject.scope;
    const { month } = result.last;
    const usage = scope ? await this.ledger.load(name, scope, subject.keyId, month) : { ...NOTHING, month };
    const second = await this.run(name, check, requests, usage, usage.used);
    return second && this.noted(subject, name, second);
  }

  /** @param used - of the month of `usage`, for where Redis has lost it: what is owed is in it */
  private async run(
    name: string,
    check: LimitCheck,
    requests: number,
    usage: Pick<KnownUsage, 'month' | 'owed'> | undefined,
    used: number,
  ): Promise<BatchResult | undefined> {
    const { surface, limit, windowMs, quota, countsQuota } = check;
    // What this pod let through alone is handed over once; where that fails, it is owed again.
    const owed = usage?.owed ?? 0;
    if (usage) usage.owed = 0;
    const month = usage?.month ?? UNKNOWN;
    const reply = await this.gate.use(
      (redis) =>
        consumeScript.run(
          redis,
          [this.keyOf(name)],
          [surface, limit, windowMs, quota, Number(countsQuota), month, used, owed, requests],
        ),
      (late) => {
        const { consumed, last } = parseBatchResult(late);
        // Redis has counted what the pod has let through, or refused, alone meanwhile, and has taken what was owed.
        const known = consumed > 0 ? this.ledger.find(name, last.month) : undefined;
        if (known) known.owed -= (countsQuota ? consumed : 0) + (last.month === month ? owed : 0);
      },
    );
    const result = reply === undefined ? undefined : parseBatchResult(reply);
    // A refusal changes nothing in Redis either.
    if (usage && !result?.consumed) usage.owed += owed;
    return result;
  }

  private async consumeAlone(subject: LimitSubject, check: LimitCheck): Promise<Consumption> {
    return allowed(subject, check, await this.askMemory(subject, check));
  }

  private async askMemory(subject: LimitSubject, check: LimitCheck): Promise<LimitVerdict> {
    const { scope, keyId } = subject;
    const name = subjectNameOf(subject);
    if (!scope) return this.memory.decide(name, check, 0);
    const month = monthOf(this.clock.now());
    const known = this.ledger.find(name, month) ?? (await this.ledger.load(name, scope, keyId, month));
    const verdict = this.memory.decide(name, check, known.used);
    if (verdict.kind === 'consumed' && check.countsQuota) {
      known.used += 1;
      known.owed += 1;
    }
    return verdict;
  }

  private noted({ scope, keyId }: LimitSubject, name: string, result: BatchResult): BatchResult {
    if (scope) this.ledger.note(name, scope, keyId, result.last.month, result.last.used);
    return result;
  }

  private keyOf(name: string): string {
    return `${this.prefix}:{${name}}`;
  }
}

function limitOf({ burstLimit, ingestBurstLimit = burstLimit }: LimitSubject, surface: Surface): number {
  if (surface === 'protocol') return Math.max(FEWEST_PROTOCOL, burstLimit * PROTOCOL_FACTOR);
  return surface === 'ingest' ? ingestBurstLimit : burstLimit;
}

/** @throws AppError RATE_LIMITED, QUOTA_EXCEEDED */
function allowed(subject: LimitSubject, check: LimitCheck, verdict: LimitVerdict): Consumption {
  const consumption = consumptionOf(subject, check, verdict);
  if (verdict.kind === 'burst') throw burstExceeded(consumption);
  if (verdict.kind === 'quota') throw quotaExceeded(consumption);
  return consumption;
}

function consumptionOf(
  { monthlyQuota }: LimitSubject,
  { limit }: LimitCheck,
  verdict: LimitVerdict,
): Consumption {
  return {
    limit,
    remaining: verdict.remaining,
    resetSeconds: Math.max(1, Math.ceil(verdict.resetMs / 1_000)),
    policy: policyOf(limit),
    quotaLimit: monthlyQuota,
    quotaUsed: verdict.used,
    quotaResetSeconds: Math.max(1, Math.ceil((startMsOf(verdict.month + 1) - verdict.nowMs) / 1_000)),
    month: verdict.month,
  };
}
