import type { TenantScope } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import type { EventFate } from './event-store.service';

/** Most events in one statement: as many as a full request has. */
const GROUP_EVENTS = 500;
/** A company's second statement starts beside the first only where it would carry at least this much. */
export const FULL_GROUP_EVENTS = 250;
const STATEMENTS_PER_COMPANY = 4;
/** Fewest requests under way together that make the next statement wait for their senders to come back. */
const LEAST_EXPECTED = 4;
/** How long after the commit, and after each of them that has come back, in milliseconds. */
export const LINGER_MS = 4;
/** How long after the commit at most. */
export const MAX_LINGER_MS = 16;

/** A request whose events wait to be stored. */
export interface PendingWrite {
  readonly records: readonly EventRecord[];
  /** Size of the request. */
  readonly bytes: number;
  /** When its caller is sent away, as performance.now() counts. */
  readonly expiresMs: number;
  /** @param fates - of each record, in order */
  resolve(fates: readonly EventFate[]): void;
  reject(error: unknown): void;
}

/**
 * The requests of one company that wait for a statement. Senders that post event after event come back as soon as
 * they are answered: after a commit the next statement waits until as many requests wait as were under way together,
 * or none has come for a moment. One statement for all of them costs less than two that each carry some, and nobody waits who
 * comes alone. Postgres knows the same as commit_delay and commit_siblings.
 */
export class CompanyWriteQueue {
  running = 0;
  private waiting: PendingWrite[] = [];
  private events = 0;
  private expected = 0;
  private linger: NodeJS.Timeout | undefined;
  private committedMs = 0;
  private arrivedMs = 0;

  /** @param start - called when the wait for those that are expected is over */
  constructor(
    readonly scope: TenantScope,
    private readonly start: (queue: CompanyWriteQueue) => void,
  ) {}

  /** Whether nothing waits, runs or is expected. */
  get isIdle(): boolean {
    return this.running === 0 && this.waiting.length === 0 && this.linger === undefined;
  }

  /** Whether a statement may start now. */
  get mayStart(): boolean {
    if (this.waiting.length === 0) return false;
    const isFull = this.events >= FULL_GROUP_EVENTS;
    if (this.running > 0) return isFull && this.running < STATEMENTS_PER_COMPANY;
    return isFull || this.waiting.length >= this.expected;
  }

  add(write: PendingWrite): void {
    this.waiting.push(write);
    if (this.linger) this.arrivedMs = performance.now();
    this.events += write.records.length;
  }

  /** Takes requests from the front until a statement is full; at least one. */
  begin(): PendingWrite[] {
    this.expect(0);
    this.running += 1;
    let events = 0;
    let count = 0;
    for (const { records } of this.waiting) {
      if (count > 0 && events + records.length > GROUP_EVENTS) break;
      events += records.length;
      count += 1;
    }
    this.events -= events;
    return this.waiting.splice(0, count);
  }

  /** @param carried - requests that the statement carried */
  end(carried: number): void {
    this.running -= 1;
    const underWay = carried + this.waiting.length;
    this.expect(underWay < LEAST_EXPECTED ? 0 : underWay);
  }

  /** Takes out what has waited too long. */
  takeExpired(nowMs: number): PendingWrite[] {
    const expired = this.waiting.filter(({ expiresMs }) => expiresMs <= nowMs);
    if (expired.length > 0) {
      this.waiting = this.waiting.filter(({ expiresMs }) => expiresMs > nowMs);
      for (const { records } of expired) this.events -= records.length;
    }
    return expired;
  }

  private expect(requests: number): void {
    clearTimeout(this.linger);
    this.linger = undefined;
    this.expected = requests;
    if (requests === 0) return;
    this.committedMs = performance.now();
    this.arrivedMs = this.committedMs;
    this.waitFor(LINGER_MS);
  }

  /** What has arrived meanwhile is read before the wait is over: timers come before it in a turn of the loop. */
  private waitFor(ms: number): void {
    const linger = setTimeout(() => setImmediate(() => this.linger === linger && this.waitOn()), ms);
    this.linger = linger;
  }

  /** Waits on where somebody has just come. */
  private waitOn(): void {
    const until = Math.min(this.arrivedMs + LINGER_MS, this.committedMs + MAX_LINGER_MS);
    const left = until - performance.now();
    if (left > 0) return this.waitFor(Math.max(1, left));
    this.expect(0);
    this.start(this);
  }
}
