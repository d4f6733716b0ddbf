import { Inject, Injectable } from '@nestjs/common';
import type { TenantTransaction } from '@outcomes/tenancy';
import { NameBasedUuids } from '../identity/name-based-uuid';
import type { TouchKey } from '../storage/outcome-event.repository';
import {
  namingByReference,
  ownTouchId,
  placeByRecipient,
  placeByReference,
  type PlacedEvent,
} from './find-messages';
import { StoredEventRepository } from './stored-event.repository';

/** What may have changed where events belong. */
export interface Disturbance {
  /** Events that came in, or were folded by an earlier version: each is held against what it says itself. */
  readonly events: readonly PlacedEvent[];
  /** References that events came with, or that left with them. */
  readonly references: readonly string[];
  /** Recipients to whom messages came or went. */
  readonly recipientIds: readonly string[];
  /** Whether any event of the company does not say when its message was sent. */
  readonly someUnsent: boolean;
}

/** What changed. */
export interface Replaced {
  /** Where each event that moved is now. */
  readonly places: ReadonlyMap<string, string | null>;
  /** Messages that events came to or left. */
  readonly keys: readonly TouchKey[];
}

/**
 * Finds the message of events that do not name it themselves, and writes it down beside them. It is a function of the
 * set of events: whatever comes or goes, in any order, leaves each event where it would be had all come at once.
 */
@Injectable()
export class EventPlacement {
  constructor(@Inject(StoredEventRepository) private readonly events: StoredEventRepository) {}

  /** @param transaction - that holds the company's lock */
  async place(
    transaction: TenantTransaction,
    { events, references, recipientIds, someUnsent }: Disturbance,
    cutoff: Date,
  ): Promise<Replaced> {
    const uuids = new NameBasedUuids(transaction.companyId);
    const moves = new Moves();
    for (const event of events) {
      if (event.sentAtMs === null || event.messageRef !== null) continue;
      moves.note(event, ownTouchId(event, event.sentAtMs, uuids));
    }
    const concerned = new Set(recipientIds);
    if (references.length > 0) {
      const referring = await this.events.byReferences(transaction, references, cutoff);
      const places = placeByReference(referring, uuids);
      for (const event of referring) {
        moves.note(event, places.get(event.eventId) ?? null);
        // Another message, or time of it, for those too who only wait for a message to the same recipient.
        concerned.add(event.recipientId);
      }
    }
    if (concerned.size > 0 && someUnsent) {
      await this.placeUnsent(transaction, [...concerned], moves, cutoff);
    }
    await this.events.place(transaction, moves.places);
    return moves;
  }

  private async placeUnsent(
    transaction: TenantTransaction,
    recipientIds: readonly string[],
    moves: Moves,
    cutoff: Date,
  ): Promise<void> {
    const unsent = await this.events.unsentOf(transaction, recipientIds, cutoff);
    if (unsent.length === 0) return;
    const concerned = [...new Set(unsent.map((event) => event.recipientId))];
    const sent = await this.events.sentOf(transaction, concerned, cutoff);
    const references = [...new Set(sent.flatMap((event) => event.messageRef ?? []))];
    const referring =
      references.length === 0 ? [] : await this.events.byReferences(transaction, references, cutoff);
    const places = placeByRecipient(
      unsent,
      sent.map((event) => moves.apply(event)),
      namingByReference(referring),
    );
    for (const event of unsent) moves.note(event, places.get(event.eventId) ?? null);
  }
}

/** Collects what moves from one message to another. */
class Moves implements Replaced {
  readonly places = new Map<string, string | null>();
  readonly keys: TouchKey[] = [];

  note(event: PlacedEvent, touchId: string | null): void {
    if (event.touchId === touchId) return;
    this.places.set(event.eventId, touchId);
    for (const id of [event.touchId, touchId]) {
      if (id !== null) this.keys.push({ recipientId: event.recipientId, touchId: id });
    }
  }

  apply(event: PlacedEvent): PlacedEvent {
    const touchId = this.places.get(event.eventId);
    return touchId === undefined ? event : { ...event, touchId };
  }
}
