import { Inject, Injectable } from '@nestjs/common';
import { lockTouches } from '@outcomes/persistence';
import type { TenantScope, TenantTransaction } from '@outcomes/tenancy';
import type { TouchKey } from '../storage/outcome-event.repository';
import { closeByReplies, MAX_TOUCHES_OF_ADDRESS, type ClosedTouches } from './close-by-replies';
import { CohortCountRepository } from './cohort-count.repository';
import { CohortDeltas } from './cohort-deltas';
import { foldTouch, type FoldedTouch } from './fold-touch';
import { StoredEventRepository } from './stored-event.repository';
import { TouchRepository, type ReplyEcho } from './touch.repository';
import type { StoredEvent, Touch } from './touch';

const DEFAULT_TIME_ZONE = 'UTC';

/** Touches as they are stored and as they should be, while a fold gathers what it needs. */
interface Gathered {
  readonly keys: Map<string, TouchKey>;
  readonly stored: Map<string, Touch>;
  readonly storedEchoes: Map<string, ReplyEcho>;
  readonly folded: Map<string, FoldedTouch>;
  /** Addresses whose touches are all gathered, or need not be. */
  readonly settledAddresses: Set<string>;
}

/**
 * Keeps touches and counts in step with the events. Touches are a function of the set of events; a fold computes
 * the touches that some events concern anew, and adds the difference to what is stored to the counts. So it may
 * run twice, in any order and over any part, and deletion is the same fold over fewer events.
 */
@Injectable()
export class TouchFolding {
  constructor(
    @Inject(StoredEventRepository) private readonly events: StoredEventRepository,
    @Inject(TouchRepository) private readonly touches: TouchRepository,
    @Inject(CohortCountRepository) private readonly counts: CohortCountRepository,
  ) {}

  /** Waits until nobody else folds for this company; held to the end of the transaction. */
  async lock(_scope: TenantScope, transaction: TenantTransaction): Promise<void> {
    await lockTouches(transaction);
  }

  /**
   * Folds the given messages, and those that share an address with them, from the events that remain.
   * @param transaction - that holds the company's lock
   * @param cutoff - events ingested up to here have expired
   * @param areGone - whether the given messages have no event left, so that nobody need look
   */
  async refold(
    scope: TenantScope,
    transaction: TenantTransaction,
    keys: readonly TouchKey[],
    cutoff: Date,
    areGone = false,
  ): Promise<void> {
    if (keys.length === 0) return;
    const gathered = await this.gather(scope, transaction, keys, cutoff, areGone);
    await this.write(scope, transaction, gathered, resolve(gathered));
  }

  private async gather(
    scope: TenantScope,
    { client }: TenantTransaction,
    keys: readonly TouchKey[],
    cutoff: Date,
    areGone: boolean,
  ): Promise<Gathered> {
    let timeZone: string | undefined;
    const gathered: Gathered = {
      keys: new Map(),
      stored: new Map(),
      storedEchoes: new Map(),
      folded: new Map(),
      settledAddresses: new Set(),
    };
    let frontier = keys;
    while (frontier.length > 0) {
      for (const key of frontier) gathered.keys.set(key.touchId, key);
      const ids = frontier.map((key) => key.touchId);
      for (const touch of await this.touches.findByIds(scope, client, ids)) {
        gathered.stored.set(touch.touchId, touch);
      }
      for (const echo of await this.touches.findEchoes(scope, client, ids)) {
        gathered.storedEchoes.set(echo.touchId, echo);
      }
      const isGone = areGone && frontier === keys;
      const events = isGone ? [] : await this.events.ofTouches(scope, client, frontier, cutoff);
      if (events.length > 0) timeZone ??= await timeZoneOf(scope, client);
      for (const ofTouch of Map.groupBy(events, (event: StoredEvent) => event.touchId).values()) {
        const folded = foldTouch(ofTouch, timeZone ?? DEFAULT_TIME_ZONE);
        gathered.folded.set(folded.touch.touchId, folded);
      }
      const sharing = await this.touchesSharingAddress(scope, client, gathered);
      frontier = sharing.filter((key) => !gathered.keys.has(key.touchId));
    }
    return gathered;
  }

  /** Other messages to the gathered addresses, where more than one recipient_id has such an address. */
  private async touchesSharingAddress(
    scope: TenantScope,
    client: TenantTransaction['client'],
    gathered: Gathered,
  ): Promise<TouchKey[]> {
    const addresses = recipientsByAddress(gathered);
    const hashes = [...addresses.keys()].filter((hash) => !gathered.settledAddresses.has(hash));
    if (hashes.length === 0) return [];
    const uses = await this.touches.usesOfAddresses(scope, client, hashes);
    const shared = uses.filter((use) => {
      const recipients = new Set(addresses.get(use.recipientHash))
        .add(use.firstRecipient)
        .add(use.lastRecipient);
      return (
        recipients.size > 1 && use.touches - goneFrom(use.recipientHash, gathered) <= MAX_TOUCHES_OF_ADDRESS
      );
    });
    for (const hash of hashes) gathered.settledAddresses.add(hash);
    if (shared.length === 0) return [];
    return this.touches.touchesOfAddresses(
      scope,
      client,
      shared.map((use) => use.recipientHash),
    );
  }

  private async write(
    scope: TenantScope,
    { client }: TenantTransaction,
    { keys, stored, storedEchoes }: Gathered,
    { touches, echoes }: ClosedTouches,
  ): Promise<void> {
    const deltas = new CohortDeltas();
    const remaining = new Map(touches.map((touch) => [touch.touchId, touch]));
    const changed = touches.filter((touch) => !isSame(touch, stored.get(touch.touchId)));
    for (const touch of changed) deltas.add(touch);
    const gone: string[] = [];
    for (const touchId of keys.keys()) {
      const before = stored.get(touchId);
      if (!before) continue;
      const after = remaining.get(touchId);
      if (!after) gone.push(touchId);
      if (!after || !isSame(after, before)) deltas.remove(before);
    }
    const echoIds = new Set(echoes.map(({ reply }) => reply.touchId));
    await this.touches.upsert(scope, client, changed);
    await this.touches.delete(scope, client, gone);
    await this.touches.upsertEchoes(scope, client, echoes.map(echoOf));
    await this.touches.deleteEchoes(
      scope,
      client,
      [...storedEchoes.keys()].filter((touchId) => !echoIds.has(touchId)),
    );
    await this.counts.add(scope, client, deltas.list());
  }
}

/** The gathered touches after reply detection, address by address. */
function resolve({ folded }: Gathered): ClosedTouches {
  const byAddress = Map.groupBy(folded.values(), ({ touch }) => touch.recipientHash);
  const closed = [...byAddress].map(([hash, group]) =>
    hash === null ? { touches: group.map(({ touch }) => touch), echoes: [] } : closeByReplies(group),
  );
  return {
    touches: closed.flatMap(({ touches }) => touches),
    echoes: closed.flatMap(({ echoes }) => echoes),
  };
}

/** Addresses that the gathered touches have now or had before, and under which recipients. */
function recipientsByAddress({ folded, stored, storedEchoes }: Gathered): Map<string, Set<string>> {
  const addresses = new Map<string, Set<string>>();
  const note = (hash: string | null, recipientId: string) => {
    if (hash === null) return;
    const recipients = addresses.get(hash) ?? new Set();
    addresses.set(hash, recipients.add(recipientId));
  };
  for (const { touch } of folded.values()) note(touch.recipientHash, touch.recipientId);
  for (const touch of stored.values()) note(touch.recipientHash, touch.recipientId);
  for (const echo of storedEchoes.values()) note(echo.recipientHash, echo.recipientId);
  return addresses;
}

/** How many stored touches of the address are no longer of it. */
function goneFrom(hash: string, { folded, stored, storedEchoes }: Gathered): number {
  const before = [...stored.values(), ...storedEchoes.values()].filter(
    (touch) => touch.recipientHash === hash,
  );
  return before.filter((touch) => folded.get(touch.touchId)?.touch.recipientHash !== hash).length;
}

function echoOf({ reply, closesTouchId }: ClosedTouches['echoes'][number]): ReplyEcho {
  return {
    touchId: reply.touchId,
    recipientId: reply.recipientId,
    recipientHash: reply.recipientHash ?? '',
    closesTouchId,
  };
}

function isSame(a: Touch, b: Touch | undefined): boolean {
  return (
    b !== undefined &&
    (Object.keys(a) as (keyof Touch)[]).every((part) => String(a[part]) === String(b[part]))
  );
}

async function timeZoneOf(scope: TenantScope, client: TenantTransaction['client']): Promise<string> {
  const { rows } = await client.query<{ time_zone: string }>(
    'SELECT time_zone FROM companies WHERE company_id = $1',
    [scope.companyId],
  );
  return rows[0]?.time_zone ?? DEFAULT_TIME_ZONE;
}
