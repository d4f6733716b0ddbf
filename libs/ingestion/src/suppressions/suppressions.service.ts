import { Inject, Injectable } from '@nestjs/common';
import {
  contactOf,
  neighboursOf,
  recipientShaOf,
  standingsOf,
  type Contact,
  type ContactStanding,
} from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { ErasedEvents } from '../storage/outcome-event.repository';
import { keptRows } from './kept-rows';
import { SuppressionRepository, type ExpiringEvent } from './suppression.repository';

/** What became of a recipient's opt-out when the recipient was erased. */
export type SuppressionFate = 'kept' | 'removed' | 'none';

/** Whom the events that go may have a bearing on. */
export interface Neighbourhood {
  readonly people: readonly Contact[];
}

/** The same of a recipient who is erased. */
export interface BeforeErasure extends Neighbourhood {
  readonly recipientId: string;
  /** Whether an opt-out or a bounce was kept whose events had gone before, where it is to go now. */
  readonly wasKept: boolean;
  /** Whether what blocks the recipient is to outlive the events. */
  readonly keeps: boolean;
}

/**
 * Lets no opt-out go with its events. Before they go, what they say of writing to somebody is kept as hashes and dates;
 * after they went, what is of no use any more is dropped. Whoever was blocked before an event expired is blocked after.
 *
 * All of it happens in the transaction that deletes, under the lock of the company's touches.
 */
@Injectable()
export class Suppressions {
  constructor(@Inject(SuppressionRepository) private readonly suppressions: SuppressionRepository) {}

  /** Call it before events expire, with their ids. @returns what `tidy` takes after they went */
  async keepExpiring(transaction: TenantTransaction, eventIds: readonly string[]): Promise<Neighbourhood> {
    const events = await this.suppressions.eventsByIds(transaction, eventIds);
    return this.keepUseful(transaction, events);
  }

  /** Call it before one event is deleted, which lifts what it tells of. @returns what `tidy` takes after it went */
  async beforeDeletion(transaction: TenantTransaction, eventId: string): Promise<Neighbourhood> {
    const events = await this.suppressions.eventsByIds(transaction, [eventId]);
    const near = await neighboursOf(
      transaction,
      events.map(({ recipientId }) => contactOf(recipientId)),
    );
    return { people: near.flat() };
  }

  /**
   * Call it before all events of a recipient are erased. The events themselves are not read here: events are accepted
   * meanwhile, and one that came between a look and the deletion would go unseen.
   * @param keeps - whether what blocks the recipient is to outlive them
   * @param someKept - whether anything is kept of anybody
   */
  async beforeErasure(
    transaction: TenantTransaction,
    recipientId: string,
    { keeps, someKept }: { keeps: boolean; someKept: boolean },
  ): Promise<BeforeErasure> {
    // Where nothing is kept there is nothing to drop afterwards, and nobody need be looked for.
    if (!someKept && !keeps) return { recipientId, people: [], wasKept: false, keeps };
    const wasKept = !keeps && (await this.suppressions.blocks(transaction, recipientShaOf(recipientId)));
    const [people = []] = await neighboursOf(transaction, [contactOf(recipientId)]);
    return { recipientId, people, wasKept, keeps };
  }

  /**
   * Call it after an erasure, with what `beforeErasure` gave and with the very events that went: of those, and of no
   * others, it is decided what has to be kept. Whoever was blocked before an erasure that keeps is blocked after it.
   */
  async afterErasure(
    transaction: TenantTransaction,
    before: BeforeErasure,
    { hadOptOut, said }: Pick<ErasedEvents, 'hadOptOut' | 'said'>,
  ): Promise<SuppressionFate> {
    // What only ties the recipient to an address is kept, too: it may be blocked by an opt-out that another has of that
    // address. What ties it to nothing that blocks is dropped again by `tidy`.
    if (before.keeps)
      await this.suppressions.keep(
        transaction,
        keptRows(said, () => true),
      );
    else if (before.people.length > 0)
      await this.suppressions.forget(transaction, recipientShaOf(before.recipientId));
    await this.tidy(transaction, before);
    if (!before.keeps) return hadOptOut || before.wasKept ? 'removed' : 'none';
    const [standing] = await standingsOf(transaction, [contactOf(before.recipientId)], new Date(0));
    return standing?.blockReasons.length ? 'kept' : 'none';
  }

  /**
   * Forgets what is kept of somebody whose events are gone.
   * @param recipientSha - SHA-256 of the recipient_id, hexadecimal
   * @returns whom it may have blocked
   */
  async forgetKept(transaction: TenantTransaction, recipientSha: string): Promise<Neighbourhood> {
    const person = { recipientId: null, recipientSha, addressHash: null };
    const near = { people: (await neighboursOf(transaction, [person])).flat() };
    await this.suppressions.forget(transaction, recipientSha);
    await this.tidy(transaction, near);
    return near;
  }

  /** Drops what is of no use any more. Call it after the events went. */
  async tidy(transaction: TenantTransaction, { people }: Neighbourhood): Promise<void> {
    const shas = [...new Set(people.flatMap(({ recipientSha }) => recipientSha ?? []))];
    if (shas.length === 0) return;
    const kept = await this.suppressions.keptAmong(transaction, shas);
    if (kept.length === 0) return;
    await this.suppressions.dropLifted(transaction, kept);
    const ids = new Map(people.map(({ recipientSha, recipientId }) => [recipientSha, recipientId]));
    const contacts = kept.map((recipientSha) => ({
      recipientSha,
      recipientId: ids.get(recipientSha) ?? null,
      addressHash: null,
    }));
    const evidence = await this.evidenceNear(transaction, contacts);
    const idle = kept.filter((_, place) => evidence[place]?.isBlocked !== true);
    await this.suppressions.dropIdle(transaction, idle);
  }

  /** Keeps what events of the given say to anybody who has a bounce or an opt-out near: of others there is nothing to keep. */
  private async keepUseful(
    transaction: TenantTransaction,
    events: readonly ExpiringEvent[],
  ): Promise<Neighbourhood> {
    const recipients = [...new Set(events.map(({ recipientId }) => recipientId))];
    const evidence = await this.evidenceNear(transaction, recipients.map(contactOf));
    const near = new Map(recipients.map((recipientId, place) => [recipientId, evidence[place]]));
    const useful = events.filter(({ recipientId }) => near.get(recipientId)?.isBlocked);
    const rows = keptRows(useful, (recipientId) => near.get(recipientId)?.hasBounce === true);
    await this.suppressions.keep(transaction, rows);
    return { people: evidence.flatMap(({ isBlocked, people }) => (isBlocked ? people : [])) };
  }

  /** Of each contact, what is said against writing to it or to anybody near it, lifted or not. */
  private async evidenceNear(transaction: TenantTransaction, contacts: readonly Contact[]) {
    const neighbours = await neighboursOf(transaction, contacts);
    const everybody = [...new Map(neighbours.flat().map((contact) => [keyOf(contact), contact])).values()];
    const standings = await standingsOf(transaction, everybody, new Date(0));
    const standingOf = new Map(everybody.map((contact, place) => [keyOf(contact), standings[place]]));
    return neighbours.map((people) => {
      const near = people.flatMap((contact): readonly ContactStanding[] => {
        const standing = standingOf.get(keyOf(contact));
        return standing === undefined ? [] : [standing];
      });
      const hasBounce = near.some(({ bouncedAt }) => bouncedAt !== null);
      return {
        people,
        hasBounce,
        isBlocked: hasBounce || near.some(({ unsubscribedAt }) => unsubscribedAt !== null),
      };
    });
  }
}

function keyOf({ recipientId, recipientSha, addressHash }: Contact): string {
  return `${recipientId === null ? 'unnamed' : 'named'} ${recipientSha ?? ''} ${addressHash ?? ''}`;
}
