import type { Route, SourceProfile, Value } from '../profile';
import { readPath, textAt, type SourceRecord } from './read-path';
import { addressOf, recipientIdOf } from './recipient-id';
import { bounded } from './reference';

/** Keys that name whom a record is about by an id of the tool's. */
const PERSON_ID = /^(?:lead|prospect|contact|person|recipient|subscriber|candidate)_?id$/i;
/** Types of objects that are people to whom is written. */
const PERSON = /^(?:lead|prospect|contact|person|recipient|subscriber)s?$/i;
/** Of those who write. */
const OURS = /sender|from|account|mailbox|owner|user|seat|workspace|team|reply_?to|by$/i;
const IN_BRACKETS = /<([^<>]+)>\s*$/;

/** Addresses by recipient_id; undefined of whom the tool has an id alone. */
export type People = ReadonlyMap<string, string | undefined>;

/**
 * Everybody whom a record may be about, where it does not say plainly who that is.
 * @param route - what it was recognised as, beside the deliveries of its profile
 */
export function peopleIn(profile: SourceProfile, route: Route | undefined, record: SourceRecord): People {
  const found = new Map<string, string | undefined>();
  const known = profile.routes.filter((one) => one === route || one.media.includes('webhook'));
  const addresses = known.flatMap((one) => addressesAt(one, record));
  for (const address of addresses.length > 0 ? addresses : addressesIn(record))
    found.set(recipientIdOf(address), address);
  for (const id of [...known.flatMap((one) => idsAt(one, record)), ...idsIn(record)])
    found.set(bounded(`${profile.tool}:${id}`), undefined);
  return found;
}

const addressesAt = ({ message }: Route, record: SourceRecord): string[] =>
  valuesOf(message?.email).flatMap((value) => {
    const text = 'path' in value ? readPath(record, value.path) : undefined;
    return typeof text === 'string' ? (addressOf(text) ?? []) : [];
  });

const idsAt = ({ message }: Route, record: SourceRecord): string[] =>
  valuesOf(message?.recipient).flatMap((value) =>
    'path' in value ? (textAt(record, value.path) ?? []) : [],
  );

function valuesOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  return value.op === 'first' ? value.of : [value];
}

/** Every address that is not of those who write. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return [addressOf(IN_BRACKETS.exec(value)?.[1] ?? value) ?? []].flat();
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    !Array.isArray(value) && OURS.test(key) ? [] : addressesIn(inner),
  );
}

function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && typeof value.type === 'string' && PERSON.test(value.type) ? ['id'] : [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isId = typeof inner === 'number' || (typeof inner === 'string' && inner.trim() !== '');
    if (isId) return own.includes(key) || PERSON_ID.test(key) ? [String(inner).trim()] : [];
    return idsIn(inner);
  });
}
