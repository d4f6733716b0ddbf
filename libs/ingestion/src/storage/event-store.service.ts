import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import { BatchNudges } from './batch-nudges.service';
import { TouchFolding } from '../touches/touch-folding.service';
import { REPEATS_EXPIRED } from './event-sql';
import { OutcomeEventRepository, type KnownFate } from './outcome-event.repository';
import { ExpiredEvents } from './expired-events.service';
import { retentionCutoff } from './retention-cutoff';

/** What became of an event: stored now, or one of that id was there already. */
export type EventFate = 'new' | KnownFate;

/** Puts events into Postgres, exactly once each, and tells the worker. */
@Injectable()
export class EventStore {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(OutcomeEventRepository) private readonly events: OutcomeEventRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(ExpiredEvents) private readonly expired: ExpiredEvents,
    @Inject(BatchNudges) private readonly nudges: BatchNudges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * One transaction; resolves after COMMIT. The nudge to the worker is not waited for: Postgres knows. Of several events
   * with one id the first is stored. What is not stored is then compared with what is, column by column.
   * @param records - of one company
   * @returns what became of each
   */
  async insert(scope: TenantScope, records: readonly EventRecord[]): Promise<readonly EventFate[]> {
    if (records.length === 0) return [];
    const now = this.clock.now();
    const first = firstOfEachId(records);
    const sent = first.size === records.length ? records : [...first.values()];
    const newIds = await this.events
      .insert(scope, sent, now, retentionCutoff(now))
      .catch((error: unknown) => {
        if (repeatsExpired(error)) return this.replaceExpired(scope, sent, now);
        throw error;
      });
    if (newIds.size > 0) this.nudges.nudge(scope.companyId);
    if (newIds.size === records.length) return records.map(() => 'new');
    const isNew = (record: EventRecord) => first.get(record.eventId) === record && newIds.has(record.eventId);
    const others = records.filter((record) => !isNew(record));
    const known = await this.database.transaction(scope, (transaction) =>
      this.events.compare(transaction, others),
    );
    // What was deleted since is stored after all: an event that is accepted is there.
    const gone = others.filter((record) => !known.has(record));
    const again = await this.insert(scope, gone);
    const fates = new Map([...known, ...gone.map((record, at) => [record, again[at] as EventFate] as const)]);
    return records.map((record) => fates.get(record) ?? 'new');
  }

  /**
   * Stores what is made of other rows in the transaction that reads and removes them: an erasure comes wholly before, and
   * takes those rows, or wholly after, and takes the events. Resolves after COMMIT; then the worker is told.
   * @param make - given a transaction that holds the company's lock, and what inserts into it events of one company, no id
   * twice, and says what became of each
   */
  async insertFrom<Result>(
    scope: TenantScope,
    make: (
      transaction: TenantTransaction,
      insert: (records: readonly EventRecord[]) => Promise<readonly EventFate[]>,
    ) => Promise<Result>,
  ): Promise<Result> {
    const now = this.clock.now();
    let isTold = true;
    const result = await this.database.transaction(scope, async (transaction) => {
      await this.touches.lock(transaction);
      return make(transaction, async (records) => {
        if (records.length === 0) return [];
        const newIds = await this.replaceWithin(transaction, records, now);
        if (newIds.size > 0) isTold = false;
        const others = records.filter(({ eventId }) => !newIds.has(eventId));
        const known = others.length > 0 ? await this.events.compare(transaction, others) : undefined;
        return records.map((record) => known?.get(record) ?? 'new');
      });
    });
    if (!isTold) this.nudges.nudge(scope.companyId);
    return result;
  }

  /**
   * A duplicate of an event that has expired, though retention has not come by yet, is a new event: what it
   * repeats exists no more. The old one goes in the transaction that stores the new one and its neighbours.
   * @returns ids of the events that are new
   */
  private async replaceExpired(
    scope: TenantScope,
    records: readonly EventRecord[],
    now: Date,
  ): Promise<ReadonlySet<string>> {
    return this.database.transaction(scope, async (transaction) => {
      await this.touches.lock(transaction);
      return this.replaceWithin(transaction, records, now);
    });
  }

  /** @param transaction - that holds the company's lock */
  private async replaceWithin(
    transaction: TenantTransaction,
    records: readonly EventRecord[],
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const cutoff = retentionCutoff(now);
    const ids = records.map((record) => record.eventId);
    const expired = await this.events.expiredAmong(transaction, ids, cutoff);
    await this.expired.remove(transaction, expired, cutoff);
    return this.events.insertWithin(transaction, records, now, cutoff);
  }
}

/** Each event_id with the record that was sent first. */
function firstOfEachId(records: readonly EventRecord[]): Map<string, EventRecord> {
  const first = new Map<string, EventRecord>();
  for (const record of records) if (!first.has(record.eventId)) first.set(record.eventId, record);
  return first;
}

function repeatsExpired(error: unknown): boolean {
  const cause: unknown = error instanceof AppError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === REPEATS_EXPIRED;
}
