import { EVENT_KINDS } from '@outcomes/contracts';
import { recipientShaOf } from '@outcomes/persistence';
import { addressInId } from '../identity/event-record';
import type { ExpiringEvent } from './suppression.repository';

export const UNSUBSCRIBED = EVENT_KINDS.indexOf('unsubscribed');
export const BOUNCED = EVENT_KINDS.indexOf('bounced');
const RESPONDED = EVENT_KINDS.indexOf('responded');

/** What is left of the events of one recipient and one address. Without any time it only ties the two together. */
export interface KeptRow {
  readonly recipientSha: string;
  /** Empty where the events named no address. */
  readonly recipientHash: string;
  /** The earliest. */
  readonly unsubscribedAt: Date | null;
  /** The latest, as is that of a reply. */
  readonly bouncedAt: Date | null;
  readonly repliedAt: Date | null;
  /** Whether an opt-out was a complaint. */
  readonly complained: boolean;
  /** Whether the bounce is known to be for good. */
  readonly bounceIsHard: boolean;
}

/**
 * What events leave behind: one row per recipient and address.
 * @param liftsBounce - whether a reply of this recipient may bear on a bounce
 */
export function keptRows(
  events: readonly ExpiringEvent[],
  liftsBounce: (recipientId: string) => boolean,
): KeptRow[] {
  const rows = new Map<string, KeptRow>();
  for (const event of events) {
    const row = rowOf(event, liftsBounce(event.recipientId));
    if (row === undefined) continue;
    const key = `${row.recipientSha} ${row.recipientHash}`;
    const before = rows.get(key);
    rows.set(key, before === undefined ? row : united(before, row));
  }
  return [...rows.values()];
}

function rowOf(
  { recipientId, recipientHash, outcome, outcomeAt, isComplaint, isHard }: ExpiringEvent,
  lifts: boolean,
): KeptRow | undefined {
  const row = {
    recipientSha: recipientShaOf(recipientId),
    // Events of an earlier version do not say themselves what address their id is.
    recipientHash: recipientHash ?? addressInId(recipientId, outcome) ?? '',
    unsubscribedAt: outcome === UNSUBSCRIBED ? outcomeAt : null,
    bouncedAt: outcome === BOUNCED ? outcomeAt : null,
    repliedAt: outcome === RESPONDED && lifts ? outcomeAt : null,
    complained: outcome === UNSUBSCRIBED && isComplaint,
    bounceIsHard: outcome === BOUNCED && isHard,
  };
  const says = row.unsubscribedAt ?? row.bouncedAt ?? row.repliedAt;
  return says === null && row.recipientHash === '' ? undefined : row;
}

function united(a: KeptRow, b: KeptRow): KeptRow {
  return {
    ...a,
    unsubscribedAt: earliest(a.unsubscribedAt, b.unsubscribedAt),
    bouncedAt: latest(a.bouncedAt, b.bouncedAt),
    repliedAt: latest(a.repliedAt, b.repliedAt),
    complained: a.complained || b.complained,
    bounceIsHard: lastIsHard(a, b),
  };
}

/** Of the later bounce; of two at once, if one was. */
function lastIsHard(a: KeptRow, b: KeptRow): boolean {
  const [first, second] = [msOf(a.bouncedAt), msOf(b.bouncedAt)];
  if (first === second) return a.bounceIsHard || b.bounceIsHard;
  return first > second ? a.bounceIsHard : b.bounceIsHard;
}

function earliest(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a <= b ? a : b;
}

function latest(a: Date | null, b: Date | null): Date | null {
  return msOf(a) >= msOf(b) ? a : b;
}

const msOf = (time: Date | null) => time?.getTime() ?? -Infinity;
