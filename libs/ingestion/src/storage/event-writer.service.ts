import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { SERVICE_CONFIG, type ServiceConfig } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import { IngestionMetrics } from '../metrics/ingestion-metrics.service';
import { EventStore, type EventFate } from './event-store.service';
import { Lane, type Write } from './lane';

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
  private readonly lanes = new Map<string, Lane>();
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
    const lane = this.laneOf(scope);
    return new Promise((resolve, reject) => {
      lane.add({ records, bytes, expiresMs: performance.now() + MAX_WAIT_MS, resolve, reject });
      this.start(lane);
    });
  }

  private laneOf(scope: TenantScope): Lane {
    const existing = this.lanes.get(scope.companyId);
    if (existing) return existing;
    const lane = new Lane(scope, (waited) => this.start(waited));
    this.lanes.set(scope.companyId, lane);
    return lane;
  }

  private start(lane: Lane): void {
    while (this.running < this.maxRunning && lane.mayStart) void this.run(lane, lane.begin());
    if (lane.isIdle) this.lanes.delete(lane.scope.companyId);
  }

  private async run(lane: Lane, group: readonly Write[]): Promise<void> {
    this.running += 1;
    try {
      await this.commit(lane.scope, group);
    } finally {
      this.running -= 1;
      lane.end(group.length);
      // The company goes to the end of the line, so that a busy one does not starve the others.
      this.lanes.delete(lane.scope.companyId);
      if (!lane.isIdle) this.lanes.set(lane.scope.companyId, lane);
      for (const next of [...this.lanes.values()]) if (this.running < this.maxRunning) this.start(next);
    }
  }

  private async commit(scope: TenantScope, group: readonly Write[]): Promise<void> {
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
    for (const lane of this.lanes.values()) {
      for (const write of lane.takeExpired(performance.now())) {
        this.metrics.refused('time');
        this.refuse(write, overloaded());
      }
    }
  }

  private answer(write: Write, fates: readonly EventFate[]): void {
    this.release(write);
    write.resolve(fates);
  }

  private refuse(write: Write, error: unknown): void {
    this.release(write);
    write.reject(error);
  }

  private release({ records, bytes }: Write): void {
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
