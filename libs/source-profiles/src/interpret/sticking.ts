import type { FactMapping, Route, SourceProfile, Told, Value } from '../profile';
import { parseEmailAddress } from './email-address';
import { readable } from './fault';
import { holds } from './holds';
import { timeOf, type Happened, type MapContext, type MappedEvent } from './map-record';
import { flagsComplaint, flagsOptOut, tellsComplaint, tellsOptOut } from './opt-out-signals';
import { peopleIn, type People } from './people-in';
import { nameOfPath, readPath, type SourceRecord } from './read-path';
import { EARLIEST_MS, isBefore } from './read-time';
import { readMoment, readValue } from './read-value';
import { digestOf } from './recipient-id';
import { referenceOfRecipient } from './reference';
import { pathsAskedBy } from './route-paths';
import { metadataOf, toldIn, type SourceEvent } from './source-event';

/** Of the contract: how far ahead a time may be. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * What sticks to the recipients of a record, opt-outs and bounces, beside the events that are made of it. It takes effect
 * whatever else the record says and whether or not anybody can read that. Who is written to after it asked not to be is
 * harmed, who is left in peace is not: so in case of doubt all count whom the record may mean.
 *
 * A bounce is what the profile calls one and does not skip: what was never sent reached nobody. So is an opt-out; and
 * besides a flag or a time that says so, skipped or not, and where nothing is made of the record, also a label: labels of
 * what can be read, such as why a mail bounced, have the same words.
 * @param route - what the record was recognised as; undefined where it was not
 * @param made - what the profile makes of it; nothing where it is skipped, of no known type, or at fault
 * @param context - with which it was mapped
 * @param at - when it was received, or up to when its file tells: what sticks came before. ISO 8601
 * @returns an event for each recipient, without a message; none where the record is told as it should be
 */
export function stickingBeside(
  profile: SourceProfile,
  route: Route | undefined,
  record: SourceRecord,
  made: readonly MappedEvent[],
  context: MapContext,
  at: string,
): readonly MappedEvent[] {
  // Counts of a campaign are about nobody.
  if (route?.grain === 'campaign') return [];
  const taken = made.every(({ event }) => isTaken(event, at)) ? made : [];
  const isTold = (outcome: Told) => taken.some(({ event }) => event.outcome === outcome);
  const optOut = isTold('unsubscribed') ? undefined : optOutIn(route, record, taken.length > 0);
  const bounce = isTold('bounced') ? undefined : factIn(route, record, 'bounced');
  if (!optOut && !(bounce && route)) return [];
  const people: People =
    taken.length > 0
      ? new Map(taken.map(({ event }) => [event.recipient_id, event.recipient_email]))
      : peopleIn(profile, route, record);
  return [
    ...(optOut ? [...people].map((person) => optOutOf(profile, person, optOut, at)) : []),
    ...(bounce && route ? bouncesOf(profile, people, bounceIn(route, bounce, record, context, at)) : []),
  ];
}

/** Whether the contract takes its times, its address and its texts. Of a record with others nothing may get in. */
function isTaken(event: SourceEvent, now: string): boolean {
  const { sent_at: sent, outcome_at: at, outcome_at_is: is, recipient_email: address, metadata } = event;
  const isInRange = (time: string | undefined) =>
    time === undefined ||
    (Date.parse(time) >= EARLIEST_MS && Date.parse(time) <= Date.parse(now) + MAX_AHEAD_MS);
  const isEarly = sent !== undefined && at !== undefined && is !== 'not_before' && isBefore(at, sent);
  const isMailed = address === undefined || parseEmailAddress(address) !== undefined;
  const isStored = Object.values({ ...event, ...metadata }).every(
    (value) => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0')),
  );
  return isInRange(sent) && isInRange(at) && !isEarly && isMailed && isStored;
}

/** Of a record that the profile skips none holds: the conditions of facts are written for the others. */
function factIn(route: Route | undefined, record: SourceRecord, told: Told): FactMapping | undefined {
  if (route?.skip?.some(({ when }) => holds(when, record))) return undefined;
  return route?.facts?.find(
    ({ tells, when }) => tells === told && (when === undefined || holds(when, record)),
  );
}

interface OptOut {
  /** One of somebody who had opted out before is news. */
  readonly isComplaint: boolean;
}

function optOutIn(route: Route | undefined, record: SourceRecord, isRead: boolean): OptOut | undefined {
  const fact = factIn(route, record, 'unsubscribed');
  const labelled = isRead ? {} : labelledIn(route, record);
  if (!fact && !flagsOptOut(record) && !tellsOptOut(labelled)) return undefined;
  return { isComplaint: fact?.as === 'complaint' || flagsComplaint(record) || tellsComplaint(labelled) };
}

/** Columns of contacts are the customer's own and may say anything: labels are those that the profile looks at. */
function labelledIn(route: Route | undefined, record: SourceRecord): SourceRecord {
  if (route?.grain !== 'contact') return record;
  return Object.fromEntries(pathsAskedBy(route).map((path) => [nameOfPath(path), readPath(record, path)]));
}

function optOutOf(
  { tool }: SourceProfile,
  [recipientId, address]: readonly [recipientId: string, address: string | undefined],
  { isComplaint }: OptOut,
  at: string,
): MappedEvent {
  return {
    event: {
      ...atRecipient(tool, recipientId, address),
      ...toldIn('unsubscribed'),
      ...{ outcome_at: at, outcome_at_is: 'not_after' },
      ...(isComplaint && { metadata: metadataOf('complaint') }),
    },
    identity: JSON.stringify([isComplaint ? 'complaint' : 'opt-out', recipientId]),
  };
}

interface Bounce {
  /** What tells it from another bounce of the same recipient, which counts as well: a reply may come between them. */
  readonly name: string | number;
  readonly happened: Happened;
  readonly as: FactMapping['as'];
}

/** The time of its own counts where it can be read and is not ahead, so that a later reply lifts it as it should. */
function bounceIn(
  route: Route,
  fact: FactMapping,
  record: SourceRecord,
  context: MapContext,
  at: string,
): Bounce {
  const read = (value: Value | undefined) =>
    readable(() => (value ? readValue(value, record, context)?.toString() : undefined));
  const sentAt = route.message?.sent_at;
  const sent = sentAt && readable(() => readMoment(sentAt, record, context));
  const own = readable(() => timeOf(fact, { sent }, record, { ...context, observedUntil: undefined }));
  const received = { iso: at, epochMs: Date.parse(at) };
  const isKnown = own && own.time.epochMs >= EARLIEST_MS && own.time.epochMs <= received.epochMs;
  return {
    name:
      read(route.event_id) ??
      read(route.message?.ref) ??
      own?.time.epochMs ??
      digestOf(JSON.stringify(record)),
    happened: isKnown ? own : { time: received, is: 'not_after' },
    as: fact.as,
  };
}

/** An address that mails come back from is one: who is named by an id besides is nobody else. */
function bouncesOf({ tool }: SourceProfile, people: People, { name, happened, as }: Bounce): MappedEvent[] {
  const all = [...people];
  const addressed = all.filter(([, address]) => address !== undefined);
  const { time, is } = happened;
  return (addressed.length > 0 ? addressed : all).map(([recipientId, address]) => ({
    event: {
      ...atRecipient(tool, recipientId, address),
      ...toldIn('bounced'),
      ...{ outcome_at: time.iso, ...(is !== 'exact' && { outcome_at_is: is }) },
      ...(as && { metadata: metadataOf(as) }),
    },
    identity: JSON.stringify(['bounce', recipientId, name]),
  }));
}

/**
 * About a message that does not exist: it blocks and waits, and makes none. An address that no mail can be sent to the
 * contract does not take; it says no more than the id that was made of it.
 */
function atRecipient(tool: string, recipientId: string, address: string | undefined) {
  const isMailed = address !== undefined && parseEmailAddress(address) !== undefined;
  return {
    channel: 'email',
    recipient_id: recipientId,
    ...(isMailed && { recipient_email: address }),
    sequence_step: 0,
    message_ref: referenceOfRecipient(tool, recipientId),
  };
}
