import type { MessageMapping, Route, Told, Value } from '../profile';
import { readable, unreadable } from './fault';
import type { MapContext } from './map-record';
import type { SourceRecord } from './read-path';
import type { ReadTime } from './read-time';
import { columnOf, readMoment, readValue } from './read-value';
import { recipientIdOf } from './recipient-id';
import { hashInHeldAddress } from './reduced-record';
import { bounded, MAX_NAME, referenceOf, referenceOfRecipient } from './reference';
import { sticks, type SourceEvent } from './source-event';

type About = Omit<SourceEvent, 'sequence_step'>;
type Place = Pick<SourceEvent, 'sequence_step' | 'sent_at' | 'message_ref' | 'thread_id'>;

/** The message that a record is about, as far as the record says. */
export interface RecordedMessage {
  /** What every event about it carries. */
  readonly about: About;
  readonly sent: ReadTime | undefined;
  /** A thread and whom it is with; undefined where messages are not counted. */
  readonly conversation: string | undefined;
  /**
   * What names the message in an event.
   * @param atMs - when the event happened
   * @returns undefined where there is no such message, and the event tells of nothing that sticks
   * @throws UnreadableValue where the record should say which it is and does not
   */
  placeOf(tells: Told, atMs: number): Place | undefined;
}

/** Of the contract, in characters. */
const MAX_SUBJECT = 1_000;

/** @throws UnreadableValue */
export function readMessage(route: Route, record: SourceRecord, context: MapContext): RecordedMessage {
  const mapping = route.message ?? { joins: 'ref' };
  const text = (value: Value | undefined) =>
    value === undefined ? undefined : readValue(value, record, context)?.toString();
  const { recipientId, address } = recipientOf(mapping, text, context);
  const campaign = campaignOf(route, mapping, text, context);
  const variant = text(mapping.variant);
  const isLast = route.grain === 'contact' && context.lastMessage;
  const sentAt = isLast ? route.last_message?.sent_at : mapping.sent_at;
  const stepValue = isLast ? route.last_message?.step : mapping.step;
  const sent = sentAt && readMoment(sentAt, record, context);
  const ref = text(mapping.ref);
  const thread =
    mapping.joins === 'conversation' ? bounded(text(mapping.conversation) ?? recipientId) : undefined;
  // Whoever else answers in a thread was not written to, and answers nothing that was sent to others.
  const conversation = thread === undefined ? undefined : `${recipientId} ${thread}`;
  const step = () =>
    stepValue === undefined ? undefined : (readValue(stepValue, record, context) as number | undefined);
  const about: About = {
    channel: text(mapping.channel) ?? 'email',
    recipient_id: recipientId,
    ...present('recipient_email', address),
    ...present('recipient_position', cut(text(mapping.position), MAX_NAME)),
    ...present('industry', cut(text(mapping.industry), MAX_NAME)),
    ...present('subject', cut(text(mapping.subject), MAX_SUBJECT)),
    ...((campaign !== undefined || variant !== undefined) && {
      metadata: { ...present('campaign_id', campaign), ...present('variant', variant) },
    }),
  };
  /** Sticks to the recipient, and waits: an opt-out without its message never makes one. */
  const atRecipient = (): Place => ({
    sequence_step: 0,
    message_ref: referenceOfRecipient(context.tool, recipientId),
  });

  const placeOf = (tells: Told, atMs: number): Place | undefined => {
    if (mapping.joins === 'conversation') {
      const place = context.history?.newestBy(conversation ?? '', atMs);
      if (!place) return sticks(tells) ? atRecipient() : undefined;
      return {
        sequence_step: Math.min(place.step, MAX_STEP),
        sent_at: sent?.epochMs === place.sentMs ? sent.iso : new Date(place.sentMs).toISOString(),
        thread_id: thread ?? recipientId,
      };
    }
    if (route.grain === 'contact' && !(isLast && sent)) return sticks(tells) ? atRecipient() : undefined;
    const number = sticks(tells) ? readable(step) : step();
    const isNamed = mapping.joins === 'ref' && ref !== undefined && tells !== 'sent';
    if (number === undefined && isNamed && (sticks(tells) || !sent)) {
      return { sequence_step: 0, message_ref: referenceOf(context.tool, ref) };
    }
    if (number === undefined && sticks(tells)) return atRecipient();
    if (number === undefined) throw missing(stepValue, 'step');
    const sequenceStep = number;
    const named = {
      sequence_step: sequenceStep,
      ...present('sent_at', sent?.iso),
    };
    if (mapping.joins === 'ref' && route.grain !== 'contact') {
      if (ref !== undefined) return { ...named, message_ref: referenceOf(context.tool, ref) };
      if (campaign === undefined) throw missing(mapping.ref, 'ref');
      // Some dialects of a tool leave its id of the mail out, in every event alike.
    }
    if (campaign === undefined) {
      // Steps of two campaigns to one person would be one message, and none that webhooks tell of.
      if (sticks(tells)) return atRecipient();
      throw unreadable('CAMPAIGN_NEEDED', 'campaign');
    }
    return {
      ...named,
      message_ref: referenceOf(context.tool, campaign, String(sequenceStep), recipientId),
    };
  };
  return { about, sent, conversation, placeOf };
}

/** Of the contract; a longer conversation goes on at its last place. */
const MAX_STEP = 50;

type ReadText = (value: Value | undefined) => string | undefined;

function recipientOf(mapping: MessageMapping, text: ReadText, { tool, isReduced = false }: MapContext) {
  const address = text(mapping.email);
  if (address !== undefined) {
    const hash = isReduced ? hashInHeldAddress(address) : undefined;
    return { recipientId: hash === undefined ? recipientIdOf(address) : `em_${hash}`, address };
  }
  const id = text(mapping.recipient);
  if (id === undefined) throw missing(mapping.email ?? mapping.recipient, 'email');
  return { recipientId: bounded(`${tool}:${id}`), address: undefined };
}

function campaignOf(
  { grain }: Route,
  mapping: MessageMapping,
  text: ReadText,
  { tool, campaign: given }: MapContext,
): string | undefined {
  const id = given ?? text(mapping.campaign);
  if (id !== undefined) return id.startsWith(`${tool}:`) ? id : `${tool}:${id}`;
  if (grain === 'contact' || mapping.joins === 'conversation') return undefined;
  if (mapping.campaign === undefined) throw unreadable('CAMPAIGN_NEEDED', 'campaign');
  if (mapping.joins === 'step') throw missing(mapping.campaign, 'campaign');
  return undefined;
}

/** By characters, so that none is halved. */
function cut(text: string | undefined, max: number): string | undefined {
  return text === undefined || text.length <= max ? text : [...text].slice(0, max).join('');
}

function missing(value: Value | undefined, name: string) {
  return unreadable('MISSING_VALUE', value === undefined ? name : columnOf(value));
}

function present<Key extends string, Found>(key: Key, value: Found | undefined): { [K in Key]?: Found } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Found });
}
