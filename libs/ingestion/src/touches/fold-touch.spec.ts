import fc from 'fast-check';
import { CHANNELS, LEVELS, OUTCOMES, POSITIONS, TONES, type Outcome } from '@outcomes/contracts';
import { foldTouch } from './fold-touch';
import type { StoredEvent } from './touch';

const HOUR_MS = 3_600_000;
const SENT_MS = Date.parse('2026-06-01T09:30:00Z');

const stored = (eventId: string, outcome: Outcome, parts: Partial<StoredEvent> = {}): StoredEvent => ({
  eventId,
  touchId: 't',
  channel: CHANNELS.indexOf('email'),
  sequenceStep: 0,
  outcome: OUTCOMES.indexOf(outcome),
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
    [['unsubscribed', 'responded'], 'responded'],
  ] as [Outcome[], Outcome][])('of %j takes the strongest: %s', (outcomes, strongest) => {
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
