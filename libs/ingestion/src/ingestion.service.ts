import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Deed } from '@outcomes/audit';
import { CLOCK, FairWork, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { parseCsv } from './csv/parse-csv';
import { EventDeletion, type EventDeleted, type RecipientDeleted } from './deletion/event-deletion.service';
import { recordOf, type EventRecord } from './identity/event-record';
import { NameBasedUuids } from './identity/name-based-uuid';
import { answerTo, byIndex, byRow, type IngestAnswer, type Locate } from './ingest-answer';
import { IngestionMetrics } from './metrics/ingestion-metrics.service';
import { EventWriter } from './storage/event-writer.service';
import { checkBody, checkEvent, checkEvents, type EventVerdict } from './validation/event-rules';
import { parseEvents } from './validation/parse-events';

/** From here on a body is parsed, judged and sent in a turn of the event loop each: others come in between. */
const LARGE_BODY_BYTES = 1_000_000;
/** Bytes of bodies that are worked on at once while several companies send, in equal parts: as of 200 events. */
const BYTES_UNDER_WAY = 128 * 1_024;
/** How long a body waits for its turn where nothing is stored meanwhile, and at all. */
const TURN_WAIT_MS = 1_500;
const LONGEST_TURN_WAIT_MS = 15_000;

export interface IngestOptions {
  /** Whether the answer lists what became of each event (Prefer: return=representation). */
  readonly representation?: boolean;
}

/** Outcome events in and out: the one door for the ingest API. */
@Injectable()
export class IngestionService {
  private readonly uuids = new WeakMap<TenantScope, NameBasedUuids>();
  private readonly turns = new FairWork({
    most: BYTES_UNDER_WAY,
    waitMs: TURN_WAIT_MS,
    longestMs: LONGEST_TURN_WAIT_MS,
    onRefused: () => this.metrics.refused('turn'),
  });

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
    return this.inTurn('json', scope, body, () => {
      if (body.length >= LARGE_BODY_BYTES) return this.ingestLargeJson(scope, body, options);
      const verdicts = checkBody(body, this.clock.now().getTime());
      return this.store(scope, verdicts, body.length, byIndex, options);
    });
  }

  /**
   * Takes a CSV body. Resolves after COMMIT.
   * @throws AppError INVALID_ENCODING, INVALID_CSV, UNKNOWN_COLUMN, MISSING_COLUMN, DUPLICATE_COLUMN or
   * TOO_MANY_EVENTS (nothing stored); SERVICE_UNAVAILABLE
   */
  ingestCsv(scope: TenantScope, body: Buffer, options: IngestOptions = {}): Promise<IngestAnswer> {
    return this.inTurn('csv', scope, body, async () => {
      const now = this.clock.now().getTime();
      const rows = await parseCsv(body);
      const verdicts = rows.map((row): EventVerdict => (row.faults ? row : checkEvent(row.event, now)));
      return this.store(scope, verdicts, body.length, byRow, options);
    });
  }

  /**
   * Deletes one event and everything derived from it.
   * @throws AppError INVALID_EVENT_ID, EVENT_NOT_FOUND (also where the event is another company's)
   */
  deleteEvent(scope: TenantScope, eventId: string, deed?: Deed): Promise<EventDeleted> {
    return this.metrics.request('delete', () => this.deletion.deleteEvent(scope, eventId, deed));
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
    deed?: Deed,
  ): Promise<RecipientDeleted> {
    return this.metrics.request('delete', () =>
      this.deletion.deleteRecipient(scope, recipientId, keepSuppression, deed),
    );
  }

  private inTurn(
    kind: 'json' | 'csv',
    { companyId }: TenantScope,
    body: Buffer,
    work: () => Promise<IngestAnswer>,
  ): Promise<IngestAnswer> {
    return this.metrics.request(kind, () => this.turns.run(companyId, work, body.length));
  }

  /** Kept as long as the key's scope is: made for each event, they would cost as much as two ids. */
  private uuidsOf(scope: TenantScope): NameBasedUuids {
    const known = this.uuids.get(scope);
    if (known) return known;
    const uuids = new NameBasedUuids(scope.companyId);
    this.uuids.set(scope, uuids);
    return uuids;
  }

  private async ingestLargeJson(
    scope: TenantScope,
    body: Buffer,
    options: IngestOptions,
  ): Promise<IngestAnswer> {
    const now = this.clock.now().getTime();
    const events = parseEvents(body);
    await nextTurn();
    const verdicts = checkEvents(events, body, now);
    await nextTurn();
    return this.store(scope, verdicts, body.length, byIndex, options);
  }

  private async store(
    scope: TenantScope,
    verdicts: readonly EventVerdict[],
    bytes: number,
    locate: Locate,
    options: IngestOptions,
  ): Promise<IngestAnswer> {
    const uuids = this.uuidsOf(scope);
    const records = verdicts.map(({ checked }) => checked && recordOf(checked, uuids));
    const legal = records.filter((record): record is EventRecord => record !== undefined);
    const fates = legal.length > 0 ? await this.writer.write(scope, legal, bytes) : [];
    const answer = answerTo(verdicts, records, fates, locate, options.representation);
    this.metrics.events(answer);
    return answer;
  }
}
