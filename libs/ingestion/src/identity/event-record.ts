import { hash } from 'node:crypto';
import { CHANNELS, OUTCOMES, TONES, type Channel } from '@outcomes/contracts';
import type { CheckedEvent } from '../validation/event-rules';
import type { OutcomeEvent } from '../validation/outcome-event';
import type { NameBasedUuids } from './name-based-uuid';

/** One row of outcome_events. Enumerations are indexes into the lists of libs/contracts. */
export interface EventRecord {
  readonly eventId: string;
  readonly touchId: string;
  readonly channel: number;
  readonly sequenceStep: number;
  readonly outcome: number;
  readonly tone: number | null;
  readonly sentOffsetMinutes: number | null;
  readonly sentHasTime: boolean;
  readonly wordCount: number | null;
  readonly sentAtMs: number;
  readonly outcomeAtMs: number;
  readonly recipientId: string;
  readonly threadId: string;
  readonly campaignId: string | null;
  readonly recipientHash: string | null;
  readonly emailDomain: string | null;
  readonly recipientPosition: string | null;
  readonly subject: string | null;
  readonly bodyExcerpt: string | null;
  readonly body: string | null;
  readonly industry: string | null;
  readonly metadata: string | null;
}

const CHANNEL_INDEX = indexOf(CHANNELS);
const OUTCOME_INDEX = indexOf(OUTCOMES);
const TONE_INDEX = indexOf(TONES);

/**
 * What is stored of an event. The e-mail address itself is not: its hash and its domain are.
 * @param uuids - of the company that the event belongs to
 */
export function recordOf(
  { event, sent, outcome, email, metadata }: CheckedEvent,
  uuids: NameBasedUuids,
): EventRecord {
  const campaignId = campaignOf(event.metadata);
  const threadId = event.thread_id ?? threadOf(uuids, event.recipient_id, campaignId);
  const touch = [event.recipient_id, event.channel, threadId, event.sequence_step] as const;
  return {
    eventId:
      event.event_id?.toLowerCase() ??
      uuids.of(nameOf('event', ...touch, sent.epochMs, event.outcome, outcome.epochMs)),
    touchId: touchIdOf(uuids, ...touch, sent.epochMs),
    channel: CHANNEL_INDEX[event.channel],
    sequenceStep: event.sequence_step,
    outcome: OUTCOME_INDEX[event.outcome],
    tone: event.tone === undefined ? null : TONE_INDEX[event.tone],
    sentOffsetMinutes: sent.offsetMinutes,
    sentHasTime: sent.hasTime,
    wordCount: event.word_count ?? null,
    sentAtMs: sent.epochMs,
    outcomeAtMs: outcome.epochMs,
    recipientId: event.recipient_id,
    threadId,
    campaignId,
    recipientHash: email ? hashOfAddress(email.address) : null,
    emailDomain: email?.domain ?? null,
    recipientPosition: event.recipient_position ?? null,
    subject: event.subject ?? null,
    bodyExcerpt: event.body_excerpt ?? null,
    body: event.body ?? null,
    industry: event.industry ?? null,
    metadata: metadata ?? null,
  };
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
