import { hash } from 'node:crypto';
import {
  CHANNELS,
  EVENT_KINDS,
  STORED_MEANINGS,
  TONES,
  type Channel,
  type EventKind,
  type StoredMeaning,
} from '@outcomes/contracts';
import { contactOf } from '@outcomes/persistence';
import type { CheckedEvent } from '../validation/event-rules';
import type { OutcomeEvent } from '../validation/outcome-event';
import type { NameBasedUuids } from './name-based-uuid';

/** One row of outcome_events. Enumerations are indexes into the lists of libs/contracts. */
export interface EventRecord {
  readonly eventId: string;
  /** The message: null as long as it has not been found, which is where sentAtMs is null. */
  readonly touchId: string | null;
  readonly channel: number;
  readonly sequenceStep: number;
  /** Index into EVENT_KINDS. */
  readonly outcome: number;
  /** Index into STORED_MEANINGS. */
  readonly outcomeAtIs: number;
  readonly tone: number | null;
  /** Of sent_at where that has a time, or else of outcome_at: minutes east of UTC; null for Z. */
  readonly sentOffsetMinutes: number | null;
  readonly sentHasTime: boolean;
  readonly wordCount: number | null;
  readonly sentAtMs: number | null;
  readonly outcomeAtMs: number;
  readonly recipientId: string;
  readonly threadId: string;
  /** 16 bytes that stand for the sending tool's id of the message. */
  readonly messageRef: Buffer | null;
  readonly campaignId: string | null;
  readonly recipientHash: string | null;
  /** Of an answer that names no address and whose recipientId is one, or was made of one: hash of that. */
  readonly idAddressHash: string | null;
  readonly emailDomain: string | null;
  readonly recipientPosition: string | null;
  readonly subject: string | null;
  readonly bodyExcerpt: string | null;
  readonly body: string | null;
  readonly industry: string | null;
  readonly metadata: string | null;
  /** The receiver that it came by; null for what callers send themselves. */
  readonly sourceId: string | null;
}

const CHANNEL_INDEX = indexOf(CHANNELS);
const KIND_INDEX = indexOf(EVENT_KINDS);
const MEANING_INDEX = indexOf(STORED_MEANINGS);
const TONE_INDEX = indexOf(TONES);

/**
 * What is stored of an event. The e-mail address itself is not: its hash and its domain are. Nor is message_ref.
 * @param uuids - of the company that the event belongs to
 * @param sourceId - the receiver that it came by
 */
export function recordOf(
  checked: CheckedEvent,
  uuids: NameBasedUuids,
  sourceId: string | null = null,
): EventRecord {
  const { event, sent, happened, email, metadata } = checked;
  const campaignId = campaignOf(event.metadata);
  const threadId = event.thread_id ?? threadOf(uuids, event.recipient_id, campaignId);
  const sequence = [event.recipient_id, event.channel, threadId, event.sequence_step] as const;
  const messageRef = event.message_ref === undefined ? null : referenceOf(event.message_ref);
  return {
    eventId: event.event_id?.toLowerCase() ?? uuids.of(eventName(sequence, checked, messageRef)),
    touchId: sent ? touchIdOf(uuids, ...sequence, sent.epochMs) : null,
    channel: CHANNEL_INDEX[event.channel],
    sequenceStep: event.sequence_step,
    outcome: KIND_INDEX[kindHeld(event)],
    outcomeAtIs: MEANING_INDEX[meaningHeld(checked)],
    tone: event.tone === undefined ? null : TONE_INDEX[event.tone],
    sentOffsetMinutes: (sent?.hasTime ? sent : happened).offsetMinutes,
    sentHasTime: sent?.hasTime ?? false,
    wordCount: event.word_count ?? null,
    sentAtMs: sent?.epochMs ?? null,
    outcomeAtMs: happened.epochMs,
    recipientId: event.recipient_id,
    threadId,
    messageRef,
    campaignId,
    recipientHash: email ? hashOfAddress(email.address) : null,
    idAddressHash: email ? null : addressInId(event.recipient_id, KIND_INDEX[kindHeld(event)]),
    emailDomain: email?.domain ?? null,
    recipientPosition: event.recipient_position ?? null,
    subject: event.subject ?? null,
    bodyExcerpt: event.body_excerpt ?? null,
    body: event.body ?? null,
    industry: event.industry ?? null,
    metadata: metadata ?? null,
    sourceId,
  };
}

type Sequence = readonly [recipientId: string, channel: Channel, threadId: string, step: number];

/**
 * What the id of an event without one is derived from. An outcome of a message that is named by sent_at has the name that
 * it had before there were facts, so that what was sent then counts once with what is sent now.
 */
function eventName(
  sequence: Sequence,
  { event, sent, happened }: CheckedEvent,
  messageRef: Buffer | null,
): string {
  // Not the bounce that may follow with the same times: it would be refused as another event of the same id.
  const kind = isSoftBounce(event) ? 'soft_bounce' : kindOf(event);
  const first = ['event', ...sequence, sent?.epochMs ?? null, kind, happened.epochMs] as const;
  const meaning = event.outcome_at_is ?? 'exact';
  if (event.outcome !== undefined && sent && messageRef === null && meaning === 'exact')
    return nameOf(...first);
  return nameOf(...first, meaning, messageRef?.toString('hex') ?? null);
}

/** A date alone keeps that it is one; a bound is a bound, whether of a day or of a moment. */
function meaningHeld({ event, happened }: CheckedEvent): StoredMeaning {
  const meaning = event.outcome_at_is ?? 'exact';
  return meaning === 'exact' && !happened.hasTime ? 'that_day' : meaning;
}

/** An event that was accepted has one of the two. */
function kindOf({ fact, outcome }: OutcomeEvent): EventKind {
  return (fact ?? outcome) as EventKind;
}

/**
 * A bounce that the sender tries again says that nobody has answered yet and nothing else: it is stored as silence up to
 * then, and suppresses nobody. Whatever is not exactly called soft is a bounce.
 */
function isSoftBounce({ outcome, metadata }: OutcomeEvent): boolean {
  return outcome === 'bounced' && metadata?.bounce === 'soft';
}

const kindHeld = (event: OutcomeEvent): EventKind => (isSoftBounce(event) ? 'no_response' : kindOf(event));

const ANSWERS = [KIND_INDEX.responded, KIND_INDEX.bounced, KIND_INDEX.unsubscribed];

/**
 * Whoever answers under an e-mail address as id answers for that address, under whatever id it is written to.
 * @param kind - index into EVENT_KINDS
 * @returns hash of the address; null where the id names none, or the event is no answer
 */
export function addressInId(recipientId: string, kind: number): string | null {
  return ANSWERS.includes(kind) ? contactOf(recipientId).addressHash : null;
}

const REFERENCE_BYTES = 16;

/** Tools that are connected by themselves have names; what callers send has none. */
const NO_SOURCE = '';

/** What is kept of the sending tool's id of a message: the first 16 bytes of a SHA-256 over source and id. */
function referenceOf(messageRef: string): Buffer {
  return hash('sha256', JSON.stringify([NO_SOURCE, messageRef]), 'buffer').subarray(0, REFERENCE_BYTES);
}

/**
 * Privacy-preserving id of an address: the first 16 hex characters of its SHA-256.
 * @param address - trimmed and in lower case
 */
export function hashOfAddress(address: string): string {
  return hash('sha256', address).slice(0, 16);
}

/** The thread of an event that names none. */
export function threadOf(uuids: NameBasedUuids, recipientId: string, campaignId: string | null): string {
  return uuids.of(nameOf('thread', recipientId, campaignId));
}

/**
 * The message that an event is about: two messages are never one, however alike, if they were sent a second apart.
 * @param channel - by its name
 * @param sentAtMs - milliseconds since 1970
 */
export function touchIdOf(
  uuids: NameBasedUuids,
  recipientId: string,
  channel: Channel,
  threadId: string,
  sequenceStep: number,
  sentAtMs: number,
): string {
  return uuids.of(
    nameOf('touch', recipientId, channel, threadId, sequenceStep, Math.floor(sentAtMs / 1_000)),
  );
}

/** The campaign that an event names in its metadata: campaign_id, else sequence_id; text or a number. */
function campaignOf(metadata: OutcomeEvent['metadata']): string | null {
  return nameIn(metadata?.campaign_id) ?? nameIn(metadata?.sequence_id) ?? null;
}

function nameIn(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** JSON, so that no two lists of parts read alike. */
function nameOf(...parts: readonly (string | number | null)[]): string {
  return JSON.stringify(parts);
}

function indexOf<Value extends string>(values: readonly Value[]): Readonly<Record<Value, number>> {
  return Object.fromEntries(values.map((value, index) => [value, index])) as Record<Value, number>;
}
