import { addressOf, parseEmailAddress, recipientIdOf } from '@outcomes/source-profiles';
import { recordOf, type EventRecord } from '../identity/event-record';
import type { NameBasedUuids } from '../identity/name-based-uuid';
import { checkEvent } from '../validation/event-rules';

const STICKING = ['unsubscribed', 'bounced'] as const;
type Sticking = (typeof STICKING)[number];

export interface RejectedOptOut {
  readonly outcome: Sticking;
  readonly record: EventRecord;
}

/** What an event says, whatever is wrong with it. */
type Told = Readonly<Record<string, unknown>>;

/**
 * The opt-out or the bounce of a rejected event. It takes effect whatever is wrong with the rest: who is written to after
 * it asked not to be is harmed, who is left in peace is not. It is of no message, so that it blocks, waits and is counted
 * nowhere; the corrected event makes the message.
 *
 * Sent again it is the same event, of which the first version stands.
 * @param value - what was sent as an event, whatever it is
 * @param nowMs - time of receipt, milliseconds since 1970
 * @returns undefined where it names neither of the two, or nobody
 */
export function optOutOfRejected(
  value: unknown,
  uuids: NameBasedUuids,
  nowMs: number,
): RejectedOptOut | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const told = value as Told;
  const outcome = STICKING.find((one) => one === told.outcome);
  if (!outcome) return undefined;
  const person = personIn(told);
  if (!person) return undefined;
  const eventId = uuids.of(JSON.stringify(['rejected', outcome, ...identityOf(told, outcome, person)]));
  const about = {
    ...person,
    channel: told.channel === 'linkedin' ? 'linkedin' : 'email',
    sequence_step: 0,
    event_id: eventId,
    // Of a message that nobody sent.
    message_ref: eventId,
    outcome,
    metadata: detailsIn(told.metadata),
  };
  // Its own time counts, so that a later reply lifts a bounce as it should. Where there is none, it came before now.
  const times = [
    { outcome_at: told.outcome_at, outcome_at_is: told.outcome_at_is },
    { outcome_at: new Date(nowMs).toISOString(), outcome_at_is: 'not_after' },
  ];
  for (const time of times) {
    const { checked } = checkEvent({ ...about, ...time }, nowMs);
    // A bounce that the sender tries again suppresses nobody.
    if (checked) return isSoft(told) ? undefined : { outcome, record: recordOf(checked, uuids) };
  }
  return undefined;
}

interface Person {
  readonly recipient_id: string;
  readonly recipient_email?: string;
}

/** By the id, the address, or both, as far as an event may carry them. */
function personIn({ recipient_id: id, recipient_email: email }: Told): Person | undefined {
  const address = typeof email === 'string' ? parseEmailAddress(email)?.address : undefined;
  const addressed = address === undefined ? {} : { recipient_email: address };
  // Senders whose ids are numbers, unquoted, have all their events rejected.
  const name = Number.isSafeInteger(id) ? String(id) : id;
  if (typeof name === 'string' && mayCarry(name)) return { recipient_id: name, ...addressed };
  // One that no event can carry, such as with a domain in other letters, says no more than the id that is made of it.
  const looksLikeOne = address ?? (typeof email === 'string' ? addressOf(email) : undefined);
  return looksLikeOne === undefined ? undefined : { recipient_id: recipientIdOf(looksLikeOne), ...addressed };
}

/** Judged by the rules of events, so that there is one opinion about ids. */
function mayCarry(recipientId: string): boolean {
  const { faults = [] } = checkEvent({ recipient_id: recipientId }, 0);
  return !faults.some(({ field }) => field === 'recipient_id');
}

/** An opt-out is told once of a person, a complaint is news; bounces count each, because a reply may come between them. */
function identityOf(told: Told, outcome: Sticking, { recipient_id, recipient_email }: Person): unknown[] {
  const person = [recipient_id, recipient_email ?? null];
  const { complaint } = detailsIn(told.metadata);
  if (outcome === 'unsubscribed') return [...person, complaint === true];
  return [...person, told.outcome_at, told.sent_at, told.message_ref, told.event_id];
}

/** Of metadata, what is known of an opt-out or a bounce beyond that there was one. */
function detailsIn(metadata: unknown): { readonly complaint?: true; readonly bounce?: 'hard' } {
  if (typeof metadata !== 'object' || metadata === null) return {};
  const { complaint, bounce } = metadata as Told;
  return { ...(complaint === true && { complaint }), ...(bounce === 'hard' && { bounce }) };
}

function isSoft({ outcome, metadata }: Told): boolean {
  return (
    outcome === 'bounced' &&
    typeof metadata === 'object' &&
    metadata !== null &&
    (metadata as Told).bounce === 'soft'
  );
}
