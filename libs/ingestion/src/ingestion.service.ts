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
  async ingestJson(scope: TenantScope, body: Buffer, options: IngestOptions = {}): Promise<IngestAnswer> {
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
  async ingestCsv(scope: TenantScope, body: Buffer, options: IngestOptions = {}): Promise<IngestAnswer> {
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
  async deleteEvent(scope: TenantScope, eventId: string): Promise<EventDeleted> {
    return this.metrics.request('delete', () => this.deletion.deleteEvent(scope, eventId));
  }

  /**
   * Deletes every event of a recipient and everything derived from them.
   * @param recipientId - as the query string has it
   * @throws AppError MISSING_RECIPIENT_ID
   */
  async deleteRecipient(scope: TenantScope, recipientId: unknown): Promise<RecipientDeleted> {
    return this.metrics.request('delete', () => this.deletion.deleteRecipient(scope, recipientId));
  }

  private async store(
    scope: TenantScope,
    verdicts: readonly Verdict[],
    bytes: number,
    locate: Locate,
    options: IngestOptions,
  ): Promise<IngestAnswer> {
    const uuids = new NameBasedUuids(scope.companyId);
    const records = verdicts.map(({ checked }) => checked && recordOf(checked, uuids));
    const unique = new Map<string, EventRecord>();
    for (const record of records)
      if (record && !unique.has(record.eventId)) unique.set(record.eventId, record);
    const newIds =
      unique.size > 0 ? await this.writer.write(scope, [...unique.values()], bytes) : new Set<string>();
    const accepted = records.filter((record) => record !== undefined).length;
    const counts = { accepted, rejected: records.length - accepted, duplicates: accepted - newIds.size };
    this.metrics.events(counts);
    return {
      ...counts,
      errors: verdicts.flatMap(({ faults = [] }, position) =>
        faults.map((found) => ({ ...locate(position), ...found })),
      ),
      ...(options.representation && { results: resultsOf(records, unique, newIds, locate) }),
    };
  }
}

function resultsOf(
  records: readonly (EventRecord | undefined)[],
  unique: ReadonlyMap<string, EventRecord>,
  newIds: ReadonlySet<string>,
  locate: Locate,
): IngestAnswer['results'] {
  return records.map((record, position) => {
    if (!record) return { ...locate(position), event_id: null, status: 'rejected' };
    const isNew = newIds.has(record.eventId) && unique.get(record.eventId) === record;
    return { ...locate(position), event_id: record.eventId, status: isNew ? 'accepted' : 'duplicate' };
  });
}
