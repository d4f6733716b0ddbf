// @ts-check
import { randomUUID } from 'node:crypto';

const words =
  'we help teams like yours book more meetings without adding work would next week suit you'.split(' ');
const titles = ['VP Sales', 'Head of Marketing', 'Chief Executive Officer', 'Portfolio Manager'];
const day = 86_400_000;

/** @param {number} seed @param {number} count */
function sentence(seed, count) {
  return Array.from(
    { length: count },
    (_, at) => words[(seed * 7 + at * (1 + (seed % 5))) % words.length],
  ).join(' ');
}

/** An event as senders report it: every common field, and a body excerpt. About 620 bytes. @param {number} at */
export function typicalEvent(at) {
  const sent = Date.now() - (1 + (at % 60)) * day;
  return {
    event_id: randomUUID(),
    channel: 'email',
    sequence_step: at % 4,
    recipient_id: `recipient-${at % 5_000}`,
    recipient_email: `person.${at % 5_000}@example${at % 300}.com`,
    recipient_position: titles[at % titles.length],
    thread_id: `thread-${at % 5_000}`,
    sent_at: new Date(sent).toISOString(),
    outcome_at: new Date(sent + day / 2).toISOString(),
    outcome: at % 9 === 0 ? 'responded' : 'no_response',
    tone: 'conversational',
    word_count: 60 + (at % 80),
    subject: sentence(at, 6),
    body_excerpt: sentence(at, 23),
    industry: 'Software',
    metadata: { campaign_id: `campaign-${at % 12}`, variant: 'b', opened: at % 2 === 0 },
  };
}

/** @param {number} size @param {number} [from] @returns {Buffer} A request of typical events. */
export function typicalBatch(size, from = 0) {
  return json({ events: Array.from({ length: size }, (_, at) => typicalEvent(from + at)) });
}

/** @param {number} at @returns {Buffer} A request of one event without a wrapper. */
export function singleEvent(at) {
  return json(typicalEvent(at));
}

/** @returns {Buffer} The largest legal request in ASCII: 500 events of a whole body and the largest metadata. */
export function maximalBatch() {
  const events = Array.from({ length: 500 }, (_, at) => ({
    ...typicalEvent(at),
    body: 'Hello there. '.repeat(769),
    // 1,000 values in 2,048 bytes: as much work as metadata can make.
    metadata: { campaign_id: 'c', values: Array.from({ length: 1_000 }, () => at % 10) },
  }));
  return json({ events });
}

/** @returns {Buffer} 500 legal events, nearly eight mebibytes, whose bodies are line breaks: an escape in every other byte. */
export function escapedBatch() {
  return json({
    events: Array.from({ length: 500 }, (_, at) => ({ ...typicalEvent(at), body: '\n'.repeat(7_800) })),
  });
}

/** Bodies that no client has a reason to send; each has eight mebibytes or nearly so. @returns {[string, Buffer][]} */
export function hostileBodies() {
  const size = 8 * 1024 * 1024 - 64;
  const inEvents = (/** @type {string} */ inner) => Buffer.from(`{"events":[${inner}]}`);
  /** @type {string[]} */
  const keys = [];
  for (let at = 0, length = 0; length < size - 16; at += 1) {
    const key = `"k${at.toString(36)}":1`;
    keys.push(key);
    length += key.length + 1;
  }
  return [
    ['4 M integers', inEvents(`${'1,'.repeat(size / 2 - 1)}1`)],
    ['4 M integers as metadata', inEvents(`{"metadata":{"a":[${'1,'.repeat(size / 2 - 20)}1]}}`)],
    ['2 M strings', inEvents(`${'"",'.repeat(size / 3 - 1)}""`)],
    ['8 M brackets', Buffer.from('['.repeat(size))],
    ['2 M lists', inEvents(`${'[],'.repeat(size / 3 - 1)}[]`)],
    ['distinct keys', inEvents(`{${keys.join(',')}}`)],
    ['8 M spaces', Buffer.from(' '.repeat(size))],
    ['escapes', inEvents(`"${'\\u0041'.repeat(size / 6 - 4)}"`)],
    ['long numbers', inEvents(`${`${'9'.repeat(1_000)},`.repeat(size / 1_001 - 2)}1`)],
  ];
}

/** @param {unknown} value */
function json(value) {
  return Buffer.from(JSON.stringify(value));
}
