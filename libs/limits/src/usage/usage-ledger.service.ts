import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LOGGER, type Logger } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import type { Month } from '../limiter/month';
import { UsageRepository } from './usage.repository';

/** Requests after which a count is written down at once: one window of the default size. */
const MAX_UNWRITTEN = 200;
/** How far apart, in milliseconds, writes of one count are: a credential of thousands a second would write each time. */
const PAUSE_MS = 250;
/** How often everything else that changed is written down; well within one burst window. */
export const FLUSH_EVERY_MS = 15_000;
/** Credentials whose month a pod remembers. */
const MAX_KNOWN = 50_000;

/** One credential's month as this pod knows it. */
export interface KnownUsage {
  readonly scope: TenantScope;
  readonly keyId: string;
  readonly month: Month;
  used: number;
  written: number;
  /** performance.now() of the last attempt to write it. */
  writtenMs: number;
  /** A write is under way or waits its turn. */
  queued: boolean;
  /** Let through while Redis was away, less what was given back meanwhile, and not in Redis yet: negative where more was given back. */
  owed: number;
}

const UNWRITTEN = { written: 0, writtenMs: -Infinity, queued: false, owed: 0 };

/**
 * What this pod knows of everybody's month, and its way into Postgres. Redis decides; Postgres remembers for the
 * case that Redis forgets: then a count falls short by at most what was not yet written down.
 */
@Injectable()
export class UsageLedger implements OnModuleInit, OnApplicationShutdown {
  private readonly known = new Map<string, KnownUsage>();
  /** Of months that are over and of credentials that are forgotten: kept until they are written, the oldest first. */
  private readonly leaving = new Set<KnownUsage>();
  private readonly loading = new Map<string, Promise<KnownUsage>>();
  private timer?: NodeJS.Timeout;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    @Inject(UsageRepository) private readonly repository: UsageRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** Before the connections close: other modules close theirs in the same phase, this one writes first. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** What this pod knows of a credential's month, if anything. */
  find(name: string, month: Month): KnownUsage | undefined {
    const usage = this.known.get(name);
    return usage?.month === month ? usage : undefined;
  }

  /** The same, read from Postgres; all who ask meanwhile share one look and its result. */
  async load(name: string, scope: TenantScope, keyId: string, month: Month): Promise<KnownUsage> {
    const key = `${name} ${month}`;
    const underWay = this.loading.get(key);
    if (underWay) return underWay;
    const loading = this.read(name, scope, keyId, month).finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  /** Notes what was decided; every so often it goes to Postgres, and nobody waits for that. */
  note(name: string, scope: TenantScope, keyId: string, month: Month, used: number): KnownUsage {
    const present = this.find(name, month);
    const usage = present ?? this.remember(name, { scope, keyId, month, used, ...UNWRITTEN });
    usage.used = used;
    if (usage.used - usage.written >= MAX_UNWRITTEN && !usage.queued) this.writeSoon(usage);
    return usage;
  }

  private writeSoon(usage: KnownUsage): void {
    const pauseMs = usage.writtenMs + PAUSE_MS - performance.now();
    if (pauseMs <= 0) return void this.flush(usage);
    usage.queued = true;
    setTimeout(() => void this.flush(usage), pauseMs).unref();
  }

  /** Writes one count, or all that changed. Failures are logged and tried again with the next flush. */
  async flush(only?: KnownUsage): Promise<void> {
    const changed = only ? [only] : [...this.leaving, ...this.known.values()].filter(isUnwritten);
    for (const usage of changed) usage.queued = true;
    this.flushing = this.flushing.then(() => this.write(changed));
    await this.flushing;
  }

  private async read(name: string, scope: TenantScope, keyId: string, month: Month): Promise<KnownUsage> {
    const written = await this.repository.read(scope, keyId, month);
    const present = this.find(name, month);
    if (!present) return this.remember(name, { scope, keyId, month, ...UNWRITTEN, used: written, written });
    // What was counted meanwhile, and what is owed, is in what this pod knows. What another pod has written since does
    // not have what this one owes.
    const owed = written > present.written ? present.owed : 0;
    present.used = Math.max(written + owed, present.used);
    present.written = Math.max(written, present.written);
    return present;
  }

  private async write(changed: readonly KnownUsage[]): Promise<void> {
    let fails = false;
    for (const usage of changed) {
      usage.queued = false;
      const used = usage.used;
      if (fails || !isUnwritten(usage)) continue;
      usage.writtenMs = performance.now();
      try {
        await this.repository.write(usage.scope, usage.keyId, usage.month, used);
        usage.written = used;
        this.leaving.delete(usage);
      } catch (error) {
        // The others would fail alike, each after its time-out.
        fails = true;
        this.logger.warn({ err: error }, 'usage could not be written down');
      }
    }
  }

  private remember(name: string, usage: KnownUsage): KnownUsage {
    const ended = this.known.get(name);
    if (ended) this.leave(ended);
    this.known.delete(name);
    this.known.set(name, usage);
    const oldest = this.known.entries().next();
    if (this.known.size > MAX_KNOWN && !oldest.done) {
      const [oldestName, forgotten] = oldest.value;
      this.known.delete(oldestName);
      this.leave(forgotten);
      void this.flush(forgotten);
    }
    return usage;
  }

  private leave(usage: KnownUsage): void {
    if (!isUnwritten(usage)) return;
    this.leaving.add(usage);
    const [oldest] = this.leaving;
    // Postgres has been away for long.
    if (this.leaving.size > MAX_KNOWN && oldest) this.leaving.delete(oldest);
  }
}

function isUnwritten({ used, written }: KnownUsage): boolean {
  return used > written;
}
