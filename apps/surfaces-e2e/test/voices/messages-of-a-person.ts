import { DAY_MS, type Outcome } from '@outcomes/contracts';
import type { PlannedMessage } from './planned-messages';
import type { Said } from './voices';

/** Messages to a contact, under whatever id of its e-mail address: those are one person. */
export function messagesTo({ plan }: Said, contact: string): PlannedMessage[] {
  const address = plan.messages.find(({ recipient }) => recipient === contact)?.address ?? null;
  return plan.messages.filter(
    (message) => message.recipient === contact || (address !== null && message.address === address),
  );
}

const MAX_DAYS_TO_A_REPLY = 90;

const heardAt = ({ event }: PlannedMessage): number => Date.parse(String(event.outcome_at));

/**
 * What came of the messages to one person. A reply under another id of the address is the answer to the newest open
 * message to it on that channel and in that campaign, and no message of its own.
 */
export function outcomesOf(messages: readonly PlannedMessage[]): Outcome[] {
  const outcomes = new Map(messages.map((message) => [message, message.outcome]));
  const replies = messages.filter(({ outcome, address }) => outcome === 'responded' && address !== null);
  for (const reply of replies.sort((one, other) => heardAt(one) - heardAt(other))) {
    const open = messages.filter(
      (message) =>
        outcomes.get(message) === 'no_response' &&
        message.recipient !== reply.recipient &&
        message.channel === reply.channel &&
        message.campaign === reply.campaign &&
        message.sentAt <= heardAt(reply) &&
        message.sentAt >= heardAt(reply) - MAX_DAYS_TO_A_REPLY * DAY_MS,
    );
    const newest = open.sort((one, other) => other.sentAt - one.sentAt)[0];
    if (newest === undefined) continue;
    outcomes.set(newest, 'responded');
    outcomes.delete(reply);
  }
  return [...outcomes.values()];
}

/** Whether anybody who is that person ever asked not to be written to; an erasure may keep that, or not. */
export function hasOptedOut(said: Said, contact: string): boolean {
  return messagesTo(said, contact).some(
    ({ outcome, recipient }) => outcome === 'unsubscribed' && said.plan.erased.get(recipient) !== false,
  );
}

/**
 * Whether a message went to that person after all that were known at the newest analysis, and was told only then: what was
 * decided is outdated by it, though it was sent before and follows no decision.
 */
export function wasWrittenToUnheard(said: Said, contact: string): boolean {
  const messages = messagesTo(said, contact);
  const isLate = (message: PlannedMessage) => said.plan.later.has(message);
  const known = Math.max(...messages.filter((message) => !isLate(message)).map(({ sentAt }) => sentAt));
  return messages.some((message) => isLate(message) && message.sentAt > known);
}
