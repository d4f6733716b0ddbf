import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { SERVICE_CONFIG, type ServiceConfig } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import { IngestionMetrics } from '../metrics/ingestion-metrics.service';
import { EventStore, type EventFate } from './event-store.service';
import { CompanyWriteQueue, type PendingWrite } from './company-write-queue';

/** Connections of the pool that stay free for authentication and deletion. */
const SPARE_CONNECTIONS = 2;
/** What may wait before callers are sent away with 503. */
const MAX_HELD_EVENTS = 20_000;
const MAX_HELD_BYTES = 64 * 1_024 * 1_024;
/** Callers are promised an answer within two seconds. */
const MAX_WAIT_MS = 1_500;
/** How exactly. One look at all that wait costs less than a timer for each. */
const LOOK_MS = 100;

/**
 * Group commit. Requests of one company that arrive while its statement is under way go together in the next
 * one, and each is answered after the commit that carried it: single-event posts then cost little more than
 * batches. What may wait is bounded in events, bytes and time; beyond that the answer is 503.
 */
@Injectable()
export class EventWriter {
  private readonly queues = new Map<string, CompanyWriteQueue>();
  private readonly maxRunning: number;
  private running = 0;
  private heldEvents = 0;
  private heldBytes = 0;
  private look: NodeJS.Timeout | undefined;

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(SERVICE_CONFIG) config: Pick<ServiceConfig, 'DATABASE_POOL_SIZE'>,
    @Inject(IngestionMetrics) private readonly metrics: IngestionMetrics,
  ) {
    metrics.gauge('held_events', 'Events that wait to be stored or are being stored.', () => this.heldEvents);
    metrics.gauge('held_bytes', 'Bytes of the requests that those came in.', () => this.heldBytes);
    this.maxRunning = Math.max(1, config.DATABASE_POOL_SIZE - SPARE_CONNECTIONS);
  }

  /**
   * Stores events; resolves after COMMIT.
   * @param records - of one request
   * @param bytes - size of the request, for the bound on memory
   * @returns what became of each record
   * @throws AppError SERVICE_UNAVAILABLE where too much waits or Postgres is away
   */
  write(scope: TenantScope, records: readonly EventRecord[], bytes: number): Promise<readonly EventFate[]> {
    if (this.heldEvents + records.length > MAX_HELD_EVENTS || this.heldBytes + bytes > MAX_HELD_BYTES) {
      this.metrics.refused('queue');
      return Promise.reject(overloaded());
    }
    this.heldEvents += records.length;
    this.heldBytes += bytes;
    this.look ??= setInterval(() => this.refuseExpired(), LOOK_MS);
    const queue = this.queueOf(scope);
    return new Promise((resolve, reject) => {
      queue.add({ records, bytes, expiresMs: performance.now() + MAX_WAIT_MS, resolve, reject });
      this.start(queue);
    });
  }

  private queueOf(scope: TenantScope): CompanyWriteQueue {
    const existing = this.queues.get(scope.companyId);
    if (existing) return existing;
    const queue = new CompanyWriteQueue(scope, (waited) => this.start(waited));
    this.queues.set(scope.companyId, queue);
    return queue;
  }

  private start(queue: CompanyWriteQueue): void {
    while (this.running < this.maxRunning && queue.mayStart) void this.run(queue, queue.begin());
    if (queue.isIdle) this.queues.delete(queue.scope.companyId);
  }

  private async run(queue: CompanyWriteQueue, group: readonly PendingWrite[]): Promise<void> {
    this.running += 1;
    try {
      await this.commit(queue.scope, group);
    } finally {
      this.running -= 1;
      queue.end(group.length);
      // The company goes to the end of the line, so that a busy one does not starve the others.
      this.queues.delete(queue.scope.companyId);
      if (!queue.isIdle) this.queues.set(queue.scope.companyId, queue);
      for (const next of [...this.queues.values()]) if (this.running < this.maxRunning) this.start(next);
    }
  }

  private async commit(scope: TenantScope, group: readonly PendingWrite[]): Promise<void> {
    const records = group.flatMap((write) => write.records);
    try {
      const fates = await this.metrics.commit(group.length, () => this.store.insert(scope, records));
      let from = 0;
      for (const write of group) {
        const to = from + write.records.length;
        this.answer(write, fates.slice(from, to));
        from = to;
      }
    } catch (error) {
      // A fault of ours in one request must not become that of its neighbours.
      const alone = group.length > 1 && !(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
      if (alone) for (const write of group) await this.commit(scope, [write]);
      else for (const write of group) this.refuse(write, error);
    }
  }

  private refuseExpired(): void {
    for (const queue of this.queues.values()) {
      for (const write of queue.takeExpired(performance.now())) {
        this.metrics.refused('time');
        this.refuse(write, overloaded());
      }
    }
  }

  private answer(write: PendingWrite, fates: readonly EventFate[]): void {
    this.release(write);
    write.resolve(fates);
  }

  private refuse(write: PendingWrite, error: unknown): void {
    this.release(write);
    write.reject(error);
  }

  private release({ records, bytes }: PendingWrite): void {
    this.heldEvents -= records.length;
    this.heldBytes -= bytes;
    if (this.heldEvents > 0) return;
    clearInterval(this.look);
    this.look = undefined;
  }
}

function overloaded(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': '1' } });
}
