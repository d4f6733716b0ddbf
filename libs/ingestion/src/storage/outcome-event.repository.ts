import { Inject, Injectable } from '@nestjs/common';
import { EVENT_KINDS } from '@outcomes/contracts';
import { ADDRESS_OF_EVENT } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import { EXPIRING_EVENT, type ExpiringEvent } from '../suppressions/suppression.repository';
import { newBatchId } from './batch-id';
import { columnsOf, COMPARE_EVENTS, comparedColumnsOf, INSERT_EVENTS } from './event-sql';

const UNSUBSCRIBED = EVENT_KINDS.indexOf('unsubscribed');
const BOUNCED = EVENT_KINDS.indexOf('bounced');

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
  /** Whose events they were, also of those that waited for their message. */
  readonly recipientIds: readonly string[];
  /** References to messages that they carried. */
  readonly references: readonly string[];
  /** Whether nothing is left of those messages: but for references, all events of a message are of one recipient. */
  readonly isWhole: boolean;
  /** Addresses that they were sent to, where known. */
  readonly addresses: readonly string[];
  /** Whether they had all expired. */
  readonly isExpiry: boolean;
  /** Whether one of them was an opt-out or a bounce. */
  readonly hadOptOut: boolean;
}

/** The same of all events of a recipient. */
export interface ErasedEvents extends RemovedEvents {
  /** What they said that may outlive them; empty where nothing is to. */
  readonly said: readonly ExpiringEvent[];
}

interface InsertedRow {
  readonly count: number;
  readonly event_ids: readonly string[] | null;
}

/** Of an event whose id is stored: there with the same content, or refused because another event has its id. */
export type KnownFate = 'duplicate' | 'conflict';

export interface RemovedRow {
  readonly recipient_id: string;
  /** Null where the event waited for its message. */
  readonly touch_id: string | null;
  readonly message_ref: string | null;
  readonly recipient_hash: string | null;
  readonly opts_out: boolean;
  readonly visible: boolean;
}

/** Events as callers sent them. Whatever lies before `cutoff` has expired and does not exist for readers. */
@Injectable()
export class OutcomeEventRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Stores events that are not there yet, and announces them: one statement, which is a transaction by itself.
   * @param records - of one company, 1 to 500, no event_id twice
   * @param cutoff - events ingested up to here have expired; where one is repeated, the statement fails and stores
   * nothing (REPEATS_EXPIRED)
   * @returns ids of the events that are new
   */
  async insert(
    scope: TenantScope,
    records: readonly EventRecord[],
    receivedAt: Date,
    cutoff: Date,
  ): Promise<ReadonlySet<string>> {
    const statement = insertion(scope, records, receivedAt, cutoff);
    return newIdsOf(records, await this.database.statement<InsertedRow>(scope, statement));
  }

  /** The same within a transaction. */
  async insertWithin(
    transaction: TenantTransaction,
    records: readonly EventRecord[],
    receivedAt: Date,
    cutoff: Date,
  ): Promise<ReadonlySet<string>> {
    const statement = insertion(transaction, records, receivedAt, cutoff);
    return newIdsOf(records, (await transaction.client.query<InsertedRow>(statement)).rows);
  }

  /**
   * Holds events against the stored ones of the same id.
   * @param records - of one company, at least one; an event_id may repeat
   * @returns of each that is stored: whether it has the same content
   */
  async compare(
    { client, companyId }: TenantTransaction,
    records: readonly EventRecord[],
  ): Promise<ReadonlyMap<EventRecord, KnownFate>> {
    const { rows } = await client.query<{ place: number; differs: boolean }>(COMPARE_EVENTS, [
      companyId,
      ...comparedColumnsOf(records),
    ]);
    return new Map(
      rows.map(({ place, differs }) => [
        records[place - 1] as EventRecord,
        differs ? 'conflict' : 'duplicate',
      ]),
    );
  }

  async deleteByIds(
    { client, companyId }: TenantTransaction,
    eventIds: readonly string[],
    cutoff: Date,
  ): Promise<RemovedEvents> {
    const { rows } = await client.query<RemovedRow>({
      text: deleteEvents('event_id = ANY($3::uuid[])'),
      values: [companyId, cutoff, eventIds],
    });
    return removedOf(rows);
  }

  /**
   * Tells what the events said by the statement that deletes them: while it runs others are accepted, and one that it
   * deleted without telling would be an opt-out that nobody knows of any more.
   * @param scale - of the tables, see CompanyOfEvents
   */
  async deleteByRecipient(
    { client, companyId }: TenantTransaction,
    recipientId: string,
    cutoff: Date,
    scale: string,
  ): Promise<ErasedEvents> {
    const { rows } = await client.query<RemovedRow & ExpiringEvent>({
      name: `delete-events-of-recipient ${scale}`,
      // Not in what the DELETE returns: Citus refuses an interval there.
      text: `WITH gone AS (${deleteEvents('recipient_id = $3', '*')}) SELECT ${REMOVED}, ${EXPIRING_EVENT} FROM gone`,
      values: [companyId, cutoff, recipientId],
    });
    return { ...removedOf(rows), isWhole: true, said: rows };
  }

  /** How many events of a company are held, expired ones included. */
  async count({ client, companyId }: TenantTransaction): Promise<number> {
    const { rows } = await client.query<{ held: number }>(
      'SELECT count(*)::integer AS held FROM outcome_events WHERE company_id = $1',
      [companyId],
    );
    return rows[0]?.held ?? 0;
  }

  /** Ids of at most `limit` events that have expired. */
  async expired({ client, companyId }: TenantTransaction, cutoff: Date, limit: number): Promise<string[]> {
    const { rows } = await client.query<{ event_id: string }>(
      `SELECT event_id FROM outcome_events WHERE company_id = $1 AND ingested_at <= $2 LIMIT $3`,
      [companyId, cutoff, limit],
    );
    return rows.map((row) => row.event_id);
  }

  /** Those of the given events that have expired but are still in the table. */
  async expiredAmong(
    { client, companyId }: TenantTransaction,
    eventIds: readonly string[],
    cutoff: Date,
  ): Promise<string[]> {
    const { rows } = await client.query<{ event_id: string }>(
      `SELECT event_id FROM outcome_events
       WHERE company_id = $1 AND event_id = ANY($2::uuid[]) AND ingested_at <= $3`,
      [companyId, eventIds, cutoff],
    );
    return rows.map((row) => row.event_id);
  }
}

function insertion(scope: TenantScope, records: readonly EventRecord[], receivedAt: Date, cutoff: Date) {
  return {
    name: 'insert-events',
    text: INSERT_EVENTS,
    values: [scope.companyId, receivedAt, newBatchId(), cutoff, ...columnsOf(records)],
  };
}

function newIdsOf(records: readonly EventRecord[], [inserted]: readonly InsertedRow[]): ReadonlySet<string> {
  if (inserted?.count === records.length) return new Set(records.map((record) => record.eventId));
  return new Set(inserted?.event_ids ?? []);
}

/** Columns of RemovedRow, of outcome_events. Events from before $2 have expired. */
const REMOVED = `recipient_id, touch_id, encode(message_ref, 'hex') AS message_ref, ${ADDRESS_OF_EVENT} AS recipient_hash,
      outcome IN (${UNSUBSCRIBED}, ${BOUNCED}) AS opts_out, ingested_at > $2 AS visible`;

/** @param condition - which events of $1 @returns SQL whose rows are RemovedRow, unless told what else to return */
export function deleteEvents(condition: string, returning = REMOVED): string {
  return `DELETE FROM outcome_events WHERE company_id = $1 AND ${condition}
    RETURNING ${returning}`;
}

export function removedOf(rows: readonly RemovedRow[]): RemovedEvents {
  const touches = new Map(
    rows.flatMap(({ recipient_id: recipientId, touch_id: touchId }) =>
      touchId === null ? [] : [[`${touchId} ${recipientId}`, { recipientId, touchId }] as const],
    ),
  );
  return {
    total: rows.length,
    visible: rows.filter((row) => row.visible).length,
    touches: [...touches.values()],
    recipientIds: [...new Set(rows.map((row) => row.recipient_id))],
    references: [...new Set(rows.flatMap((row) => row.message_ref ?? []))],
    isWhole: false,
    isExpiry: rows.every((row) => !row.visible),
    addresses: [...new Set(rows.flatMap((row) => row.recipient_hash ?? []))],
    hadOptOut: rows.some((row) => row.opts_out),
  };
}
