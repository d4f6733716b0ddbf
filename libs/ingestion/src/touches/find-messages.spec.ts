import { parseIsoTime, STORED_MEANINGS, type ParsedTime } from '@outcomes/contracts';
import { NameBasedUuids } from '../identity/name-based-uuid';
import {
  namingByReference,
  ownTouchId,
  placeByRecipient,
  placeByReference,
  type PlacedEvent,
} from './find-messages';

const uuids = new NameBasedUuids('6e38e328-70eb-5657-9c91-f5b5b68b0ec4');
const SECOND = 1_000;
const THAT_DAY = STORED_MEANINGS.indexOf('that_day');

const event = (eventId: string, parts: Partial<PlacedEvent> = {}): PlacedEvent => ({
  ...{ eventId, recipientId: 'r', channel: 0, sequenceStep: 0, threadId: 't', campaignId: null },
  ...{ sentHasTime: true, sentOffsetMinutes: null },
  ...{ sentAtMs: null, outcomeAtMs: 100 * SECOND, outcomeAtIs: 0, messageRef: null, touchId: null, ...parts },
});
const message = (touchId: string, sentAtMs: number, parts: Partial<PlacedEvent> = {}) =>
  event(`of ${touchId}`, { touchId, sentAtMs, outcomeAtMs: sentAtMs, ...parts });

describe('the message that an event is about', () => {
  describe('where it names none', () => {
    const placeOf = (waiting: PlacedEvent, ...sent: PlacedEvent[]) => {
      const places = [sent, sent.toReversed()].map((order) =>
        placeByRecipient([waiting], order, namingByReference(order)).get(waiting.eventId),
      );
      expect(places[0]).toEqual(places[1]);
      return places[0];
    };

    it.each<[string, Partial<PlacedEvent>, string | null]>([
      ['in its thread', {}, 'm'],
      ['sent at its very moment', { sentAtMs: 100 * SECOND }, 'm'],
      ['sent after it', { sentAtMs: 100 * SECOND + 1 }, null],
      ['to another recipient', { recipientId: 's' }, null],
      ['on another channel', { channel: 1 }, null],
      ['of another step', { sequenceStep: 1 }, null],
      ['in another thread', { threadId: 'u' }, null],
      ['in another thread of its campaign', { threadId: 'u', campaignId: 'c' }, 'm'],
      ['in another campaign and thread', { threadId: 'u', campaignId: 'd' }, null],
      ['in its thread, of another campaign', { campaignId: 'd' }, 'm'],
    ])('may be one %s: %j', (_, parts, place) => {
      expect(placeOf(event('e', { campaignId: 'c' }), message('m', 0, parts))).toBe(place);
    });

    it('is none of another thread where neither has a campaign', () => {
      expect(placeOf(event('e'), message('m', 0, { threadId: 'u' }))).toBeNull();
    });

    it('may have been sent on the day of an event of which a date alone is told, but on none after it', () => {
      const DAY = 86_400 * SECOND;
      const onDay = event('e', { outcomeAtMs: DAY, outcomeAtIs: THAT_DAY });
      expect(placeOf(onDay, message('m', 0), message('n', 2 * DAY - 1))).toBe('n');
      expect(placeOf(onDay, message('m', 0), message('n', 2 * DAY))).toBe('m');
      expect(placeOf({ ...onDay, outcomeAtIs: 0 }, message('m', 0), message('n', DAY + 1))).toBe('m');
    });

    it.each([
      // Written on the day of a date, by whichever clock.
      ['2026-06-01T02:00:00+09:00', '2026-06-01', 'n'],
      ['2026-06-01T23:00:00-08:00', '2026-06-01', 'n'],
      ['2026-05-31T23:59:59+09:00', '2026-06-01', 'm'],
      ['2026-05-31T23:59:59Z', '2026-06-01', 'm'],
      // The other way about.
      ['2026-06-01', '2026-06-01T23:00:00-08:00', 'n'],
      ['2026-06-01', '2026-06-02T00:00:00-08:00', 'm'],
      ['2026-06-01T02:00:00+09:00', '2026-06-01T02:00:01+09:00', 'm'],
    ])('is by what happened at %s the one that was sent at %s: %s', (at, sentAt, place) => {
      const [happened, sent] = [parseIsoTime(at), parseIsoTime(sentAt)] as [ParsedTime, ParsedTime];
      const told = event('e', {
        ...{ outcomeAtMs: happened.epochMs, outcomeAtIs: happened.hasTime ? 0 : THAT_DAY },
        sentOffsetMinutes: happened.offsetMinutes,
      });
      const { epochMs, hasTime, offsetMinutes } = sent;
      const other = message('n', epochMs, { sentHasTime: hasTime, sentOffsetMinutes: offsetMinutes });
      expect(placeOf(told, message('m', 0), other)).toBe(place);
    });

    it('is the newest of several, of one second the one with the greater id', () => {
      expect(placeOf(event('e'), message('b', 0), message('a', 2 * SECOND))).toBe('a');
      expect(placeOf(event('e'), message('a', 0), message('b', SECOND - 1), message('c', SECOND - 2))).toBe(
        'c',
      );
      expect(placeOf(event('e'))).toBeNull();
    });

    it('was sent when the first report of its reference says', () => {
      const [first, again] = [0, 3 * SECOND].map((at, n) =>
        message('m', at, { eventId: `r${n}`, messageRef: 'ref' }),
      );
      expect(
        namingByReference([
          again,
          first,
          message('n', SECOND),
          event('f', { messageRef: 'ref' }),
        ] as PlacedEvent[]),
      ).toEqual(new Map([['ref', first]]));
      expect(placeOf(event('e'), first as PlacedEvent, again as PlacedEvent, message('n', SECOND))).toBe('n');
      expect(placeOf(event('e', { outcomeAtMs: 0 }), first as PlacedEvent, again as PlacedEvent)).toBe('m');
    });
  });

  describe('where it carries a reference', () => {
    it('is for all of them the one that the first names that says when it was sent', () => {
      const ref = { messageRef: 'ref' };
      const [fact, early, late] = [
        event('fact', { ...ref, outcomeAtMs: 0 }),
        event('z', { ...ref, sentAtMs: 5 * SECOND, recipientId: 'ann' }),
        event('a', { ...ref, sentAtMs: 6 * SECOND }),
      ] as const;
      const own = ownTouchId(early, 5 * SECOND, uuids);
      for (const order of [
        [fact, early, late],
        [late, early, fact],
      ])
        expect([...placeByReference(order, uuids).values()]).toEqual([own, own, own]);
      expect(placeByReference([fact, event('other', { messageRef: 'b' })], uuids)).toEqual(
        new Map([
          ['fact', null],
          ['other', null],
        ]),
      );
      // Those of another reference are about a message of their own, those on another channel as well.
      const another = event('n', { messageRef: 'b', sentAtMs: 9 * SECOND, channel: 1 });
      const ofAnother = ownTouchId(another, 9 * SECOND, uuids);
      expect([...placeByReference([early, another], uuids).values()]).toEqual([own, ofAnother]);
      expect(ownTouchId({ ...another, channel: 0 }, 9 * SECOND, uuids)).not.toBe(ofAnother);
      // Of one time the earlier outcome names it, and of one outcome the lower id.
      const twin = (eventId: string, recipientId: string, outcomeAtMs: number) =>
        event(eventId, { ...ref, sentAtMs: 5 * SECOND, recipientId, outcomeAtMs });
      const named = (...events: PlacedEvent[]) => placeByReference(events, uuids).get('x');
      const ofAnn = ownTouchId(twin('x', 'ann', 0), 5 * SECOND, uuids);
      for (const [one, two] of [
        [twin('x', 'ann', 1), twin('a', 'ben', 2)],
        [twin('x', 'ann', 1), twin('y', 'ben', 1)],
      ] as const)
        expect([named(one, two), named(two, one)]).toEqual([ofAnn, ofAnn]);
    });
  });
});
