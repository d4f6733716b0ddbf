import { Inject, Injectable } from '@nestjs/common';
import {
  causesOf,
  lockTouches,
  neighboursOf,
  recipientShaOf,
  standingsOf,
  type BlockCause,
  type Contact,
  type ContactStanding,
} from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import type { RemovedEvents } from '../storage/outcome-event.repository';
import type { Arrivals } from './arrivals';
import {
  SuppressionListRepository,
  type ListedSuppression,
  type SuppressionChange,
} from './suppression-list.repository';

/** Contacts that are looked at in one go: keeps statements short, and the lock for others. */
const SLICE = 500;
/** Others for each row of the list that may be read at once: where the list turns out longer, it was read for nothing. */
const OTHERS_PER_ROW_READ = 4;

/**
 * Keeps the list that others follow in step with who must not be written to. It decides nothing: a row says what
 * `standingsOf` says of its recipient or its address. What changes a standing is looked at in the transaction that works it
 * in; a check of everything, once a day, finds what was missed (events of an earlier version, parked batches).
 */
@Injectable()
export class SuppressionList {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(SuppressionListRepository) private readonly list: SuppressionListRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Follows events that have been folded.
   * @param transaction - that holds the company's lock
   */
  async follow(transaction: TenantTransaction, arrivals: Arrivals): Promise<void> {
    const near = await this.othersListed(transaction, arrivals);
    for (const some of slicesOf([...arrivals.told, ...near]))
      await this.settle(transaction, [...some, ...(await neighboursOf(transaction, some)).flat()]);
  }

  /**
   * Follows a deletion or an expiry, and forgets whom it forgot.
   * @param isKept - whether what blocks the recipients was kept: where their events were not counted yet, they may never
   * have been listed
   * @param near - who may be blocked by what went; may be empty
   */
  async followRemoval(
    transaction: TenantTransaction,
    {
      recipientIds,
      addresses,
      isKept = false,
    }: Pick<RemovedEvents, 'recipientIds' | 'addresses'> & { readonly isKept?: boolean },
    near: readonly Contact[],
  ): Promise<void> {
    const gone = [...recipientIds.map(personOf), ...addresses.map(addressOf)];
    await this.followGone(transaction, gone, near, isKept);
  }

  /**
   * The same of somebody of whom nothing was left but what was kept, and of whom now nothing is.
   * @param recipientSha - SHA-256 of the recipient_id, hexadecimal
   */
  async followForgotten(
    transaction: TenantTransaction,
    recipientSha: string,
    near: readonly Contact[],
  ): Promise<void> {
    await this.followGone(transaction, [{ recipientId: null, recipientSha, addressHash: null }], near, false);
  }

  private async followGone(
    transaction: TenantTransaction,
    gone: readonly Contact[],
    near: readonly Contact[],
    isKept: boolean,
  ): Promise<void> {
    // What goes can change nothing but what is listed: a block that stood has its row.
    const listed = await this.nearListed(transaction, [...gone, ...near]);
    const concerned = isKept ? [...listed, ...gone.map(unnamed)] : listed;
    if (concerned.length === 0) return;
    for (const some of slicesOf(concerned))
      await this.settle(transaction, [...some, ...(await neighboursOf(transaction, some)).flat()]);
    // An address that was known by what went alone is named by nobody any more.
    await this.list.forget(transaction, [...gone, ...addressesOf(near)]);
  }

  /** Holds the list against everything that is stored, a slice in a transaction of its own. */
  async check(scope: TenantScope): Promise<void> {
    await this.nameAddresses(scope);
    const candidates = await this.database.transaction(scope, (transaction) =>
      this.list.everyCandidate(transaction),
    );
    for (const some of slicesOf(candidates))
      await this.database.transaction(scope, async (transaction) => {
        await lockTouches(transaction);
        await this.settle(transaction, [...some, ...(await neighboursOf(transaction, some)).flat()]);
      });
    await this.database.transaction(scope, (transaction) =>
      this.list.noteCheck(transaction, this.clock.now()),
    );
  }

  /**
   * Notes the addresses that opt-outs and bounces of an earlier version name as their recipient_id only. Call it before
   * events expire: what they tie together is kept only where it is known.
   */
  async nameAddresses(scope: TenantScope): Promise<void> {
    let named: number;
    do
      named = await this.database.transaction(scope, async (transaction) => {
        await lockTouches(transaction);
        return this.list.nameAddresses(transaction, SLICE);
      });
    while (named === SLICE);
  }

  /** Makes the list of a company that has none: at its first events, or after an upgrade. */
  async make(scope: TenantScope): Promise<void> {
    const isChecked = await this.database.transaction(scope, (transaction) =>
      this.list.isChecked(transaction),
    );
    if (!isChecked) await this.check(scope);
  }

  /**
   * Others of whom anything is listed. Where the list is short beside them, as in an import, it is read: asking for each
   * of them takes a hash of every name, and sends two for each.
   */
  private async othersListed(
    transaction: TenantTransaction,
    arrivals: Arrivals,
  ): Promise<readonly Contact[]> {
    const few = Math.floor(arrivals.otherCount / OTHERS_PER_ROW_READ);
    const listed = few === 0 ? undefined : await this.list.listedIfFew(transaction, few);
    return listed ? arrivals.othersAmong(listed) : this.nearListed(transaction, arrivals.others);
  }

  private async nearListed(transaction: TenantTransaction, contacts: readonly Contact[]): Promise<Contact[]> {
    if (contacts.length === 0) return [];
    const listed = await this.list.listedAmong(transaction, contacts);
    const shas = new Set(listed.flatMap(({ recipientSha }) => recipientSha ?? []));
    const hashes = new Set(listed.flatMap(({ addressHash }) => addressHash ?? []));
    return contacts.filter(
      ({ recipientSha, addressHash }) =>
        (recipientSha !== null && shas.has(recipientSha)) ||
        (addressHash !== null && hashes.has(addressHash)),
    );
  }

  /** Writes down where the list says another thing of a recipient or an address than the events do. */
  private async settle(transaction: TenantTransaction, contacts: readonly Contact[]): Promise<void> {
    const subjects = subjectsOf(contacts);
    const standings = await standingsOf(transaction, subjects, new Date(0));
    const listed = await this.list.listedAmong(transaction, subjects);
    const rows = new Map(listed.map((row) => [keyOf(row), row]));
    const now = this.clock.now();
    const blocked = subjects.filter((_, place) => standings[place]?.blockReasons.length);
    const causes = await causesOf(transaction, blocked);
    const causeOf = new Map(blocked.map((contact, place) => [contact, causes[place]]));
    const changes = subjects.flatMap((contact, place) => {
      const standing = standings[place];
      if (!standing) return [];
      return changeOf(contact, standing, causeOf.get(contact), rows.get(keyOf(contact)), now);
    });
    await this.list.write(transaction, changes, now);
  }
}

function changeOf(
  contact: Contact,
  { blockReasons: [block], unsubscribedAt, bouncedAt }: ContactStanding,
  cause: BlockCause | undefined,
  row: ListedSuppression | undefined,
  now: Date,
): SuppressionChange[] {
  const suppressionId = row?.suppressionId;
  if (block === undefined) {
    if (row?.change !== 'added') return [];
    const { reason, bounce } = row;
    return [
      { ...{ suppressionId, contact: named(contact, row), change: 'removed', since: now }, reason, bounce },
    ];
  }
  // What is known of the cause only names the block: whether there is one has been decided.
  const reason = block === 'unsubscribed' && cause?.complained ? 'complaint' : block;
  const bounce = block === 'bounced' ? (cause?.bounce ?? 'unknown') : null;
  const isKnown =
    row?.change === 'added' &&
    row.reason === reason &&
    (row.bounce ?? (block === 'bounced' ? 'unknown' : null)) === bounce &&
    (contact.recipientId === null || row.recipientId === contact.recipientId);
  if (isKnown) return [];
  const since = (block === 'unsubscribed' ? unsubscribedAt : bouncedAt) ?? now;
  return [
    { suppressionId, contact: row ? named(contact, row) : contact, change: 'added', reason, bounce, since },
  ];
}

/** Whoever is known by the hash alone keeps the name that the row has. */
const named = (contact: Contact, { recipientId }: ListedSuppression): Contact => ({
  ...contact,
  recipientId: contact.recipientId ?? recipientId,
});

/** Each recipient and each address of the contacts, once. */
function subjectsOf(contacts: readonly Contact[]): Contact[] {
  const subjects = new Map<string, Contact>();
  for (const { recipientId, recipientSha, addressHash } of contacts) {
    if (recipientSha !== null) {
      const person = { recipientId, recipientSha, addressHash: null };
      if (recipientId !== null || !subjects.has(keyOf(person))) subjects.set(keyOf(person), person);
    }
    if (addressHash !== null) {
      const address = addressOf(addressHash);
      subjects.set(keyOf(address), address);
    }
  }
  return [...subjects.values()];
}

const keyOf = ({ recipientSha, addressHash }: Pick<Contact, 'recipientSha' | 'addressHash'>) =>
  recipientSha ?? `@${addressHash ?? ''}`;

const personOf = (recipientId: string): Contact => ({
  ...{ recipientId, recipientSha: recipientShaOf(recipientId), addressHash: null },
});

/** Whoever was erased is known by the hash alone. */
const unnamed = (contact: Contact): Contact => ({ ...contact, recipientId: null });

const addressOf = (addressHash: string): Contact => ({ recipientId: null, recipientSha: null, addressHash });

const addressesOf = (contacts: readonly Contact[]): Contact[] =>
  contacts.flatMap(({ addressHash }) => (addressHash === null ? [] : addressOf(addressHash)));

function* slicesOf(contacts: readonly Contact[]): Generator<readonly Contact[]> {
  for (let at = 0; at < contacts.length; at += SLICE) yield contacts.slice(at, at + SLICE);
}
