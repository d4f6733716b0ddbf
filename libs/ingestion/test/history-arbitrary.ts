import fc from 'fast-check';
import { CHANNELS, FACTS, OUTCOMES, TIME_MEANINGS } from '@outcomes/contracts';

const START_MS = Date.parse('2026-04-01T09:00:00Z');
const HOUR_MS = 3_600_000;

const iso = (epochMs: number) => new Date(epochMs).toISOString();

/** Seconds that keep messages of different recipients, channels, steps and conversations apart: no two are equally old. */
const SECONDS = {
  recipient: 10,
  linkedin: 5,
  step: 100,
  campaign: { a: 1_000, b: 2_000 },
  thread: 3_000,
} as const;

const OFFSETS = ['Z', '-08:00', '+09:00', '+14:00'];

/** An event as a caller sends it, with an id of its own. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly event_id: string };

/**
 * Histories of a small world, in which everything meets: few recipients and addresses, messages a month or a second
 * apart on one step, outcomes and facts of each in any order, by the time of sending, by a reference of the sending tool
 * or by neither, under the recipient's own id or another of the same address.
 */
export const histories: fc.Arbitrary<WireEvent[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.uuid({ version: 4 }),
      recipient: fc.integer({ min: 1, max: 4 }),
      address: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
      channel: fc.constantFrom(...CHANNELS, 'email' as const),
      step: fc.integer({ min: 0, max: 1 }),
      kind: fc.constantFrom(...OUTCOMES, ...FACTS, 'responded' as const, 'unsubscribed' as const),
      meaning: fc.constantFrom(undefined, undefined, ...TIME_MEANINGS),
      named: fc.constantFrom('time', 'time', 'time', 'reference', 'both', 'neither'),
      reference: fc.integer({ min: 1, max: 3 }),
      sentHours: fc.constantFrom(0, 1, 48, 720, 721, 1_440),
      sentSeconds: fc.constantFrom(0, 0, 0, 0.4, 1),
      delayHours: fc.integer({ min: 0, max: 24 * 12 }),
      isDate: fc.constantFrom(false, false, false, false, true),
      campaign: fc.constantFrom(undefined, undefined, 'a', 'b'),
      thread: fc.constantFrom(undefined, undefined, undefined, 't'),
      opened: fc.boolean(),
    }),
    { minLength: 1, maxLength: 24, selector: ({ id }) => id },
  )
  .map((drafts) =>
    drafts.map((draft, place): WireEvent => {
      const isFact = (FACTS as readonly string[]).includes(draft.kind);
      // What names its message by nothing is a fact that is not a sending; an outcome needs a time or a reference.
      const mayLack = isFact && draft.kind !== 'sent';
      const named = draft.named === 'neither' && !mayLack ? 'time' : draft.named;
      const apart =
        draft.recipient * SECONDS.recipient +
        (draft.channel === 'linkedin' ? SECONDS.linkedin : 0) +
        draft.step * SECONDS.step +
        (draft.campaign ? SECONDS.campaign[draft.campaign] : 0) +
        (draft.thread ? SECONDS.thread : 0);
      const sentMs = START_MS + draft.sentHours * HOUR_MS + (apart + draft.sentSeconds) * 1_000;
      return {
        event_id: draft.id,
        channel: draft.channel,
        sequence_step: draft.step,
        recipient_id: `r${draft.recipient}`,
        ...(draft.address !== undefined && { recipient_email: `p${draft.address}@acme.com` }),
        ...((named === 'time' || named === 'both') && { sent_at: iso(sentMs) }),
        ...((named === 'reference' || named === 'both') && { message_ref: `m${draft.reference}` }),
        // Nor does anything happen at the same moment, unless no more is told than the day.
        outcome_at: iso(sentMs + draft.delayHours * HOUR_MS + (place + 1) * 7).slice(
          0,
          draft.isDate ? 10 : undefined,
        ),
        ...(isFact ? { fact: draft.kind } : { outcome: draft.kind }),
        ...(draft.meaning && { outcome_at_is: draft.meaning }),
        ...(draft.thread && { thread_id: draft.thread }),
        metadata: {
          ...(draft.campaign && { campaign_id: draft.campaign }),
          ...(draft.opened && { opened: true }),
        },
      };
    }),
  );

/**
 * Histories of messages many of which are known by their date alone, told of by clocks around the world: two recipients
 * with one address and a day of sending each, facts on the days after by the same clocks.
 */
export const datedHistories: fc.Arbitrary<WireEvent[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.uuid({ version: 4 }),
      recipient: fc.constantFrom(1, 2),
      kind: fc.constantFrom(...OUTCOMES, 'sent' as const, 'opened' as const, 'responded' as const),
      named: fc.constantFrom('date', 'date', 'time', 'neither', 'reference'),
      offset: fc.constantFrom(...OFFSETS),
      laterDays: fc.integer({ min: 0, max: 2 }),
      hour: fc.integer({ min: 1, max: 23 }),
      isDate: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: 12, selector: ({ id }) => id },
  )
  .map((drafts) =>
    drafts.map(
      ({ id, recipient, kind, named: naming, offset, laterDays, hour, isDate }, place): WireEvent => {
        const named = naming === 'neither' && kind !== 'opened' ? 'date' : naming;
        const day = (days: number) => iso(START_MS + (recipient + days) * 24 * HOUR_MS).slice(0, 10);
        const time = (of: string, hours: number) =>
          `${of}T${String(hours).padStart(2, '0')}:${recipient}0:00.${String(place * 7).padStart(3, '0')}${offset}`;
        const sentAt = named === 'date' || (named === 'reference' && isDate) ? day(0) : time(day(0), 0);
        const at = day(laterDays);
        return {
          ...{ event_id: id, channel: 'email', sequence_step: 0, recipient_id: `r${recipient}` },
          ...{ recipient_email: 'p1@acme.com', metadata: {} },
          ...(named === 'reference' && { message_ref: `m${recipient}` }),
          ...(kind === 'sent' || named === 'date' || named === 'time' ? { sent_at: sentAt } : {}),
          // Two replies of one day would be equally old.
          ...(kind !== 'sent' && { outcome_at: isDate && kind !== 'responded' ? at : time(at, hour) }),
          ...(kind === 'sent' || kind === 'opened' ? { fact: kind } : { outcome: kind }),
        };
      },
    ),
  );
