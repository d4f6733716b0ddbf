import { Inject, Injectable } from '@nestjs/common';
import { lockTouches } from '@outcomes/persistence';
import { together, type TenantTransaction } from '@outcomes/tenancy';
import { NameBasedUuids } from '../identity/name-based-uuid';
import type { TouchKey } from '../storage/outcome-event.repository';
import type { Arrivals } from '../suppressions/arrivals';
import { ArrivedSlice } from './arrived-slice';
import { closeAddresses } from './close-by-replies';
import { CampaignDeltas } from './campaign-deltas';
import { CohortDeltas } from './cohort-deltas';
import { CountRepository, type Sent } from './count.repository';
import { EventPlacement } from './event-placement.service';
import type { FoldedTouch } from './fold-touch';
import { StoredEventRepository, type CompanyOfEvents } from './stored-event.repository';
import {
  TouchGathering,
  type Beforehand,
  type Fold,
  type KnownTouches,
  type LookedUp,
} from './touch-gathering.service';
import { TouchRepository } from './touch.repository';
import type { StoredTouch } from './touch';
import { writeTouches, type Counting } from './write-touches';

/**
 * Events whose touches are looked up and written at once. Fewer cost more statements: when they were read at once, too,
 * 2,000 at a time took a tenth more CPU than 5,000, 500 a quarter more.
 */
const SLICE_EVENTS = 5_000;
/**
 * Events that are read at once: their texts are in memory until they are folded. With 5,000 of them nearly all survived
 * to the old generation of the heap, whose collections took a sixth of what counting costs the worker. Of 120,000 events
 * V8 collected that generation 35 times with 250 at once, 31 with 100 and 29 with 50, which costs more statements.
 */
const PORTION_EVENTS = 100;

/** What a deletion took away. */
export interface Removed {
  readonly touches: readonly TouchKey[];
  readonly recipientIds: readonly string[];
  /** References that left with the events. */
  readonly references: readonly string[];
  /** Whether nothing is left of those messages. */
  readonly isWhole: boolean;
  /** Whether it went because it had expired. */
  readonly isExpiry: boolean;
  /** Of those messages, the touches that went with the events, as they were stored. */
  readonly taken?: readonly StoredTouch[];
}

/** What follows the events that arrived. */
export interface Following {
  readonly arrivals: Arrivals;
  /** Is called when all touches are written. */
  readonly follow: () => Promise<void>;
}

/** A fold whose touches Postgres is writing: whatever is asked on the same connection meanwhile sees them. */
interface Written {
  readonly written: Promise<void>;
}

/** A fold whose touches stand as they should, and whose counts are being read, and then written. */
export interface Refolded {
  readonly counted: Promise<Sent>;
}

/**
 * Keeps touches and counts in step with the events. Touches are a function of the set of events; a fold computes
 * the touches that some events concern from them, and adds the difference to what is stored to the counts. So it may
 * run twice, in any order and over any part, and deletion is the same fold over fewer events.
 */
@Injectable()
export class TouchFolding {
  constructor(
    @Inject(StoredEventRepository) private readonly events: StoredEventRepository,
    @Inject(EventPlacement) private readonly placement: EventPlacement,
    @Inject(TouchGathering) private readonly gathering: TouchGathering,
    @Inject(TouchRepository) private readonly touches: TouchRepository,
    @Inject(CountRepository) private readonly counts: CountRepository,
  ) {}

  /** Waits until nobody else folds for this company; held to the end of the transaction. */
  async lock(transaction: TenantTransaction): Promise<void> {
    await lockTouches(transaction);
  }

  /** As CompanyOfEvents.scale was when this process last folded; undefined before. */
  get scale(): string | undefined {
    return this.events.scale;
  }

  /** What a fold must know of the company first. It may be asked together with what needs no answer to it. */
  company(transaction: TenantTransaction): Promise<CompanyOfEvents> {
    return this.events.company(transaction);
  }

  /**
   * Folds the events of batches. The counts are written once, whatever the number of events; of the events themselves a
   * slice at a time is held.
   * @param transaction - that holds the company's lock
   * @param cutoff - events ingested up to here have expired
   * @param following - what is told of every event, and then asks what needs the touches alone, while the counts are read
   */
  async foldArrived(
    transaction: TenantTransaction,
    batchIds: readonly string[],
    cutoff: Date,
    { arrivals, follow }: Following,
  ): Promise<void> {
    const fold = await this.begin(transaction, cutoff);
    // Events about one message come together, so that it is folded once.
    const ids = await this.events.ofBatches(transaction, batchIds, cutoff);
    const portions = chunksOf(ids, PORTION_EVENTS);
    const read = (portion: readonly string[] | undefined) =>
      portion && this.events.byIds(transaction, portion, cutoff, fold.scale);
    let next = read(portions.shift());
    let slice = new ArrivedSlice();
    let sent: Promise<unknown> = Promise.resolve();
    let written: Promise<void> = Promise.resolve();
    try {
      for (let arrived = await next; arrived; arrived = await next) {
        arrivals.note(arrived, fold.listsSuppressions);
        slice.place(arrived);
        const isWhole = slice.events.length >= SLICE_EVENTS || portions.length === 0;
        // While it is folded Postgres writes the slice before it, looks up what is stored, and reads the next portion.
        const lookedUp = isWhole ? this.gathering.lookUp(fold, slice.events) : undefined;
        next = read(portions.shift());
        sent = Promise.allSettled([lookedUp, next]);
        await slice.fold(arrived, fold.timeZone);
        if (lookedUp === undefined) continue;
        await written;
        ({ written } = await this.foldSlice(fold, slice, await lookedUp));
        written.catch(() => undefined);
        slice = new ArrivedSlice();
      }
    } finally {
      // Also where it fails: what is under way must not send another statement behind the rollback.
      await sent;
      await written;
    }
    await together(this.count(fold), follow());
  }

  /**
   * Folds what a deletion left of some messages, and of those that share an address with them.
   * @param transaction - that holds the company's lock
   * @param cutoff - events ingested up to here have expired
   */
  async refold(transaction: TenantTransaction, removed: Removed, cutoff: Date): Promise<void> {
    const { counted } = await this.refoldTouches(transaction, removed, cutoff);
    await (
      await counted
    ).written;
  }

  /**
   * As `refold`, for a caller who has more to ask that needs the touches alone: it goes out while the counts are read.
   * @param company - where it was asked for in this transaction already
   * @returns what has to be waited for before the transaction ends, and what may be waited for with its end
   */
  async refoldTouches(
    transaction: TenantTransaction,
    { touches, recipientIds, references, isWhole, isExpiry, taken }: Removed,
    cutoff: Date,
    company?: CompanyOfEvents,
  ): Promise<Refolded> {
    if (touches.length === 0 && references.length === 0)
      return { counted: Promise.resolve({ written: Promise.resolve() }) };
    const fold = await this.begin(transaction, cutoff, { isExpiry, company });
    const moved = await this.placement.place(
      transaction,
      { events: [], references, recipientIds, someUnsent: fold.someUnsent },
      cutoff,
    );
    const isGone = isWhole && references.length === 0 && moved.keys.length === 0;
    const known = isGone ? 'gone' : new Map<string, FoldedTouch>();
    const { written } = await this.fold(fold, [...touches, ...moved.keys], known, { taken });
    await written;
    return { counted: this.send(fold) };
  }

  /**
   * Folds everything about some recipients from their events, also what an earlier version folded otherwise.
   * @param transaction - that holds the company's lock
   */
  async rebuild(
    transaction: TenantTransaction,
    recipientIds: readonly string[],
    cutoff: Date,
  ): Promise<void> {
    const fold = await this.begin(transaction, cutoff);
    const events = await this.events.sentOf(transaction, recipientIds, cutoff);
    const references = [...new Set(events.flatMap((event) => event.messageRef ?? []))];
    const moved = await this.placement.place(
      transaction,
      { events, references, recipientIds, someUnsent: fold.someUnsent },
      cutoff,
    );
    const keys = events.flatMap(({ eventId, recipientId, touchId }) => {
      const id = moved.places.get(eventId) ?? touchId;
      return id === null ? [] : [{ recipientId, touchId: id }];
    });
    const { written } = await this.fold(fold, [...keys, ...moved.keys], new Map());
    await written;
    await this.count(fold);
  }

  private async begin(
    transaction: TenantTransaction,
    cutoff: Date,
    { isExpiry = false, company }: { isExpiry?: boolean; company?: CompanyOfEvents | undefined } = {},
  ): Promise<Fold & Counting> {
    const known = company ?? (await this.company(transaction));
    return {
      ...{ transaction, cutoff, ...known },
      uuids: new NameBasedUuids(transaction.companyId),
      deltas: new CohortDeltas(),
      campaigns: new CampaignDeltas(isExpiry, known),
    };
  }

  private send({ transaction, scale, ...counting }: Fold & Counting): Promise<Sent> {
    return this.counts.add(transaction, counting, scale);
  }

  private async count(fold: Fold & Counting): Promise<void> {
    await (
      await this.send(fold)
    ).written;
  }

  private async foldSlice(
    fold: Fold & Counting,
    { events, folded: known }: ArrivedSlice,
    lookedUp: LookedUp,
  ): Promise<Written> {
    const references = [...new Set(events.flatMap((event) => event.messageRef ?? []))];
    const recipientIds = events.map((event) => event.recipientId);
    const { transaction, cutoff } = fold;
    const moved = await this.placement.place(
      transaction,
      { events, references, recipientIds, someUnsent: fold.someUnsent },
      cutoff,
    );
    // What moved is read again, with all the other events of its message.
    for (const { touchId } of moved.keys) known.delete(touchId);
    const keys: TouchKey[] = [...moved.keys];
    for (const { eventId, recipientId, touchId, messageRef } of events) {
      if (touchId === null || moved.places.has(eventId)) continue;
      keys.push({ recipientId, touchId });
      // Another recipient's events may refer to the message too.
      if (messageRef !== null) known.delete(touchId);
    }
    return this.fold(fold, keys, known, { lookedUp });
  }

  private async fold(
    fold: Fold & Counting,
    keys: readonly TouchKey[],
    known: KnownTouches,
    beforehand?: Beforehand,
  ): Promise<Written> {
    if (keys.length === 0) return { written: Promise.resolve() };
    const gathered = await this.gathering.gather(fold, keys, known, beforehand);
    const closed = closeAddresses(gathered.folded.values(), fold.uuids);
    return { written: writeTouches(this.touches, fold, gathered, closed) };
  }
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
