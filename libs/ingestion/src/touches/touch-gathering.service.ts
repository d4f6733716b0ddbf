import { Inject, Injectable } from '@nestjs/common';
import { together, type TenantTransaction } from '@outcomes/tenancy';
import type { NameBasedUuids } from '../identity/name-based-uuid';
import type { TouchKey } from '../storage/outcome-event.repository';
import { MAX_TOUCHES_OF_ADDRESS } from './close-by-replies';
import { foldTouch, RESPONDED, type FoldedTouch } from './fold-touch';
import type { ArrivedPlace } from './arrived-slice';
import { StoredEventRepository, type CompanyOfEvents } from './stored-event.repository';
import { TouchKeys } from './touch-keys';
import { TouchRepository, type ReplyEcho } from './touch.repository';
import type { StoredEvent, StoredTouch } from './touch';

/** One fold: whose events, and which of them count. */
export interface Fold extends CompanyOfEvents {
  readonly transaction: TenantTransaction;
  /** Events ingested up to here have expired. */
  readonly cutoff: Date;
  readonly uuids: NameBasedUuids;
}

/**
 * Touches folded from events that have no others where no touch of the message is stored, by touch_id; or 'gone' where
 * the messages have no event at all.
 */
export type KnownTouches = ReadonlyMap<string, FoldedTouch> | 'gone';

/** What is stored about some messages and addresses, looked up before it is known what else a fold needs. */
export interface LookedUp {
  readonly touchIds: ReadonlySet<string>;
  readonly stored: readonly StoredTouch[];
  readonly echoes: readonly ReplyEcho[];
  readonly addresses: ReadonlySet<string>;
  /** Of these addresses, those that a reply came from. */
  readonly answered: readonly string[];
}

const NOTHING_LOOKED_UP: LookedUp = {
  touchIds: new Set(),
  stored: [],
  echoes: [],
  addresses: new Set(),
  answered: [],
};

/** What a gathering may begin with. */
export interface Beforehand {
  /** Touches that are deleted already, as they were stored. */
  readonly taken?: readonly StoredTouch[] | undefined;
  /** Since it was looked up nothing may have been written. */
  readonly lookedUp?: LookedUp;
}

/** Touches as they are stored and as they should be, while a fold gathers what it needs. */
export interface Gathered {
  readonly stored: Map<string, StoredTouch>;
  /** Of the stored ones, those that were deleted as they were read: nothing is left of them. */
  readonly deleted: Set<string>;
  readonly storedEchoes: Map<string, ReplyEcho>;
  readonly folded: Map<string, FoldedTouch>;
  /** Messages that are gathered, and under which recipients their events were looked for. */
  readonly keys: TouchKeys;
  /** Addresses whose touches are all gathered, or need not be. */
  readonly settledAddresses: Set<string>;
}

/** Reads and folds what a fold needs to know: some messages, and those that a reply could tie to them. */
@Injectable()
export class TouchGathering {
  constructor(
    @Inject(StoredEventRepository) private readonly events: StoredEventRepository,
    @Inject(TouchRepository) private readonly touches: TouchRepository,
  ) {}

  /**
   * Asks for what gathering will ask about the messages of events, so that Postgres is at it while they are folded.
   * @returns once all is asked: statements that follow see the same
   */
  async lookUp({ transaction, scale }: Fold, arrived: readonly ArrivedPlace[]): Promise<LookedUp> {
    const touchIds = new Set(arrived.flatMap((event) => event.touchId ?? []));
    const addresses = new Set(arrived.flatMap((event) => event.recipientHash ?? []));
    const [stored, echoes, answered] = await together(
      this.touches.findByIds(transaction, [...touchIds], scale),
      this.touches.findEchoes(transaction, [...touchIds]),
      this.touches.answeredAddresses(transaction, [...addresses]),
    );
    return { touchIds, stored, echoes, addresses, answered };
  }

  /** @param keys - messages to begin with; those that share an address with them follow */
  async gather(
    fold: Fold,
    keys: readonly TouchKey[],
    known: KnownTouches,
    { taken = [], lookedUp = NOTHING_LOOKED_UP }: Beforehand = {},
  ): Promise<Gathered> {
    const gathered: Gathered = {
      stored: new Map(),
      deleted: new Set(),
      storedEchoes: new Map(),
      folded: new Map(),
      keys: new TouchKeys(),
      settledAddresses: new Set(),
    };
    for (const touch of taken) {
      gathered.stored.set(touch.touchId, touch);
      gathered.deleted.add(touch.touchId);
    }
    let frontier = keys;
    let touches = known;
    while (frontier.length > 0) {
      await this.read(fold, gathered, frontier, { known: touches, lookedUp });
      touches = new Map();
      frontier = gathered.keys.unknown(await this.touchesSharingAddress(fold, gathered, lookedUp));
    }
    return gathered;
  }

  /** Reads the messages of the given keys, and all that refer to them under another recipient. */
  private async read(
    { transaction, cutoff, timeZone, scale }: Fold,
    gathered: Gathered,
    keys: readonly TouchKey[],
    { known, lookedUp }: { readonly known: KnownTouches; readonly lookedUp: LookedUp },
  ): Promise<void> {
    const ids = [...new Set(keys.map((key) => key.touchId))].filter((id) => !gathered.keys.hasTouch(id));
    gathered.keys.add(keys);
    const standing = ids.filter((id) => !gathered.deleted.has(id));
    const asked = new Set(ids);
    const isAsked = ({ touchId }: { readonly touchId: string }) => asked.has(touchId);
    const isUnknown = (id: string) => !lookedUp.touchIds.has(id);
    const stored =
      known === 'gone'
        ? await this.touches.take(transaction, standing, scale)
        : [
            ...lookedUp.stored.filter(isAsked),
            ...(await this.touches.findByIds(transaction, standing.filter(isUnknown), scale)),
          ];
    for (const touch of stored) {
      gathered.stored.set(touch.touchId, touch);
      if (known === 'gone') gathered.deleted.add(touch.touchId);
    }
    // A message is stored or an echo, never both.
    const echoes = [
      ...lookedUp.echoes.filter(isAsked),
      ...(await this.touches.findEchoes(
        transaction,
        ids.filter((id) => isUnknown(id) && !gathered.stored.has(id)),
      )),
    ];
    for (const echo of echoes) gathered.storedEchoes.set(echo.touchId, echo);
    if (known === 'gone') return;
    const isKnown = (id: string) =>
      known.has(id) && !gathered.stored.has(id) && !gathered.storedEchoes.has(id);
    const ofTouches = new Map<string, Map<string, StoredEvent>>();
    // A message may be another recipient's than the one whose event led here.
    const owners = gathered.keys.unknown([...stored, ...echoes]);
    gathered.keys.add(owners);
    let unread = [...keys.filter((key) => !isKnown(key.touchId)), ...owners];
    while (unread.length > 0) {
      const read = await this.events.ofTouches(transaction, unread, cutoff);
      for (const event of read) {
        const ofTouch = ofTouches.get(event.touchId) ?? new Map<string, StoredEvent>();
        ofTouches.set(event.touchId, ofTouch.set(event.eventId, event));
      }
      const references = [...new Set(read.flatMap((event) => event.messageRef ?? []))];
      if (references.length === 0) break;
      const referring = await this.events.byReferences(transaction, references, cutoff);
      unread = gathered.keys.unknown(
        referring.flatMap(({ recipientId, touchId }) =>
          touchId !== null && ofTouches.has(touchId) ? [{ recipientId, touchId }] : [],
        ),
      );
      gathered.keys.add(unread);
    }
    for (const [touchId, folded] of known) if (isKnown(touchId)) gathered.folded.set(touchId, folded);
    for (const [touchId, events] of ofTouches) {
      gathered.folded.set(touchId, foldTouch([...events.values()], timeZone));
    }
  }

  /** Other messages to the gathered addresses, where one reply could close the message of another recipient. */
  private async touchesSharingAddress(
    { transaction }: Fold,
    gathered: Gathered,
    lookedUp: LookedUp,
  ): Promise<TouchKey[]> {
    const addresses = usesByAddress(gathered);
    const hashes = [...addresses.keys()].filter((hash) => !gathered.settledAddresses.has(hash));
    if (hashes.length === 0) return [];
    for (const hash of hashes) gathered.settledAddresses.add(hash);
    const silent = hashes.filter((hash) => !addresses.get(hash)?.isAnswered);
    const unasked = silent.filter((hash) => !lookedUp.addresses.has(hash));
    const answered = new Set([
      ...lookedUp.answered,
      ...(await this.touches.answeredAddresses(transaction, unasked)),
    ]);
    const concerned = hashes.filter((hash) => addresses.get(hash)?.isAnswered === true || answered.has(hash));
    if (concerned.length === 0) return [];
    const uses = await this.touches.usesOfAddresses(transaction, concerned);
    const shared = uses.filter((use) => {
      const recipients = new Set(addresses.get(use.recipientHash)?.recipientIds)
        .add(use.firstRecipient)
        .add(use.lastRecipient);
      return (
        recipients.size > 1 && use.touches - goneFrom(use.recipientHash, gathered) <= MAX_TOUCHES_OF_ADDRESS
      );
    });
    if (shared.length === 0) return [];
    return this.touches.touchesOfAddresses(
      transaction,
      shared.map((use) => use.recipientHash),
    );
  }
}

/** Who has an address now or had it before, and whether a reply came from it. */
function usesByAddress({ folded, stored, storedEchoes }: Gathered) {
  const addresses = new Map<string, { readonly recipientIds: string[]; isAnswered: boolean }>();
  const note = (hash: string | null, recipientId: string, isAnswered: boolean) => {
    if (hash === null) return;
    const use = addresses.get(hash);
    if (use === undefined) addresses.set(hash, { recipientIds: [recipientId], isAnswered });
    else {
      if (use.recipientIds.at(-1) !== recipientId) use.recipientIds.push(recipientId);
      use.isAnswered ||= isAnswered;
    }
  };
  for (const { touch } of folded.values()) {
    note(touch.recipientHash, touch.recipientId, touch.outcome === RESPONDED);
  }
  for (const touch of stored.values()) {
    note(touch.recipientHash, touch.recipientId, touch.outcome === RESPONDED);
  }
  for (const echo of storedEchoes.values()) note(echo.recipientHash, echo.recipientId, true);
  return addresses;
}

/** How many touches that are stored still are no longer of the address. */
function goneFrom(hash: string, { folded, stored, storedEchoes, deleted }: Gathered): number {
  const before = [...stored.values(), ...storedEchoes.values()].filter(
    (touch) => touch.recipientHash === hash && !deleted.has(touch.touchId),
  );
  return before.filter((touch) => folded.get(touch.touchId)?.touch.recipientHash !== hash).length;
}
