import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { parseCsv } from './csv/parse-csv';
import { EventDeletion, type EventDeleted, type RecipientDeleted } from './deletion/event-deletion.service';
import { recordOf, type EventRecord } from './identity/event-record';
import { NameBasedUuids } from './identity/name-based-uuid';
import { IngestionMetrics } from './metrics/ingestion-metrics.service';
import { EventWriter } from './storage/event-writer.service';
import { checkBody, checkEvent, type Verdict } from './validation/event-rules';

export interface IngestOptions {
  /** Whether the answer lists what became of each event (Prefer: return=representation). */
  readonly representation?: boolean;
}

interface Located {
  /** Position in `events`, from 0. */
  readonly index?: number;
  /** CSV data row, from 1. */
  readonly row?: number;
}

export interface IngestAnswer {
  /** Events that are stored now, those that were there before included. */
  readonly accepted: number;
  readonly rejected: number;
  readonly duplicates: number;
  readonly errors: readonly (Located & {
    readonly field: string;
    readonly code: string;
    readonly message: string;
  })[];
  readonly results?: readonly (Located & {
    readonly event_id: string | null;
    readonly status: 'accepted' | 'duplicate' | 'rejected';
  })[];
}

type Locate = (position: number) => Located;
const byIndex: Locate = (position) => ({ index: position });
const byRow: Locate = (position) => ({ row: position + 1 });

/** Outcome events in and out: the one door for the ingest API. */
@Injectable()
export class IngestionService {
  private readonly uuids = new WeakMap<TenantScope, NameBasedUuids>();

  constructor(
    @Inject(EventWriter) private readonly writer: EventWriter,
    @Inject(EventDeletion) private readonly deletion: EventDeletion,
    @Inject(IngestionMetrics) private readonly metrics: IngestionMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Takes a JSON body. Resolves after COMMIT.
   * @throws AppError INVALID_ENCODING, INVALID_JSON, INVALID_REQUEST or TOO_MANY_EVENTS (nothing stored);
   * SERVICE_UNAVAILABLE
   */
  ingestJson(scope: TenantScope, body: Buffer, options: IngestOptions = {}): Promise<IngestAnswer> {
    return this.metrics.request('json', () => {
      const now = this.clock.now().getTime();
      return this.store(scope, checkBody(body, now), body.length, byIndex, options);
    });
  }

  /**
   * Takes a CSV body. Resolves after COMMIT.
   * @throws AppError INVALID_ENCODING, INVALID_CSV, UNKNOWN_COLUMN, MISSING_COLUMN, DUPLICATE_COLUMN or
   * TOO_MANY_EVENTS (nothing stored); SERVICE_UNAVAILABLE
   */
  ingestCsv(scope: TenantScope, body: Buffer, options: IngestOptions = {}): Promise<IngestAnswer> {
    return this.metrics.request('csv', async () => {
      const now = this.clock.now().getTime();
      const rows = await parseCsv(body);
      const verdicts = rows.map((row): Verdict => (row.faults ? row : checkEvent(row.event, now)));
      return this.store(scope, verdicts, body.length, byRow, options);
    });
  }

  /**
   * Deletes one event and everything derived from it.
   * @throws AppError INVALID_EVENT_ID, EVENT_NOT_FOUND (also where the event is another company's)
   */
  deleteEvent(scope: TenantScope, eventId: string): Promise<EventDeleted> {
    return this.metrics.request('delete', () => this.deletion.deleteEvent(scope, eventId));
  }

  /**
   * Deletes every event of a recipient and everything derived from them.
   * @param recipientId - as the query string has it, as is the next
   * @param keepSuppression - `true` keeps what blocks the recipient, as hashes and dates; `false` or absent does not
   * @throws AppError MISSING_RECIPIENT_ID, INVALID_PARAMETER
   */
  deleteRecipient(
    scope: TenantScope,
    recipientId: unknown,
    keepSuppression?: unknown,
  ): Promise<RecipientDeleted> {
    return this.metrics.request('delete', () =>
      this.deletion.deleteRecipient(scope, recipientId, keepSuppression),
    );
  }

  /** Kept as long as the key's scope is: made for each event, they would cost as much as two ids. */
  private uuidsOf(scope: TenantScope): NameBasedUuids {
    const known = this.uuids.get(scope);
    if (known) return known;
    const uuids = new NameBasedUuids(scope.companyId);
    this.uuids.set(scope, uuids);
    return uuids;
  }

  private async store(
    scope: TenantScope,
    verdicts: readonly Verdict[],
    bytes: number,
    locate: Locate,
    options: IngestOptions,
  ): Promise<IngestAnswer> {
    const uuids = this.uuidsOf(scope);
    const records = verdicts.map(({ checked }) => checked && recordOf(checked, uuids));
    const unique = withoutRepeats(records);
    const isNew = unique.length > 0 ? await this.writer.write(scope, unique, bytes) : [];
    const stored = unique.filter((_, position) => isNew[position]);
    const accepted = records.filter((record) => record !== undefined).length;
    const counts = { accepted, rejected: records.length - accepted, duplicates: accepted - stored.length };
    this.metrics.events(counts);
    return {
      ...counts,
      errors: verdicts.flatMap(({ faults = [] }, position) =>
        faults.map((found) => ({ ...locate(position), ...found })),
      ),
      ...(options.representation && { results: resultsOf(records, stored, locate) }),
    };
  }
}

/** The records that are there, the first of each event_id. */
function withoutRepeats(records: readonly (EventRecord | undefined)[]): EventRecord[] {
  const ids = new Set<string>();
  return records.filter((record): record is EventRecord => {
    if (record === undefined || ids.has(record.eventId)) return false;
    ids.add(record.eventId);
    return true;
  });
}

function resultsOf(
  records: readonly (EventRecord | undefined)[],
  stored: readonly EventRecord[],
  locate: Locate,
): IngestAnswer['results'] {
  const isNew = new Set(stored);
  return records.map((record, position) => {
    if (!record) return { ...locate(position), event_id: null, status: 'rejected' };
    return {
      ...locate(position),
      event_id: record.eventId,
      status: isNew.has(record) ? 'accepted' : 'duplicate',
    };
  });
}
