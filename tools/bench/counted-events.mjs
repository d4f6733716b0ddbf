// @ts-check
// Events of a company as they are worth counting: several send days, both channels, steps 0 to 3, subjects and whole
// bodies, addresses, replies, bounces and unsubscriptions, and messages of which a second event tells later.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';

const require = createRequire(join(root, 'libs/analysis/package.json'));
/** @type {any} */
const { generateCompany } = require('@outcomes/statistics/testing');

const dayMs = 86_400_000;
const days = 20;
/** Share of the messages that have two events, some of which are cut off. */
const twice = 0.28;
const eventsPerMessage = 1.25;
const texts = ['subject', 'body', 'body_excerpt', 'tone', 'word_count'];
/** The generator draws how many it sends. */
const spare = 1.15;

/**
 * Messages of a company with what became of them, in order of sending.
 * @param {{ count: number, days: number, seed: number }} plan
 * @returns {any[]} A few more than `count`.
 */
function drawMessages({ count, days, seed }) {
  const startDay = Math.floor(Date.now() / dayMs) - days - 5;
  const sendsPerDay = Math.ceil((count / days) * spare);
  const rates = { baseRate: 0.08, bounceRate: 0.025, unsubscribeRate: 0.01 };
  return generateCompany(
    { days, startDay, sendsPerDay, campaigns: 40, bodyShare: 0.85, ...rates },
    seed,
  ).events.map((/** @type {any} */ event) => withAddress(event, chanceOf(event.recipient_id)));
}

/**
 * Messages of 90 days as a sending tool exports them: one row each, with its subject and the beginning of its text.
 * @param {{ count: number, seed: number }} plan
 * @returns {Record<string, any>[]} In the wire form, in order of sending.
 */
export function historyOf({ count, seed }) {
  const history = drawMessages({ count, days: 90, seed });
  return exactly(count, history).map((event) => without(event, ['body']));
}

/**
 * Exactly `count` events in the wire form, in the order in which a sender reports them: an outcome when it is known,
 * which is one or three weeks after sending where nothing came, so that a batch is about messages of many days.
 * @param {{ count: number, seed: number }} plan
 * @returns {Record<string, any>[]}
 */
export function countedEvents({ count, seed }) {
  const messages = drawMessages({ count: count / eventsPerMessage, days, seed });
  /** @type {{ at: number, event: Record<string, any> }[]} */
  const reported = [];
  for (const message of messages) {
    const chance = chanceOf(message.event_id);
    const [sent, over] = [Date.parse(message.sent_at), Date.parse(message.outcome_at)];
    if (chance >= twice) reported.push({ at: over, event: message });
    else {
      const silent = { outcome: 'no_response', outcome_at: message.sent_at };
      const metadata = { ...message.metadata, opened: false, meeting_booked: false };
      reported.push({
        at: sent,
        event: { ...message, ...silent, metadata, event_id: idOf(message.event_id) },
      });
      // Half of those who report twice send the texts again.
      reported.push({ at: over, event: chance < twice / 2 ? without(message, texts) : message });
    }
  }
  reported.sort((a, b) => a.at - b.at || (a.event['event_id'] < b.event['event_id'] ? -1 : 1));
  return exactly(
    count,
    reported.map(({ event }) => event),
  );
}

/** @param {number} count @param {any[]} events */
function exactly(count, events) {
  if (events.length < count) throw new RangeError(`only ${events.length} events were drawn of ${count}`);
  return events.slice(0, count);
}

/**
 * One in ten recipients has no known address, and nobody shares one: then a reply closes the message that it answers.
 * @param {Record<string, any>} event
 * @param {number} chance
 */
function withAddress({ recipient_email, ...event }, chance) {
  if (chance < 0.1) return event;
  return { ...event, recipient_email: recipient_email.replace('@', `.${event['recipient_id']}@`) };
}

/** @param {Record<string, any>} event @param {readonly string[]} names */
function without(event, names) {
  return Object.fromEntries(Object.entries(event).filter(([name]) => !names.includes(name)));
}

/** @param {string} id @returns {number} From 0 up to 1, always the same for the same id. */
function chanceOf(id) {
  return createHash('md5').update(id).digest().readUInt32BE(0) / 2 ** 32;
}

/** @param {string} id @returns {string} Another id, always the same for the same one. */
function idOf(id) {
  const hex = createHash('md5').update(id).digest('hex');
  return [8, 12, 16, 20, 32].map((end, part, ends) => hex.slice(ends[part - 1] ?? 0, end)).join('-');
}
