import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import { BatchNudges } from './batch-nudges.service';
import { Suppressions } from '../suppressions/suppressions.service';
import { TouchFolding } from '../touches/touch-folding.service';
import { REPEATS_EXPIRED } from './event-columns';
import { OutcomeEventRepository, type InsertedRow, type PreparedQuery } from './outcome-event.repository';
import { retentionCutoff } from './retention-cutoff';

/** Puts events into Postgres, exactly once each, and tells the worker. */
@Injectable()
export class EventStore {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(OutcomeEventRepository) private readonly events: OutcomeEventRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(Suppressions) private readonly suppressions: Suppressions,
    @Inject(BatchNudges) private readonly nudges: BatchNudges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * One transaction; resolves after COMMIT. The nudge to the worker is not waited for: Postgres knows.
   * @param records - of one company, no event_id twice
   * @returns ids of the events that are new
   */
  async insert(scope: TenantScope, records: readonly EventRecord[]): Promise<ReadonlySet<string>> {
    if (records.length === 0) return new Set();
    const now = this.clock.now();
    const newIds = await this.insertNew(scope, records, now).catch((error: unknown) => {
      if (repeatsExpired(error)) return this.replaceExpired(scope, records, now);
      throw error;
    });
    if (newIds.size > 0) this.nudges.nudge(scope.companyId);
    return newIds;
  }

  private async insertNew(
    scope: TenantScope,
    records: readonly EventRecord[],
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const run = (query: PreparedQuery) => this.database.statement<InsertedRow>(query);
    return this.events.insert(scope, run, records, now, retentionCutoff(now));
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
    const cutoff = retentionCutoff(now);
    const ids = records.map((record) => record.eventId);
    return this.database.transaction(scope, async (transaction) => {
      const { client } = transaction;
      await this.touches.lock(scope, transaction);
      const expired = await this.events.expiredAmong(scope, client, ids, cutoff);
      const near = await this.suppressions.keepExpiring(scope, transaction, expired);
      const removed = await this.events.deleteByIds(scope, client, expired, cutoff);
      await this.touches.refold(scope, transaction, removed.touches, cutoff);
      await this.suppressions.tidy(scope, transaction, near);
      const run = async (query: PreparedQuery) => (await client.query<InsertedRow>(query)).rows;
      return this.events.insert(scope, run, records, now, cutoff);
    });
  }
}

function repeatsExpired(error: unknown): boolean {
  const cause: unknown = error instanceof AppError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === REPEATS_EXPIRED;
}
