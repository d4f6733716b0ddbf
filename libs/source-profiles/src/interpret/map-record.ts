import type { FileHistory } from '../history/file-history';
import type { FactMapping, Route } from '../profile';
import { UnreadableValue, unreadable, type RecordFault } from './fault';
import { holds } from './holds';
import { readMessage, type RecordedMessage } from './read-message';
import type { SourceRecord } from './read-path';
import { isBefore, type ReadTime } from './read-time';
import { columnOf, readMoment, readValue, type Reading } from './read-value';
import { metadataOf, sticks, toldIn, type SourceEvent } from './source-event';

/** What is known of a file or a receiver beside its records. */
export interface MapContext extends Reading {
  readonly tool: string;
  /** The tool's id of the campaign, where records do not say. */
  readonly campaign?: string | undefined;
  /** Up to when the file is complete: the bound of facts that bear no time of their own. */
  readonly observedUntil?: string | undefined;
  /** Whether records that stand for a contact tell of the last message to it. */
  readonly lastMessage?: boolean | undefined;
  /** Whether records are what `reduceRecord` left, with hashes in place of addresses. */
  readonly isReduced?: boolean | undefined;
  /** What a first reading of the file found; none for deliveries, each of which stands for itself. */
  readonly history?: FileHistory | undefined;
}

export interface MappedEvent {
  readonly event: SourceEvent;
  /**
   * What makes two deliveries of it one, whatever else they say: the tool's own id of it where it has one, else what it
   * tells of whom and when. Opened and clicked are told once a message.
   */
  readonly identity: string;
}

export type Mapped =
  | { readonly events: readonly MappedEvent[] }
  /** Why nothing is told: not_sent, unknown_type, or a word of the profile. */
  | { readonly skipped: string }
  | { readonly faults: readonly RecordFault[] };

/**
 * Makes events of a record.
 * @param row - position of the record in its file, or 0
 */
export function mapRecord(route: Route, record: SourceRecord, context: MapContext, row = 0): Mapped {
  const skip = route.skip?.find(({ when }) => holds(when, record));
  if (skip) return { skipped: skip.as };
  try {
    const told = factsOf(route, context).filter(({ when }) => when === undefined || holds(when, record));
    if (told.length === 0) return { skipped: route.grain === 'activity' ? 'unknown_type' : 'nothing_told' };
    const message = readMessage(route, record, context);
    const id = route.event_id && readValue(route.event_id, record, context);
    const events = told.flatMap((fact) => eventOf(fact, message, record, context, row, id?.toString()));
    return events.length > 0
      ? { events }
      : { skipped: message.sent === undefined ? 'not_sent' : 'told_elsewhere' };
  } catch (error) {
    if (error instanceof UnreadableValue) return { faults: [error.fault] };
    throw error;
  }
}

const LAST_MESSAGE: FactMapping = { tells: 'sent' };

/** A row about a contact does not say which message was answered, unless the last one is asked for. */
function factsOf(
  { grain, facts = [], last_message: last }: Route,
  { lastMessage }: MapContext,
): readonly FactMapping[] {
  if (grain !== 'contact') return facts;
  return lastMessage && last ? [LAST_MESSAGE, ...facts] : facts.filter(({ tells }) => sticks(tells));
}

function eventOf(
  fact: FactMapping,
  message: RecordedMessage,
  record: SourceRecord,
  context: MapContext,
  row: number,
  id: string | undefined,
): MappedEvent[] {
  const { tells } = fact;
  const happened =
    tells === 'sent' ? sentTime(message, fact, record, context) : timeOf(fact, message, record, context);
  if (happened === undefined) return [];
  const { history } = context;
  if (fact.once && history && !history.isTold(onceKey(fact, record, context), row)) return [];
  const place = message.placeOf(tells, happened.time.epochMs);
  if (place === undefined) return [];
  const event: SourceEvent = {
    ...message.about,
    ...place,
    ...toldIn(tells),
    ...(fact.as && { metadata: { ...message.about.metadata, ...metadataOf(fact.as) } }),
    ...(tells === 'sent'
      ? { sent_at: happened.time.iso }
      : { outcome_at: happened.time.iso, ...(happened.is !== 'exact' && { outcome_at_is: happened.is }) }),
  };
  return [{ event, identity: identityOf(tells, event, happened.time, id) }];
}

export interface Happened {
  readonly time: ReadTime;
  readonly is: NonNullable<FactMapping['at_is']>;
}

/** @returns undefined where the message has not been sent */
function sentTime(
  message: RecordedMessage,
  fact: FactMapping,
  record: SourceRecord,
  context: MapContext,
): Happened | undefined {
  const time = (fact.at && readMoment(fact.at, record, context)) ?? message.sent;
  return time && { time, is: 'exact' };
}

/**
 * Of a fact without a time of its own a bound is told: not before its message, or not after the end of the file. So it is of
 * what sticks and bears a time from before its message: a mail that is refused while it is handed over is called sent later.
 * @throws UnreadableValue
 */
export function timeOf(
  fact: FactMapping,
  message: Pick<RecordedMessage, 'sent'>,
  record: SourceRecord,
  context: MapContext,
): Happened {
  const time = fact.at && readMoment(fact.at, record, context);
  const isEarly = time && message.sent && sticks(fact.tells) && isBefore(time.iso, message.sent.iso);
  if (time && !isEarly) return { time, is: fact.at_is ?? 'exact' };
  if (message.sent) return { time: message.sent, is: 'not_before' };
  const bound = context.observedUntil;
  if (bound === undefined)
    throw unreadable('OBSERVED_UNTIL_NEEDED', fact.at ? columnOf(fact.at) : fact.tells);
  return { time: { iso: bound, epochMs: Date.parse(bound) }, is: 'not_after' };
}

function onceKey({ tells, once = [] }: FactMapping, record: SourceRecord, context: MapContext): string {
  return JSON.stringify([tells, ...once.map((value) => readValue(value, record, context))]);
}

/** Once for every message: a second time says nothing new. */
const ONCE_A_MESSAGE: ReadonlySet<string> = new Set(['opened', 'clicked']);

function identityOf(
  tells: string,
  event: SourceEvent,
  { epochMs }: ReadTime,
  id: string | undefined,
): string {
  if (id !== undefined && !ONCE_A_MESSAGE.has(tells)) return JSON.stringify([tells, id]);
  const { channel, recipient_id, metadata, sequence_step, message_ref } = event;
  const message = [channel, recipient_id, metadata?.campaign_id ?? null, sequence_step, message_ref ?? null];
  const isBound = event.outcome_at_is !== undefined;
  return JSON.stringify([tells, ...message, ONCE_A_MESSAGE.has(tells) || isBound ? null : epochMs]);
}

/** Notes in a first reading of a file what single records cannot know of one another. */
export function noteRecord(
  route: Route,
  record: SourceRecord,
  context: MapContext & { readonly history: FileHistory },
  row: number,
): void {
  const facts = route.facts ?? [];
  if (route.message?.joins !== 'conversation' && !facts.some(({ once }) => once)) return;
  if (route.skip?.some(({ when }) => holds(when, record))) return;
  try {
    const message = readMessage(route, record, context);
    for (const fact of facts) {
      if (fact.when && !holds(fact.when, record)) continue;
      if (fact.tells === 'sent') {
        const sent = sentTime(message, fact, record, context);
        if (sent && message.conversation !== undefined) {
          context.history.noteSent(message.conversation, sent.time.epochMs);
        }
      } else if (fact.once) {
        const { time } = timeOf(fact, message, record, context);
        const key = onceKey(fact, record, context);
        context.history.noteOnce(key, row, message.sent?.epochMs ?? -Infinity, time.epochMs);
      }
    }
  } catch (error) {
    // The second reading says what is wrong with it.
    if (!(error instanceof UnreadableValue)) throw error;
  }
}
