import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { recipientShaOf } from '@outcomes/persistence';
import { CLOCK, LOGGER, type Clock, type Logger, type SecretBox } from '@outcomes/platform';
import type { SourceRecord } from '@outcomes/source-profiles';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { NameBasedUuids } from '../identity/name-based-uuid';
import { EventStore } from '../storage/event-store.service';
import { EventWriter } from '../storage/event-writer.service';
import type { FieldFault } from '../validation/field-fault';
import { MAX_EVENTS, parseDocument } from '../validation/parse-events';
import { onceEach, readDelivery, readHeld, type HeldRecord } from './read-delivery';
import { SECRET_BOX, SourceDirectory } from './source-directory.service';
import { SourceRepository, type HeldRow } from './source.repository';
import { SourceTallies } from './source-tallies.service';
import { isUuid } from '../validation/uuid-form';
import { SOURCE_ID, type Source } from './source';

export interface DeliveryAnswer {
  /**
   * Events that are stored now, those that were there before included; also opt-outs and bounces of records that are held
   * or ignored for the rest.
   */
  readonly accepted: number;
  readonly duplicates: number;
  /** Records that are no news about a message. */
  readonly ignored: number;
  /** Records that cannot be read yet, and are held. */
  readonly waiting: number;
  /** Records that make events which are not taken; they are held too. */
  readonly rejected: number;
  readonly errors: readonly (FieldFault & { readonly index: number })[];
}

/** As a query string has it. */
export interface AskedReplay {
  readonly source: unknown;
  /** Oldest receipt. */
  readonly since: unknown;
  /** `next` of the answer before. */
  readonly after: unknown;
}

export interface ReplayedDeliveries {
  /** Held records that were looked at. */
  readonly looked_at: number;
  /** Those that could be read, and are held no more. */
  readonly released: number;
  readonly accepted: number;
  readonly duplicates: number;
  /** Where to go on; null after the last. */
  readonly next: string | null;
}

/** Ids of recipients that were made from an address begin with the hash of it. */
const OF_ADDRESS = /^em_([0-9a-f]{16})/;
/** Room is made by a replay or by time; a tool that waits longer gives up. */
const RETRY_SECONDS = 600;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const SHAPE = 'Send one object, or an array of 1 to 500 objects, as the tool sends them.';

/** Takes what tools deliver, and what of it was held. */
@Injectable()
export class Deliveries {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(EventWriter) private readonly writer: EventWriter,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(SourceRepository) private readonly sources: SourceRepository,
    @Inject(SourceDirectory) private readonly directory: SourceDirectory,
    @Inject(SourceTallies) private readonly tallies: SourceTallies,
    @Inject(SECRET_BOX) private readonly box: SecretBox,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Takes a delivery that is proven. Resolves after COMMIT of all of it. What can be read is stored first, opt-outs and
   * bounces above all; where the rest cannot be held it fails, so that the tool sends everything again, and what is stored counts once.
   * @throws AppError INVALID_ENCODING, INVALID_JSON, INVALID_REQUEST, TOO_MANY_EVENTS (nothing stored);
   * SERVICE_UNAVAILABLE
   */
  async take(source: Source, body: Buffer): Promise<DeliveryAnswer> {
    const records = recordsIn(body);
    const { scope } = source;
    const read = readDelivery(
      source,
      records,
      new NameBasedUuids(scope.companyId),
      this.clock.now().getTime(),
    );
    const fates = read.events.length > 0 ? await this.writer.write(scope, read.events, body.length) : [];
    if (read.held.length > 0) await this.hold(source, read.held);
    this.tallies.note(source, read.types);
    return {
      accepted: fates.length,
      // What was told before stands, whatever a later delivery of it says.
      duplicates: fates.filter((fate) => fate !== 'new').length,
      ignored: read.ignored,
      waiting: read.held.length - read.rejected,
      rejected: read.rejected,
      errors: read.errors,
    };
  }

  /**
   * Reads held records of a source again, 500 at most, in the order in which they came, so that what was told first stands;
   * what can be read now is stored and held no more.
   * @throws AppError INVALID_PARAMETER, SOURCE_NOT_FOUND; SERVICE_UNAVAILABLE
   */
  async replay(scope: TenantScope, asked: AskedReplay): Promise<ReplayedDeliveries> {
    const { sourceId, since, after } = judged(asked);
    const now = this.clock.now();
    const uuids = new NameBasedUuids(scope.companyId);
    return this.store.insertFrom(scope, async (transaction, insert) => {
      const row = await this.sources.byId(transaction, sourceId);
      const source = row && this.directory.sourceOf(row);
      if (!source) throw new AppError('SOURCE_NOT_FOUND');
      const held = await this.sources.held(transaction, { sourceId, after, since, limit: MAX_EVENTS }, now);
      const read = held.map((one) => {
        const fields = this.fieldsOf(source, one);
        return fields && readHeld(source, fields, uuids, now.getTime());
      });
      const fates = await insert(onceEach(read.flatMap((made = []) => made)));
      const ids = held.map(({ heldId }) => heldId);
      const released = ids.filter((_, place) => read[place] !== undefined);
      // Only one that is still held says where to go on.
      const last = ids.findLast((_, place) => read[place] === undefined);
      await this.sources.release(transaction, sourceId, released);
      return {
        looked_at: held.length,
        released: released.length,
        accepted: fates.length,
        duplicates: fates.filter((fate) => fate !== 'new').length,
        next: held.length === MAX_EVENTS ? (last ?? after) : null,
      };
    });
  }

  /** @throws AppError SERVICE_UNAVAILABLE where not all of it is kept */
  private async hold(source: Source, held: readonly HeldRecord[]): Promise<void> {
    const { scope, sourceId } = source;
    const isHeld =
      this.box.hasKey &&
      (await this.database.transaction(scope, (transaction) => {
        const rows = held.map((record) => this.sealed(source, record));
        return this.sources.hold(transaction, sourceId, rows, this.clock.now());
      }));
    if (isHeld) return;
    this.logger.error(
      { companyId: scope.companyId, hasKey: this.box.hasKey },
      'what a source delivered can be neither read nor held',
    );
    throw new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': String(RETRY_SECONDS) } });
  }

  private sealed(source: Source, { heldId, reason, recipientIds, fields }: HeldRecord): HeldRow {
    return {
      ...{ heldId, reason, recipientShas: recipientIds.map(recipientShaOf) },
      addressHashes: recipientIds.flatMap((id) => OF_ADDRESS.exec(id)?.[1] ?? []),
      sealed: this.box.seal(JSON.stringify(fields), ownerOf(source, heldId)),
    };
  }

  /** @returns undefined where it was sealed under a key that is gone */
  private fieldsOf(
    source: Source,
    { heldId, sealed }: Pick<HeldRow, 'heldId' | 'sealed'>,
  ): SourceRecord | undefined {
    const opened = this.box.open(sealed, ownerOf(source, heldId));
    return opened === undefined ? undefined : (JSON.parse(opened) as SourceRecord);
  }
}

/** What a held record is bound to, so that it opens in no other place. */
const ownerOf = ({ scope, sourceId }: Source, heldId: string) => `${scope.companyId}/${sourceId}/${heldId}`;

function judged({ source, since, after }: AskedReplay) {
  if (typeof source !== 'string' || !SOURCE_ID.test(source))
    throw invalid('source', 'Name the source, once: its id begins with src_.');
  if (after !== undefined && (typeof after !== 'string' || !isUuid(after)))
    throw invalid('after', 'after must be the next of the answer before.');
  const from = since === undefined ? new Date(0) : typeof since === 'string' ? new Date(since) : undefined;
  if (from === undefined || Number.isNaN(from.getTime()))
    throw invalid('since', 'Send a time such as 2026-01-31T00:00:00Z.');
  return { sourceId: source, since: from, after: after ?? FIRST_ID };
}

function invalid(parameter: string, message: string): AppError {
  return new AppError('INVALID_PARAMETER', { parameter }, { message });
}

/** @throws AppError INVALID_ENCODING, INVALID_JSON, INVALID_REQUEST, TOO_MANY_EVENTS */
function recordsIn(body: Buffer): readonly SourceRecord[] {
  const document = parseDocument(body, SHAPE);
  const records: readonly unknown[] = Array.isArray(document) ? document : [document];
  if (records.length > MAX_EVENTS) throw new AppError('TOO_MANY_EVENTS', { limit: MAX_EVENTS });
  const areObjects = records.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
  if (records.length === 0 || !areObjects) throw new AppError('INVALID_REQUEST', {}, { message: SHAPE });
  return records as readonly SourceRecord[];
}
