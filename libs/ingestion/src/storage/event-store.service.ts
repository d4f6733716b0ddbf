import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import { TouchFolding } from '../touches/touch-folding.service';
import { OutcomeEventRepository, type InsertedRow, type PreparedQuery } from './outcome-event.repository';
import { retentionCutoff } from './retention-cutoff';

/** Puts events into Postgres, exactly once each, and tells the worker. */
@Injectable()
export class EventStore {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(OutcomeEventRepository) private readonly events: OutcomeEventRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(QueueProducer) private readonly queue: QueueProducer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * One transaction, two where an event is there already; resolves after COMMIT. The nudge to the worker is not
   * waited for: Postgres knows.
   * @param records - of one company, no event_id twice
   * @returns ids of the events that are new
   */
  async insert(scope: TenantScope, records: readonly EventRecord[]): Promise<ReadonlySet<string>> {
    if (records.length === 0) return new Set();
    const now = this.clock.now();
    const stored = await this.events.insert(
      scope,
      (query) => this.database.statement<InsertedRow>(query),
      records,
      now,
    );
    const replaced =
      stored.size < records.length
        ? await this.database.transaction(scope, (transaction) =>
            this.replaceExpired(scope, transaction, records, stored, now),
          )
        : [];
    const newIds = replaced.length > 0 ? new Set([...stored, ...replaced]) : stored;
    if (newIds.size > 0) void this.queue.nudgeBatches(scope.companyId);
    return newIds;
  }

  /**
   * A duplicate of an event that has expired, though retention has not come by yet, is a new event: what it
   * repeats exists no more.
   * @returns ids of those
   */
  private async replaceExpired(
    scope: TenantScope,
    transaction: TenantTransaction,
    records: readonly EventRecord[],
    stored: ReadonlySet<string>,
    now: Date,
  ): Promise<string[]> {
    const { client } = transaction;
    const cutoff = retentionCutoff(now);
    const repeated = records.map((record) => record.eventId).filter((id) => !stored.has(id));
    const expired = await this.events.expiredAmong(scope, client, repeated, cutoff);
    if (expired.length === 0) return [];
    await this.touches.lock(scope, transaction);
    const removed = await this.events.deleteByIds(scope, client, expired, cutoff);
    await this.touches.refold(scope, transaction, removed.touches, cutoff);
    const again = new Set(expired);
    const fresh = records.filter((record) => again.has(record.eventId));
    const run = async (query: PreparedQuery) => (await client.query<InsertedRow>(query)).rows;
    return [...(await this.events.insert(scope, run, fresh, now))];
  }
}
