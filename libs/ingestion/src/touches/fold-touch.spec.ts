import fc from 'fast-check';
import {
  CHANNELS,
  EVENT_KINDS,
  LEVELS,
  OUTCOMES,
  POSITIONS,
  DAY_MS,
  STORED_MEANINGS,
  TIME_MEANINGS,
  TONES,
  type EventKind,
  type Outcome,
} from '@outcomes/contracts';
import { foldTouch } from './fold-touch';
import type { StoredEvent } from './touch';

const HOUR_MS = 3_600_000;
const SENT_MS = Date.parse('2026-06-01T09:30:00Z');

const stored = (eventId: string, kind: EventKind, parts: Partial<StoredEvent> = {}): StoredEvent => ({
  eventId,
  touchId: 't',
  channel: CHANNELS.indexOf('email'),
  sequenceStep: 0,
  kind: EVENT_KINDS.indexOf(kind),
  outcomeAtIs: 0,
  messageRef: null,
  tone: null,
  sentOffsetMinutes: null,
  sentHasTime: true,
  wordCount: null,
  sentAtMs: SENT_MS,
  outcomeAtMs: SENT_MS + 48 * HOUR_MS,
  ingestedAtMs: SENT_MS + 400 * 24 * HOUR_MS,
  recipientId: 'r',
  threadId: 'thread',
  campaignId: null,
  recipientHash: null,
  emailDomain: null,
  recipientPosition: null,
  subject: null,
  bodyExcerpt: null,
  body: null,
  opened: false,
  meetingBooked: false,
  firstName: null,
  company: null,
  propensity: null,
  variantId: null,
  industry: null,
  ...parts,
});
const fold = (...events: StoredEvent[]) => foldTouch(events, 'UTC');

describe('the touch of some events', () => {
  it.each([
    [['no_response', 'bounced'], 'bounced'],
    [['no_response', 'unsubscribed'], 'unsubscribed'],
    [['no_response', 'responded'], 'responded'],
    [['bounced', 'unsubscribed'], 'unsubscribed'],
    [['bounced', 'responded'], 'responded'],
    [['unsubscribed', 'responded'], 'unsubscribed'],
    [['sent'], 'no_response'],
    [['sent', 'opened', 'clicked', 'auto_replied', 'meeting_booked'], 'no_response'],
  ] as [EventKind[], Outcome][])('of %j is counted as %s', (outcomes, strongest) => {
    const events = outcomes.map((outcome, i) => stored(`e${i}`, outcome));
    expect(OUTCOMES[fold(...events).touch.outcome]).toBe(strongest);
    expect(OUTCOMES[fold(...events.toReversed()).touch.outcome]).toBe(strongest);
  });

  it('dates an answer by its first report, and silence by its last', () => {
    const [early, late] = [SENT_MS + HOUR_MS, SENT_MS + 9 * HOUR_MS];
    for (const [outcome, expected] of [
      ['responded', early],
      ['bounced', early],
      ['no_response', late],
    ] as const) {
      const events = [
        stored('a', outcome, { outcomeAtMs: late }),
        stored('b', outcome, { outcomeAtMs: early }),
      ];
      expect(fold(...events).touch.outcomeAtMs).toBe(expected);
      expect(fold(...events.toReversed()).touch.outcomeAtMs).toBe(expected);
    }
  });

  it('keeps facts side by side, each with its earliest time', () => {
    const at = (hours: number) => ({ outcomeAtMs: SENT_MS + hours * HOUR_MS });
    const { touch } = fold(
      stored('a', 'no_response', at(100)),
      stored('b', 'opened', at(3)),
      stored('c', 'opened', at(2)),
      stored('d', 'responded', { ...at(9), meetingBooked: true }),
      stored('e', 'unsubscribed', at(8)),
      stored('f', 'clicked', at(4)),
      stored('g', 'meeting_booked', at(30)),
      stored('h', 'bounced', at(1)),
    );
    expect(touch).toMatchObject({
      outcome: OUTCOMES.indexOf('unsubscribed'),
      outcomeAtMs: SENT_MS + 8 * HOUR_MS,
      repliedAtMs: SENT_MS + 9 * HOUR_MS,
      unsubscribedAtMs: SENT_MS + 8 * HOUR_MS,
      bouncedAtMs: SENT_MS + HOUR_MS,
      silentAtMs: SENT_MS + 100 * HOUR_MS,
      openedAtMs: SENT_MS + 2 * HOUR_MS,
      clickedAtMs: SENT_MS + 4 * HOUR_MS,
      autoRepliedAtMs: null,
      meetingBookedAtMs: SENT_MS + 9 * HOUR_MS,
      opened: true,
      meetingBooked: true,
    });
  });

  it('takes an automatic reply for none, nor what came within seven days before it', () => {
    const at = (days: number) => ({ outcomeAtMs: SENT_MS + days * 24 * HOUR_MS });
    const repliedAt = (...events: StoredEvent[]) => fold(...events).touch.repliedAtMs;
    const [reply, label] = [stored('a', 'responded', at(1)), stored('b', 'auto_replied', at(8))];
    expect(repliedAt(label)).toBeNull();
    expect(repliedAt(reply, label)).toBeNull();
    expect(fold(reply, label).touch.outcome).toBe(OUTCOMES.indexOf('no_response'));
    expect(repliedAt(stored('a', 'responded', at(0.9)), label)).not.toBeNull();
    // A person who answers later has answered; so had they before.
    expect(repliedAt(reply, label, stored('c', 'responded', at(9)))).toBe(reply.outcomeAtMs);
    expect(repliedAt(reply, stored('b', 'auto_replied', at(0.5)))).toBe(reply.outcomeAtMs);
    // Of one moment they are one and the same.
    expect(repliedAt(reply, stored('b', 'auto_replied', at(1)))).toBeNull();
  });

  it('takes a reply for automatic that is called so on its day, where a date alone is told', () => {
    const midnight = Math.floor(SENT_MS / DAY_MS) * DAY_MS + DAY_MS;
    const reply = stored('a', 'responded', { outcomeAtMs: midnight + 9 * HOUR_MS });
    const label = { outcomeAtMs: midnight, outcomeAtIs: STORED_MEANINGS.indexOf('that_day') };
    expect(fold(reply, stored('b', 'auto_replied', label)).touch.repliedAtMs).toBeNull();
    const nextDay = { outcomeAtMs: midnight + 24 * HOUR_MS };
    expect(
      fold(stored('a', 'responded', nextDay), stored('b', 'auto_replied', label)).touch.repliedAtMs,
    ).toBe(nextDay.outcomeAtMs);
    expect(
      fold(reply, stored('b', 'auto_replied', { outcomeAtMs: midnight })).touch.repliedAtMs,
    ).not.toBeNull();
  });

  it('takes the time of an outcome whose date alone is told for exact', () => {
    const onDay = { outcomeAtIs: STORED_MEANINGS.indexOf('that_day') };
    expect(fold(stored('a', 'responded', onDay)).touch.outcomeIsExact).toBe(true);
  });

  it('takes the earliest time of a fact and the latest of silence, in whatever order the events were sent', () => {
    const kinds = [
      'responded',
      'bounced',
      'unsubscribed',
      'opened',
      'clicked',
      'meeting_booked',
      'no_response',
    ] as const;
    for (const kind of kinds) {
      const events = [9, 3, 6].map((hours, nth) =>
        stored(`e${nth}`, kind, { sentAtMs: SENT_MS + nth, outcomeAtMs: SENT_MS + hours * HOUR_MS }),
      );
      const { touch } = fold(...events);
      const expected = SENT_MS + (kind === 'no_response' ? 9 : 3) * HOUR_MS;
      const told = { responded: touch.repliedAtMs, opened: touch.openedAtMs, clicked: touch.clickedAtMs };
      const at =
        { meeting_booked: touch.meetingBookedAtMs, ...told }[kind as keyof typeof told] ?? touch.outcomeAtMs;
      expect([kind, at]).toEqual([kind, expected]);
    }
    // What else happened ends no silence.
    const opened = stored('o', 'opened', { outcomeAtMs: SENT_MS + 100 * HOUR_MS });
    expect(fold(stored('s', 'no_response'), opened).touch).toMatchObject({
      ...{ outcomeAtMs: SENT_MS + 48 * HOUR_MS, outcomeIsExact: true, opened: true, meetingBooked: false },
    });
    expect(fold(stored('s', 'no_response')).touch.opened).toBe(false);
  });

  it('calls the time of an outcome exact where a report of that very outcome says so of that very time', () => {
    const bound = { outcomeAtIs: TIME_MEANINGS.indexOf('not_after') };
    const early = { ...bound, outcomeAtMs: SENT_MS + HOUR_MS };
    const isExact = (...events: StoredEvent[]) => fold(...events).touch.outcomeIsExact;
    const removed = stored('a', 'unsubscribed', early);
    expect(isExact(removed, stored('b', 'unsubscribed'))).toBe(false);
    expect(isExact(removed, stored('b', 'opened', { outcomeAtMs: early.outcomeAtMs }))).toBe(false);
    expect(isExact(removed, stored('b', 'unsubscribed', { outcomeAtMs: early.outcomeAtMs }))).toBe(true);
  });

  it('was streamed where a report came in within seven days of what it reports, the last moment included', () => {
    const arriving = (id: string, lateMs: number) =>
      stored(id, 'responded', { ingestedAtMs: SENT_MS + (48 + 7 * 24) * HOUR_MS + lateMs });
    expect(fold(arriving('a', 0)).touch.streamed).toBe(true);
    expect(fold(arriving('a', 1)).touch.streamed).toBe(false);
    expect(fold(arriving('a', 1), arriving('b', 0)).touch.streamed).toBe(true);
  });

  it.each<[keyof StoredEvent, string | number, string | number | null, object]>([
    ['campaignId', 'c', 'd', { campaignId: 'c' }],
    ['variantId', 'v', 'w', { variantId: 'v' }],
    ['propensity', 0.25, 0.5, { propensity: 0.25 }],
    ['recipientHash', 'h', 'i', { recipientHash: 'h' }],
    [
      'recipientPosition',
      'CEO',
      'Intern',
      { recipientPosition: 'CEO', position: POSITIONS.indexOf('c_suite') },
    ],
  ])(
    'takes the %s from the first event that has one, in order of sending',
    (part, first, second, expected) => {
      const none = typeof first === 'string' && part === 'recipientPosition' ? '' : null;
      const events = [none, first, second].map((value, nth) =>
        stored(`e${nth}`, 'no_response', { sentAtMs: SENT_MS + nth, [part]: value }),
      );
      for (const order of [events, events.toReversed()]) expect(fold(...order).touch).toMatchObject(expected);
      expect(fold(stored('e', 'no_response')).touch[part as 'campaignId']).toBeNull();
    },
  );

  it.each<[Partial<StoredEvent>, string]>([
    [{ wordCount: 120 }, 'body_words:100_to_149'],
    [{ body: 'Just a quick question for you' }, 'phrase_quick_question:with'],
    [{ bodyExcerpt: 'Just a quick question for you' }, 'phrase_quick_question:with'],
    [{ subject: 'Quick question' }, 'subject_words:1_to_3'],
    [{ tone: TONES.indexOf('direct') }, 'tone:direct'],
  ])('has the levels of %j, whichever event has it', (parts, level) => {
    const levels = fold(stored('a', 'sent'), stored('b', 'responded', parts)).touch.levels;
    expect(levels.map((index) => LEVELS[index])).toContain(level);
  });

  it('is named by its texts, and without any by campaign, step and variant', () => {
    const idsOf = (parts: Partial<StoredEvent>) => fold(stored('a', 'sent', parts)).touch;
    const idOf = (parts: Partial<StoredEvent>) => idsOf(parts).textId;
    const text = { subject: 'A question', body: 'Would you have ten minutes for us on Monday?' };
    expect(idOf({ ...text, campaignId: 'c', variantId: 'v', sequenceStep: 3 })).toBe(idOf(text));
    expect(idOf({ ...text, body: 'Something else altogether was written here.' })).not.toBe(idOf(text));
    const named = [{ campaignId: 'c' }, { variantId: 'v' }, { sequenceStep: 3 }, {}, text].map(idOf);
    expect(new Set(named).size).toBe(5);
    // What is not known of a text adds nothing to it.
    expect(idOf({ body: text.body })).toBe(idOf({ subject: text.body }));
    // The same body under another subject is the same body: what tells them apart is the subject.
    const other = { ...text, subject: 'Ideas for your team' };
    expect(idOf(other)).toBe(idOf(text));
    expect(idsOf(other).subjectId).not.toBe(idsOf(text).subjectId);
    expect(idsOf({ ...text, body: 'Something else altogether was written here.' }).subjectId).toBe(
      idsOf(text).subjectId,
    );
  });

  it('goes by the date alone where a time is of another day', () => {
    const day = { sentAtMs: Date.parse('2026-06-01'), sentHasTime: false };
    const timed = (sentAt: string) => stored('b', 'responded', { sentAtMs: Date.parse(sentAt) });
    const sentHour = (sentAt: string) => fold(stored('a', 'no_response', day), timed(sentAt)).touch.sentHour;
    expect(sentHour('2026-06-01T23:59:59.999Z')).toBe(23);
    expect(sentHour('2026-06-02T00:00:00Z')).toBeNull();
  });

  it.each([
    ['2026-06-02T07:59:59Z', 23],
    ['2026-06-02T08:00:00Z', null],
  ])('takes a time of the date for it that is of that day where it was written: %s', (sentAt, hour) => {
    const day = stored('a', 'no_response', { sentAtMs: Date.parse('2026-06-01'), sentHasTime: false });
    const timed = stored('b', 'responded', { sentAtMs: Date.parse(sentAt), sentOffsetMinutes: -480 });
    expect(fold(day, timed).touch.sentHour).toBe(hour);
  });

  it('dates a reply alone by its own clock', () => {
    const reply = { outcomeAtMs: Date.parse('2026-06-07T20:00:00Z') };
    const dayOf = (parts: Partial<StoredEvent>) =>
      fold(stored('a', 'responded', { ...reply, ...parts })).replyDay ?? 0;
    const june7 = Date.parse('2026-06-07') / (24 * HOUR_MS);
    expect([dayOf({}), dayOf({ sentOffsetMinutes: 540 })]).toEqual([june7, june7 + 1]);
    expect(fold(stored('a', 'responded', reply), stored('b', 'sent')).replyDay).toBeNull();
  });

  it('believes an exact time before a bound, and says which it is', () => {
    const bound = { outcomeAtIs: TIME_MEANINGS.indexOf('not_after') };
    const early = stored('a', 'responded', { ...bound, outcomeAtMs: SENT_MS + HOUR_MS });
    expect(fold(early).touch).toMatchObject({ outcomeAtMs: SENT_MS + HOUR_MS, outcomeIsExact: false });
    expect(fold(early, stored('b', 'responded')).touch).toMatchObject({
      outcomeAtMs: SENT_MS + 48 * HOUR_MS,
      outcomeIsExact: true,
    });
  });

  it('takes a message for silent from its sending on, where nobody reports it', () => {
    expect(fold(stored('a', 'sent', { outcomeAtMs: SENT_MS })).touch).toMatchObject({
      outcome: OUTCOMES.indexOf('no_response'),
      outcomeAtMs: SENT_MS,
      silentAtMs: null,
    });
  });

  it('puts the message together from all its events, the first sent deciding', () => {
    const { touch } = fold(
      stored('a', 'no_response', { recipientPosition: 'CEO', opened: true }),
      stored('b', 'responded', {
        sentAtMs: SENT_MS + HOUR_MS,
        recipientPosition: 'Intern',
        tone: TONES.indexOf('direct'),
        campaignId: 'c',
      }),
    );
    expect(POSITIONS[touch.position]).toBe('c_suite');
    expect(touch).toMatchObject({
      sentAtMs: SENT_MS,
      campaignId: 'c',
      opened: true,
      recipientPosition: 'CEO',
    });
    expect(touch.levels.map((level) => LEVELS[level])).toContain('tone:direct');
  });

  it('believes a time with an hour before a date alone', () => {
    const { touch } = fold(
      stored('a', 'no_response', { sentAtMs: Date.parse('2026-06-01'), sentHasTime: false }),
      stored('b', 'responded'),
    );
    expect(touch).toMatchObject({ sentHour: 9, sentDay: '2026-06-01' });
  });

  it('calls a reply alone what nothing but replies tells of', () => {
    expect(fold(stored('a', 'responded'), stored('b', 'responded')).isReplyAlone).toBe(true);
    expect(fold(stored('a', 'responded'), stored('b', 'no_response')).isReplyAlone).toBe(false);
  });

  it('takes of several industries the last as Postgres orders them, in whichever order they came', () => {
    const industries = [null, 'retail', '\u{1F3ED} works', '\uFF21 works', null];
    const events = industries.map((industry, i) => stored(`e${i}`, 'responded', { industry }));
    expect(fold(...events).touch.industry).toBe('\u{1F3ED} works');
    expect(fold(...events.toReversed()).touch.industry).toBe('\u{1F3ED} works');
    expect(fold(stored('a', 'responded')).touch.industry).toBeNull();
  });

  it('depends on the set of events alone', () => {
    const anyEvent = fc
      .tuple(
        fc.constantFrom(...OUTCOMES),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 3 }),
        fc.option(fc.constantFrom('Quick question', 'Two words'), { nil: null }),
        fc.option(fc.constantFrom('CEO', 'Intern'), { nil: null }),
        fc.boolean(),
      )
      .map(([outcome, sent, delay, subject, recipientPosition, sentHasTime]) => ({
        outcome,
        parts: {
          sentAtMs: SENT_MS + sent * HOUR_MS,
          outcomeAtMs: SENT_MS + delay * HOUR_MS,
          subject,
          recipientPosition,
          sentHasTime,
        },
      }));
    fc.assert(
      fc.property(
        fc.array(anyEvent, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 5 }),
        (drafts, turn) => {
          const events = drafts.map(({ outcome, parts }, i) => stored(`e${i}`, outcome, parts));
          const turned = [...events.slice(turn), ...events.slice(0, turn)].toReversed();
          expect(fold(...turned)).toEqual(fold(...events));
        },
      ),
      { seed: 3, numRuns: 500 },
    );
  });
});
