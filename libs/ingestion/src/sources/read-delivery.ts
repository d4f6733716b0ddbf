import {
  detectByRecord,
  hashInHeldAddress,
  mapRecord,
  reduceRecord,
  stickingBeside,
} from '@outcomes/source-profiles';
import type { MapContext, MappedEvent, SourceRecord } from '@outcomes/source-profiles';
import { recordOf, type EventRecord } from '../identity/event-record';
import type { NameBasedUuids } from '../identity/name-based-uuid';
import { checkEvent } from '../validation/event-rules';
import type { FieldFault } from '../validation/field-fault';
import type { Source } from './source';

/** A record that could not be made an event, with nothing in it but what a profile reads. */
export interface HeldRecord {
  readonly heldId: string;
  readonly reason: string;
  /** Everybody who is named in it, as events name them. */
  readonly recipientIds: readonly string[];
  readonly fields: SourceRecord;
}

/** What records of a delivery amount to. */
export interface ReadDelivery {
  /** Opt-outs and bounces of records that are held or ignored stand here too: they wait for nothing. */
  readonly events: readonly EventRecord[];
  readonly held: readonly HeldRecord[];
  /** Records that are no news about a message. */
  readonly ignored: number;
  /** Events that the contract does not take, by the place of their record. */
  readonly errors: readonly (FieldFault & { readonly index: number })[];
  readonly rejected: number;
  /** The type that each record names. */
  readonly types: readonly string[];
}

/** What is said of one record. */
type DeliveryVerdict =
  | { readonly events: readonly EventRecord[] }
  | { readonly ignored: true }
  | { readonly reason: string; readonly faults?: readonly FieldFault[] };

/** Digits of the hash of an address that events carry. */
const ADDRESS_DIGITS = 16;
const MAX_TYPE = 60;
/** Of a record in which nothing names a type. */
const NO_TYPE = 'unnamed';

/**
 * Makes events of the records of a delivery. What cannot be made one is held: a later profile, a step table or a setting
 * may read it.
 * @param nowMs - time of receipt, milliseconds since 1970
 */
export function readDelivery(
  source: Source,
  records: readonly SourceRecord[],
  uuids: NameBasedUuids,
  nowMs: number,
): ReadDelivery {
  const events: EventRecord[] = [];
  const held: HeldRecord[] = [];
  const errors: (FieldFault & { index: number })[] = [];
  let [ignored, rejected] = [0, 0];
  const types = records.map((record, index) => {
    const { verdict, type } = readRecord(source, record, uuids, nowMs, false);
    events.push(...('events' in verdict ? verdict.events : stickingOf(source, record, uuids, nowMs)));
    if ('events' in verdict) return type;
    if ('ignored' in verdict) ignored += 1;
    else {
      held.push(heldOf(source, record, verdict.reason, uuids));
      if (verdict.faults) rejected += 1;
      for (const fault of verdict.faults ?? []) errors.push({ index, ...fault });
    }
    return type;
  });
  return { events: onceEach(events), held, ignored, errors, rejected, types };
}

/** An opt-out or a bounce takes effect at once, whatever cannot be read beside it. */
function stickingOf(
  source: Source,
  record: SourceRecord,
  uuids: NameBasedUuids,
  nowMs: number,
): readonly EventRecord[] {
  const { profile } = source;
  const detected = detectByRecord([profile], record);
  const route = 'found' in detected ? detected.found.route : undefined;
  const at = new Date(nowMs).toISOString();
  return stickingBeside(profile, route, record, [], contextOf(source), at).flatMap((made) => {
    const { checked } = checkEvent(wireEvent(source, made, uuids), nowMs);
    return checked ? [recordOf(checked, uuids, source.sourceId)] : [];
  });
}

function contextOf({ profile, campaign, timeZone, steps }: Source, isReduced = false): MapContext {
  return { tool: profile.tool, campaign, timeZone, steps, isReduced };
}

/** The same for one record that was held. @returns undefined where it still cannot be read */
export function readHeld(
  source: Source,
  fields: SourceRecord,
  uuids: NameBasedUuids,
  nowMs: number,
): readonly EventRecord[] | undefined {
  const { verdict } = readRecord(source, fields, uuids, nowMs, true);
  if ('events' in verdict) return verdict.events;
  return 'ignored' in verdict ? [] : undefined;
}

function readRecord(
  source: Source,
  record: SourceRecord,
  uuids: NameBasedUuids,
  nowMs: number,
  isReduced: boolean,
): { readonly verdict: DeliveryVerdict; readonly type: string } {
  const { profile } = source;
  const detected = detectByRecord([profile], record);
  if (!('found' in detected)) return { verdict: { reason: 'no_route' }, type: NO_TYPE };
  const { route } = detected.found;
  const type = typeOf(route.type && 'path' in route.type ? route.type.path : undefined, record);
  const context = contextOf(source, isReduced);
  const mapped = mapRecord(route, record, context);
  if ('faults' in mapped) return { verdict: { reason: mapped.faults[0]?.code ?? 'fault' }, type };
  if ('skipped' in mapped) {
    const isUnknown = mapped.skipped === 'unknown_type';
    return { verdict: isUnknown ? { reason: 'unknown_type' } : { ignored: true }, type };
  }
  const events: EventRecord[] = [];
  const at = new Date(nowMs).toISOString();
  const sticking = stickingBeside(profile, route, record, mapped.events, context, at);
  for (const made of [...mapped.events, ...sticking]) {
    const { checked, faults } = checkEvent(wireEvent(source, made, uuids), nowMs);
    if (!checked) return { verdict: { reason: faults[0]?.code ?? 'refused', faults }, type };
    const stored = recordOf(checked, uuids, source.sourceId);
    events.push(named(stored, checked.event.recipient_email, isReduced));
  }
  return { verdict: { events }, type };
}

/** A second delivery of the same is the same event, whatever else it says. */
function wireEvent({ sourceId }: Source, { event, identity }: MappedEvent, uuids: NameBasedUuids): object {
  return { ...event, event_id: uuids.of(JSON.stringify(['source', sourceId, identity])) };
}

/** What was held has a hash in place of the address: the same that is stored of the address itself. */
function named(record: EventRecord, address: string | undefined, isReduced: boolean): EventRecord {
  const hash = isReduced && address !== undefined ? hashInHeldAddress(address) : undefined;
  if (hash === undefined) return record;
  return { ...record, recipientHash: hash.slice(0, ADDRESS_DIGITS), idAddressHash: null };
}

function heldOf(source: Source, record: SourceRecord, reason: string, uuids: NameBasedUuids): HeldRecord {
  const { fields, recipientIds } = reduceRecord(source.profile, record);
  return {
    heldId: uuids.of(JSON.stringify(['held', source.sourceId, fields])),
    reason,
    recipientIds: [...recipientIds, ...ownIdsOf(source, fields)],
    fields,
  };
}

/** Recipients that the tool knows by an id of its own. */
function ownIdsOf({ profile }: Source, fields: SourceRecord): string[] {
  const detected = detectByRecord([profile], fields);
  const value = 'found' in detected ? detected.found.route.message?.recipient : undefined;
  const values = value?.op === 'first' ? value.of : value ? [value] : [];
  return values.flatMap((one) => {
    const found = 'path' in one ? textAtPath(fields, one.path) : undefined;
    return found === undefined ? [] : [`${profile.tool}:${found}`];
  });
}

function typeOf(path: string | readonly string[] | undefined, record: SourceRecord): string {
  const text = path === undefined ? undefined : textAtPath(record, path);
  // A label that somebody chose may name a person.
  if (text === undefined || text.includes('@')) return NO_TYPE;
  return text.slice(0, MAX_TYPE).toWellFormed().replaceAll('\0', '');
}

function textAtPath(record: SourceRecord, path: string | readonly string[]): string | undefined {
  let found: unknown = record;
  for (const key of typeof path === 'string' ? [path] : path)
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? Reflect.get(found, key)
        : undefined;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

/** The same may be told twice: what was told first stands. */
export function onceEach(events: readonly EventRecord[]): EventRecord[] {
  return [...new Map(events.toReversed().map((event) => [event.eventId, event])).values()];
}
