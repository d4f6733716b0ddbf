import { Injectable } from '@nestjs/common';
import type { TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { v7 as timeOrderedUuid } from 'uuid';
import type { EventRecord } from '../identity/event-record';
import { columnsOf, INSERT_EVENTS } from './event-columns';

type Client = TenantTransaction['client'];

/** Which message an event is about. */
export interface TouchKey {
  readonly recipientId: string;
  readonly touchId: string;
}

/** What a deletion took away. */
export interface RemovedEvents {
  readonly total: number;
  /** Those that the caller could see, i.e. that were within retention. */
  readonly visible: number;
  readonly touches: readonly TouchKey[];
  /** Whether nothing is left of those messages: all events of a message are of one recipient. */
  readonly isWhole: boolean;
  /** Addresses that they were sent to, where known. */
  readonly addresses: readonly string[];
}

export interface PreparedQuery {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

export interface InsertedRow {
  readonly count: number;
  readonly event_ids: readonly string[] | null;
}

interface RemovedRow {
  readonly recipient_id: string;
  /** null where the event waited for its message. */
  readonly touch_id: string | null;
  readonly recipient_hash: string | null;
  readonly visible: boolean;
}

/** Events as callers sent them. Whatever lies before `cutoff` has expired and does not exist for readers. */
@Injectable()
export class OutcomeEventRepository {
  /**
   * Stores events that are not there yet, and announces them.
   * @param run - runs the statement: as a transaction by itself, or within one
   * @param records - of one company, 1 to 500, no event_id twice
   * @param cutoff - events ingested up to here have expired; where one is repeated, the statement fails and stores
   * nothing (REPEATS_EXPIRED)
   * @returns ids of the events that are new
   */
  async insert(
    scope: TenantScope,
    run: (query: PreparedQuery) => Promise<InsertedRow[]>,
    records: readonly EventRecord[],
    receivedAt: Date,
    cutoff: Date,
  ): Promise<ReadonlySet<string>> {
    const [inserted] = await run({
      name: 'insert-events',
      text: INSERT_EVENTS,
      values: [scope.companyId, receivedAt, timeOrderedUuid(), cutoff, ...columnsOf(records)],
    });
    if (inserted?.count === records.length) return new Set(records.map((record) => record.eventId));
    return new Set(inserted?.event_ids ?? []);
  }

  async deleteByIds(
    scope: TenantScope,
    client: Client,
    eventIds: readonly string[],
    cutoff: Date,
  ): Promise<RemovedEvents> {
    return this.delete(scope, client, 'event_id = ANY($3::uuid[])', cutoff, [eventIds]);
  }

  async deleteByRecipient(
    scope: TenantScope,
    client: Client,
    recipientId: string,
    cutoff: Date,
  ): Promise<RemovedEvents> {
    const removed = await this.delete(scope, client, 'recipient_id = $3', cutoff, [recipientId]);
    return { ...removed, isWhole: true };
  }

  /** Ids of at most `limit` events that have expired. */
  async expired(scope: TenantScope, client: Client, cutoff: Date, limit: number): Promise<string[]> {
    const { rows } = await client.query<{ event_id: string }>(
      `SELECT event_id FROM outcome_events WHERE company_id = $1 AND ingested_at <= $2 LIMIT $3`,
      [scope.companyId, cutoff, limit],
    );
    return rows.map((row) => row.event_id);
  }

  /** Those of the given events that have expired but are still in the table. */
  async expiredAmong(
    scope: TenantScope,
    client: Client,
    eventIds: readonly string[],
    cutoff: Date,
  ): Promise<string[]> {
    const { rows } = await client.query<{ event_id: string }>(
      `SELECT event_id FROM outcome_events
       WHERE company_id = $1 AND event_id = ANY($2::uuid[]) AND ingested_at <= $3`,
      [scope.companyId, eventIds, cutoff],
    );
    return rows.map((row) => row.event_id);
  }

  private async delete(
    scope: TenantScope,
    client: Client,
    condition: string,
    cutoff: Date,
    parameters: readonly unknown[],
  ): Promise<RemovedEvents> {
    const { rows } = await client.query<RemovedRow>(
      `DELETE FROM outcome_events WHERE company_id = $1 AND ${condition}
       RETURNING recipient_id, touch_id, recipient_hash, ingested_at > $2 AS visible`,
      [scope.companyId, cutoff, ...parameters],
    );
    const touches = new Map(
      rows.flatMap(({ recipient_id: recipientId, touch_id: touchId }) =>
        touchId === null ? [] : [[touchId, { recipientId, touchId }] as const],
      ),
    );
    return {
      total: rows.length,
      visible: rows.filter((row) => row.visible).length,
      touches: [...touches.values()],
      isWhole: false,
      addresses: [...new Set(rows.flatMap((row) => row.recipient_hash ?? []))],
    };
  }
}
