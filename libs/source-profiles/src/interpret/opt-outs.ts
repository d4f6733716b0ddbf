import { detectByRecord } from '../detect/detect-route';
import type { Route, SourceProfile, Value } from '../profile';
import { holds } from './holds';
import type { MappedEvent } from './map-record';
import { flagsComplaint, flagsOptOut, tellsComplaint, tellsOptOut } from './opt-out-signals';
import { readPath, textAt, type SourceRecord } from './read-path';
import { addressOf, recipientIdOf } from './recipient-id';
import { bounded, referenceOfRecipient } from './reference';
import { metadataOf } from './source-event';

/** Keys that name whom a record is about by an id of the tool's. */
const PERSON_ID = /^(?:lead|prospect|contact|person|recipient|subscriber|candidate)_?id$/i;
/** Types of objects that are people to whom is written. */
const PERSON = /^(?:lead|prospect|contact|person|recipient|subscriber)s?$/i;
/** Of those who write. */
const OURS = /sender|from|account|mailbox|owner|user|seat|workspace|team|reply_?to|by$/i;
const IN_BRACKETS = /<([^<>]+)>\s*$/;

/**
 * The opt-outs of a record that is no event of its profile: an unsubscription, a request to be removed, a complaint. They
 * take effect whatever else the record says and whether or not anybody can read it: who is written to after it asked not to
 * be is harmed, who is left in peace is not. So all count whom the record may mean, in case of doubt.
 * @param at - when it was received: the opt-out came before. ISO 8601
 * @returns an event for each recipient, without a message
 */
export function optOutsIn(profile: SourceProfile, record: SourceRecord, at: string): readonly MappedEvent[] {
  if (!isOptOut(profile, record)) return [];
  const complained = tellsComplaint(record);
  return [...recipientsIn(profile, record)].map((recipient) => optOutOf(profile, recipient, complained, at));
}

/**
 * The opt-outs that a record tells of beside the events that its profile makes of it: a reply of somebody who has opted out
 * since, say. Flags and times alone count here: labels of what can be read, such as why a mail bounced, have the same words.
 * @param events - what the profile makes of it
 * @param at - as above
 * @returns an event for each of their recipients, without a message; none where one of the events is the opt-out
 */
export function optOutsBeside(
  profile: SourceProfile,
  record: SourceRecord,
  events: readonly MappedEvent[],
  at: string,
): readonly MappedEvent[] {
  if (!flagsOptOut(record) || events.some(({ event }) => event.outcome === 'unsubscribed')) return [];
  const complained = flagsComplaint(record);
  const recipients = new Map(events.map(({ event }) => [event.recipient_id, event.recipient_email]));
  return [...recipients].map((recipient) => optOutOf(profile, recipient, complained, at));
}

/** @param complained - whether it was a complaint: one of somebody who had opted out before is news */
function optOutOf(
  { tool }: SourceProfile,
  [recipientId, address]: readonly [recipientId: string, address: string | undefined],
  complained: boolean,
  at: string,
): MappedEvent {
  return {
    event: {
      channel: 'email',
      recipient_id: recipientId,
      ...(address !== undefined && { recipient_email: address }),
      sequence_step: 0,
      message_ref: referenceOfRecipient(tool, recipientId),
      outcome: 'unsubscribed',
      outcome_at: at,
      outcome_at_is: 'not_after',
      ...(complained && { metadata: metadataOf('complaint') }),
    },
    identity: JSON.stringify([complained ? 'complaint' : 'opt-out', recipientId]),
  };
}

/** By what the profile says is one, or by the words that tools have for it. */
function isOptOut(profile: SourceProfile, record: SourceRecord): boolean {
  const detected = detectByRecord([profile], record);
  const facts = 'found' in detected ? (detected.found.route.facts ?? []) : [];
  return (
    facts.some(({ tells, when }) => tells === 'unsubscribed' && when !== undefined && holds(when, record)) ||
    tellsOptOut(record)
  );
}

/** @returns addresses by recipient_id; undefined where the tool has an id alone */
function recipientsIn(profile: SourceProfile, record: SourceRecord): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const webhooks = profile.routes.filter(({ media }) => media.includes('webhook'));
  const addresses = webhooks.flatMap((route) => addressesAt(route, record));
  for (const address of addresses.length > 0 ? addresses : addressesIn(record))
    found.set(recipientIdOf(address), address);
  for (const id of [...webhooks.flatMap((route) => idsAt(route, record)), ...idsIn(record)])
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
