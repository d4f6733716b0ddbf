import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { SERVICE_CONFIG, type ServiceConfig } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import { IngestionMetrics } from '../metrics/ingestion-metrics.service';
import { EventStore } from './event-store.service';

/** Most events in one statement: as many as a full request has. */
const GROUP_EVENTS = 500;
/** A company's second statement starts beside the first only where it would carry at least this much. */
const FULL_GROUP_EVENTS = 250;
const STATEMENTS_PER_COMPANY = 4;
/** Connections of the pool that stay free for authentication and deletion. */
const SPARE_CONNECTIONS = 2;
/** What may wait before callers are sent away with 503. */
const MAX_HELD_EVENTS = 20_000;
const MAX_HELD_BYTES = 64 * 1_024 * 1_024;
/** Callers are promised an answer within two seconds. */
const MAX_WAIT_MS = 1_500;

interface Write {
  readonly records: readonly EventRecord[];
  readonly bytes: number;
  readonly expiry: NodeJS.Timeout;
  resolve(newIds: ReadonlySet<string>): void;
  reject(error: unknown): void;
}

interface Lane {
  readonly scope: TenantScope;
  waiting: Write[];
  running: number;
}

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
   * @param records - of one request, no event_id twice
   * @param bytes - size of the request, for the bound on memory
   * @returns ids of those that were not there before
   * @throws AppError SERVICE_UNAVAILABLE where too much waits or Postgres is away
   */
  write(scope: TenantScope, records: readonly EventRecord[], bytes: number): Promise<ReadonlySet<string>> {
    if (this.heldEvents + records.length > MAX_HELD_EVENTS || this.heldBytes + bytes > MAX_HELD_BYTES) {
      this.metrics.refused('queue');
      return Promise.reject(overloaded());
    }
    this.heldEvents += records.length;
    this.heldBytes += bytes;
    const lane = this.laneOf(scope);
    const done = new Promise<ReadonlySet<string>>((resolve, reject) => {
      const expiry = setTimeout(() => this.expire(lane, write), MAX_WAIT_MS);
      const write: Write = { records, bytes, expiry, resolve, reject };
      lane.waiting.push(write);
    });
    this.startGroups();
    return done.finally(() => {
      this.heldEvents -= records.length;
      this.heldBytes -= bytes;
    });
  }

  private laneOf(scope: TenantScope): Lane {
    const existing = this.lanes.get(scope.companyId);
    if (existing) return existing;
    const lane: Lane = { scope, waiting: [], running: 0 };
    this.lanes.set(scope.companyId, lane);
    return lane;
  }

  private startGroups(): void {
    for (const lane of [...this.lanes.values()]) {
      while (this.running < this.maxRunning && mayStart(lane)) void this.run(lane, nextGroup(lane));
      if (this.running >= this.maxRunning) return;
    }
  }

  private async run(lane: Lane, group: readonly Write[]): Promise<void> {
    lane.running += 1;
    this.running += 1;
    for (const write of group) clearTimeout(write.expiry);
    try {
      await this.commit(lane.scope, group);
    } finally {
      lane.running -= 1;
      this.running -= 1;
      // The company goes to the end of the line, so that a busy one does not starve the others.
      this.lanes.delete(lane.scope.companyId);
      if (lane.running > 0 || lane.waiting.length > 0) this.lanes.set(lane.scope.companyId, lane);
      this.startGroups();
    }
  }

  private async commit(scope: TenantScope, group: readonly Write[]): Promise<void> {
    const [only, ...others] = group;
    if (only && others.length === 0) return this.commitOne(scope, only);
    const owners = ownersOf(group);
    try {
      const records = [...owners.values()].map(({ record }) => record);
      const newIds = await this.metrics.commit(group.length, () => this.store.insert(scope, records));
      for (const write of group) write.resolve(ownNewIds(write, owners, newIds));
    } catch (error) {
      // A fault of ours in one request must not become that of its neighbours.
      const alone = !(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
      if (alone) for (const write of group) await this.commitOne(scope, write);
      else for (const write of group) write.reject(error);
    }
  }

  private async commitOne(scope: TenantScope, write: Write): Promise<void> {
    try {
      write.resolve(await this.metrics.commit(1, () => this.store.insert(scope, write.records)));
    } catch (error) {
      write.reject(error);
    }
  }

  private expire(lane: Lane, write: Write): void {
    lane.waiting = lane.waiting.filter((other) => other !== write);
    this.metrics.refused('time');
    write.reject(overloaded());
  }
}

interface Owner {
  readonly record: EventRecord;
  readonly write: Write;
}

/** Each event_id with the request that sent it first: for the others it is a duplicate. */
function ownersOf(group: readonly Write[]): Map<string, Owner> {
  const owners = new Map<string, Owner>();
  for (const write of group) {
    for (const record of write.records) {
      if (!owners.has(record.eventId)) owners.set(record.eventId, { record, write });
    }
  }
  return owners;
}

function ownNewIds(
  write: Write,
  owners: ReadonlyMap<string, Owner>,
  newIds: ReadonlySet<string>,
): ReadonlySet<string> {
  const ids = write.records.map((record) => record.eventId);
  return new Set(ids.filter((id) => newIds.has(id) && owners.get(id)?.write === write));
}

function mayStart(lane: Lane): boolean {
  if (lane.waiting.length === 0) return false;
  if (lane.running === 0) return true;
  return lane.running < STATEMENTS_PER_COMPANY && isFull(lane);
}

function isFull(lane: Lane): boolean {
  let events = 0;
  return lane.waiting.some((write) => (events += write.records.length) >= FULL_GROUP_EVENTS);
}

/** Takes requests from the front until the statement is full; at least one. */
function nextGroup(lane: Lane): Write[] {
  let events = 0;
  let count = 0;
  for (const write of lane.waiting) {
    events += write.records.length;
    if (count > 0 && events > GROUP_EVENTS) break;
    count += 1;
  }
  return lane.waiting.splice(0, count);
}

function overloaded(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': '1' } });
}
