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
import { onceEach } from './sources/read-delivery';
import { EventWriter } from './storage/event-writer.service';
import { optOutOfRejected, type RejectedOptOut } from './suppressions/rejected-opt-outs';
import { checkEvent, checkEvents, type EventVerdict } from './validation/event-rules';
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
      const now = this.clock.now().getTime();
      const events = parseEvents(body);
      const judged = { events, verdicts: checkEvents(events, body, now), now };
      return this.store(scope, judged, body.length, byIndex, options);
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
      const events = rows.map((row) => ('event' in row ? row.event : row.guess));
      return this.store(scope, { events, verdicts, now }, body.length, byRow, options);
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
    return this.store(scope, { events, verdicts, now }, body.length, byIndex, options);
  }

  private async store(
    scope: TenantScope,
    judged: JudgedEvents,
    bytes: number,
    locate: Locate,
    options: IngestOptions,
  ): Promise<IngestAnswer> {
    const { verdicts } = judged;
    const uuids = this.uuidsOf(scope);
    const records = verdicts.map(({ checked }) => checked && recordOf(checked, uuids));
    const legal = records.filter((record): record is EventRecord => record !== undefined);
    // Most requests have neither: those are not gone through again.
    const refused =
      legal.length < verdicts.length ? optOutsOf(judged, uuids, ({ faults }) => faults !== undefined) : [];
    const written = refused.length > 0 ? [...legal, ...onceEach(refused.map(({ record }) => record))] : legal;
    const fates = written.length > 0 ? await this.writer.write(scope, written, bytes) : [];
    let next = 0;
    const isConflicting = ({ checked }: EventVerdict) => {
      const fate = checked && fates[next++];
      // What is stored under a derived id tells the same of the same person.
      return fate === 'conflict' && checked?.event.event_id !== undefined;
    };
    const conflicting = fates.includes('conflict') ? optOutsOf(judged, uuids, isConflicting) : [];
    if (conflicting.length > 0)
      await this.writer.write(scope, onceEach(conflicting.map(({ record }) => record)), bytes);
    const takenAnyway = [...refused, ...conflicting]
      .sort((a, b) => a.position - b.position)
      .map(({ position, outcome, record }) => ({ ...locate(position), outcome, event_id: record.eventId }));
    const answer = answerTo(verdicts, records, fates, locate, options.representation, takenAnyway);
    this.metrics.events(answer);
    return answer;
  }
}

/** What a request told. */
interface JudgedEvents {
  /** As they were sent, in order. */
  readonly events: readonly unknown[];
  /** Of each event. */
  readonly verdicts: readonly EventVerdict[];
  /** Time of receipt, milliseconds since 1970. */
  readonly now: number;
}

/** The opt-outs and bounces of events that are rejected, with the positions of these. */
function optOutsOf(
  { events, verdicts, now }: JudgedEvents,
  uuids: NameBasedUuids,
  isRejected: (verdict: EventVerdict) => boolean,
): (RejectedOptOut & { readonly position: number })[] {
  const found: (RejectedOptOut & { position: number })[] = [];
  for (const [position, verdict] of verdicts.entries()) {
    const optOut = isRejected(verdict) ? optOutOfRejected(events[position], uuids, now) : undefined;
    if (optOut) found.push({ position, ...optOut });
  }
  return found;
}
