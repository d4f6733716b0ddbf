import fc from 'fast-check';
import { CHANNELS, FACTS, OUTCOMES, TIME_MEANINGS, TONES } from '@outcomes/contracts';
import { anEvent } from '../../test/ingestion-events';
import { checkBody, checkEvent } from './event-rules';
import { MAX_FAULTS_PER_EVENT } from './field-fault';
import { EVENT_FIELDS } from './outcome-event';

const NOW_MS = Date.parse('2026-06-15T12:00:00Z');

const verdictOf = (value: unknown) => {
  const { faults } = checkEvent(value, NOW_MS);
  // Whatever is wrong, a sentence says so.
  for (const { message } of faults ?? []) expect(message).toMatch(/^\S.* .*\.$/s);
  return faults === undefined ? 'accepted' : faults.map(({ field, code }) => `${field} ${code}`).join(', ');
};
const verdict = (parts: Record<string, unknown>) => verdictOf(anEvent(parts));
const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) });

describe('the verdict over an outcome event', () => {
  it('accepts what the specification allows, and every field of it', () => {
    expect(verdict({})).toBe('accepted');
    for (const channel of CHANNELS) expect(verdict({ channel })).toBe('accepted');
    for (const outcome of OUTCOMES) expect(verdict({ outcome })).toBe('accepted');
    for (const tone of TONES) expect(verdict({ tone })).toBe('accepted');
    expect(
      verdict({
        event_id: '6E38E328-70eb-4657-9c91-f5b5b68b0ec4',
        recipient_email: "Ann.O'Neil+x@mail.example.co.uk",
        recipient_position: 'VP Sales',
        thread_id: 't',
        word_count: 2_147_483_647,
        subject: '',
        body_excerpt: 'x',
        industry: 'saas',
        body: 'x'.repeat(10_000),
        metadata: { campaign_id: 'c', list: [1, null, true, 'x'] },
        sequence_step: 50,
      }),
    ).toBe('accepted');
  });

  it.each(['channel', 'sequence_step', 'recipient_id', 'sent_at', 'outcome_at', 'outcome'])(
    'demands %s',
    (field) => {
      expect(verdict({ [field]: undefined })).toBe(`${field} REQUIRED`);
    },
  );

  it.each([
    ['channel', 'sms', 'NOT_ALLOWED'],
    ['channel', 'EMAIL', 'NOT_ALLOWED'],
    ['outcome', 'opened', 'NOT_ALLOWED'],
    ['tone', 'casual', 'NOT_ALLOWED'],
    ['sequence_step', -1, 'OUT_OF_RANGE'],
    ['sequence_step', 51, 'OUT_OF_RANGE'],
    ['sequence_step', 1.5, 'INVALID_TYPE'],
    ['sequence_step', '1', 'INVALID_TYPE'],
    ['sequence_step', true, 'INVALID_TYPE'],
    ['recipient_id', '', 'EMPTY'],
    ['recipient_id', 7, 'INVALID_TYPE'],
    ['recipient_id', 'x'.repeat(257), 'TOO_LONG'],
    ['recipient_id', 'a\0b', 'INVALID_CHARACTER'],
    ['thread_id', '', 'EMPTY'],
    ['thread_id', 5, 'INVALID_TYPE'],
    ['outcome_at_is', 'about', 'NOT_ALLOWED'],
    ['message_ref', '', 'EMPTY'],
    ['message_ref', 'x'.repeat(257), 'TOO_LONG'],
    ['message_ref', 7, 'INVALID_TYPE'],
    ['message_ref', 'a\0b', 'INVALID_CHARACTER'],
    ['event_id', 'not-a-uuid', 'INVALID_UUID'],
    ['event_id', '6e38e32870eb46579c91f5b5b68b0ec4', 'INVALID_UUID'],
    ['word_count', 2_147_483_648, 'OUT_OF_RANGE'],
    ['word_count', -1, 'OUT_OF_RANGE'],
    ['body', 'x'.repeat(10_001), 'TOO_LONG'],
    ['subject', '\ud800', 'INVALID_CHARACTER'],
    ['body', 'half \udc00 of a pair', 'INVALID_CHARACTER'],
    ['metadata', [], 'INVALID_TYPE'],
    ['metadata', 'x', 'INVALID_TYPE'],
    ['metadata', { a: '\0' }, 'INVALID_CHARACTER'],
    ['metadata', { '\ud800': 1 }, 'INVALID_CHARACTER'],
    ['metadata', JSON.parse('{"a":1e200000}') as object, 'OUT_OF_RANGE'],
    ['metadata', JSON.parse('{"a":[{"__proto__":1}]}') as object, 'FORBIDDEN_KEY'],
    ['metadata', nested(9), 'METADATA_TOO_DEEP'],
    ['metadata', { a: 'x'.repeat(2_041) }, 'METADATA_TOO_LARGE'],
    ['metadata', { a: 'é'.repeat(1_021) }, 'METADATA_TOO_LARGE'],
    ['job_title', 'CEO', 'UNKNOWN_FIELD'],
  ])('refuses %s: %j', (field, value, code) => {
    expect(verdict({ [field]: value })).toBe(`${field} ${code}`);
  });

  it.each([{}, { tone: null }])('names the field __proto__ as unknown, and pollutes nothing: %j', (parts) => {
    const json = JSON.stringify(anEvent(parts)).replace('{', '{"__proto__":{"polluted":1},');
    expect(verdictOf(JSON.parse(json))).toBe('__proto__ UNKNOWN_FIELD');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('takes metadata with the keys constructor and prototype for what it is, and pollutes nothing', () => {
    const metadata = JSON.parse('{"constructor":{"prototype":{"polluted":1}},"prototype":2}') as object;
    const { checked } = checkEvent(anEvent({ metadata }), NOW_MS);
    expect(checked?.metadata).toBe('{"constructor":{"prototype":{"polluted":1}},"prototype":2}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  const REQUIRED = ['channel', 'sequence_step', 'recipient_id', 'sent_at', 'outcome_at', 'outcome'];

  it('takes null for absent: every optional field may be null, and no required one', () => {
    const optional = [...EVENT_FIELDS].filter((field) => !REQUIRED.includes(field));
    expect(optional).toHaveLength(14);
    const nulls = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, null]));
    for (const field of optional) expect(verdict({ [field]: null })).toBe('accepted');
    const { checked } = checkEvent(anEvent(nulls(optional)), NOW_MS);
    expect(checked).toEqual(checkEvent(anEvent(), NOW_MS).checked);
    for (const field of REQUIRED) expect(verdict({ [field]: null })).toBe(`${field} REQUIRED`);
    expect(verdict({ job_title: null })).toBe('job_title UNKNOWN_FIELD');
    expect(verdict({ sent_at: null, message_ref: 'm-1' })).toBe('accepted');
  });

  it('finds null in a body however it stands there', () => {
    const body = (json: string) => Buffer.from(json);
    const event = JSON.stringify(anEvent({ tone: null, subject: 'null', metadata: { a: null } }));
    for (const json of [
      event,
      event.replaceAll('":', '" :\n\t'),
      `{"events":[${JSON.stringify(anEvent())},${event}]}`,
    ]) {
      const [last] = checkBody(body(json), NOW_MS).slice(-1);
      expect(last?.checked).toMatchObject({ event: { subject: 'null' }, metadata: '{"a":null}' });
      expect(last?.checked?.event.tone).toBeUndefined();
    }
  });

  /** Everything that may be left out, for the other fields that are there. */
  const absent = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, undefined]));

  it('takes a fact in place of an outcome, and not with one', () => {
    for (const fact of FACTS) {
      expect(verdict({ fact, ...absent('outcome') })).toBe('accepted');
      expect(verdict({ fact })).toBe('outcome FACT_AND_OUTCOME');
      expect(verdict({ fact, outcome: null })).toBe('accepted');
    }
    for (const outcome_at_is of TIME_MEANINGS) expect(verdict({ outcome_at_is })).toBe('accepted');
  });

  it.each([
    // fact, message_ref, what is absent, verdict
    [undefined, undefined, ['sent_at'], 'sent_at REQUIRED'],
    [undefined, 'm-1', ['sent_at'], 'accepted'],
    [undefined, 'm-1', ['outcome_at'], 'outcome_at REQUIRED'],
    [undefined, 'm-1', ['sent_at', 'outcome_at'], 'outcome_at REQUIRED'],
    ['sent', undefined, ['outcome_at'], 'accepted'],
    ['sent', undefined, ['sent_at'], 'sent_at REQUIRED'],
    ['sent', undefined, ['sent_at', 'outcome_at'], 'sent_at REQUIRED'],
    ['sent', 'm-1', ['sent_at'], 'accepted'],
    ['sent', 'm-1', ['sent_at', 'outcome_at'], 'sent_at REQUIRED'],
    ['opened', undefined, ['sent_at'], 'accepted'],
    ['opened', 'm-1', ['sent_at'], 'accepted'],
    ['opened', 'm-1', ['outcome_at'], 'outcome_at REQUIRED'],
    ['meeting_booked', undefined, ['sent_at', 'outcome_at'], 'outcome_at REQUIRED'],
    ['perhaps', undefined, ['sent_at'], 'fact NOT_ALLOWED'],
    [undefined, '', ['sent_at'], 'message_ref EMPTY'],
  ])('of fact %s and message_ref %s without %j: %s', (fact, message_ref, missing, expected) => {
    const without = fact === undefined ? missing : [...missing, 'outcome'];
    expect(verdict({ fact, message_ref, ...absent(...without) })).toBe(expected);
  });

  it.each([
    [{ fact: 'sent' }, '2026-06-01T09:30:00Z', '2026-06-08T09:30:00Z'],
    [{ fact: 'sent', message_ref: 'm', sent_at: undefined }, '2026-06-08T09:30:00Z', '2026-06-08T09:30:00Z'],
    [{ fact: 'sent', outcome_at: undefined }, '2026-06-01T09:30:00Z', '2026-06-01T09:30:00Z'],
    [{ fact: 'opened' }, '2026-06-01T09:30:00Z', '2026-06-08T09:30:00Z'],
    [{ fact: 'opened', sent_at: undefined }, undefined, '2026-06-08T09:30:00Z'],
  ])('of %j was sent at %s and happened at %s', (parts, sentAt, happenedAt) => {
    const { checked } = checkEvent(anEvent({ outcome: undefined, ...parts }), NOW_MS);
    expect([checked?.sent?.epochMs, checked?.happened.epochMs]).toEqual(
      [sentAt, happenedAt].map((time) => time && Date.parse(time)),
    );
  });

  it.each([
    [254, 'accepted'],
    [255, 'recipient_email INVALID_EMAIL'],
  ])('takes an address of %i characters: %s', (length, expected) => {
    const [local, label] = ['a'.repeat(64), 'b'.repeat(63)];
    const address = `${local}@${label}.${label}.`;
    expect(verdict({ recipient_email: address + 'c'.repeat(length - address.length) })).toBe(expected);
  });

  it('says that message_ref may stand in for sent_at', () => {
    const { faults } = checkEvent(anEvent(absent('sent_at')), NOW_MS);
    expect(faults?.[0]?.message).toBe('Send sent_at, or message_ref in its place.');
  });

  it('lets a time that is a lower bound lie before the sending, and no other', () => {
    const early = (outcome_at_is?: string) => verdict({ outcome_at: '2026-05-31T09:00:00Z', outcome_at_is });
    expect(early('not_before')).toBe('accepted');
    for (const meaning of ['not_after', 'exact', undefined]) {
      expect(early(meaning)).toBe('outcome_at OUTCOME_BEFORE_SENT');
    }
  });

  it('measures in code points and bytes, exactly', () => {
    expect(verdict({ body: '😀'.repeat(10_000) })).toBe('accepted');
    expect(verdict({ body: '😀'.repeat(10_001) })).toBe('body TOO_LONG');
    expect(verdict({ metadata: { a: 'x'.repeat(2_040) } })).toBe('accepted');
    expect(verdict({ metadata: { a: 'é'.repeat(1_020) } })).toBe('accepted');
    expect(verdict({ metadata: nested(8) })).toBe('accepted');
  });

  it.each([
    '2026-06-01',
    '2024-02-29',
    '2000-02-29',
    '1990-01-01',
    '2026-06-01T09:30Z',
    '2026-06-01T09:30',
    '2026-06-01T09:30:15',
    '2026-06-01T09:30:15.123456789+05:30',
    '2026-06-01T23:59:59-14:00',
    '2026-06-01T00:00:00+14:00',
    '2026-06-16T11:59:00Z',
  ])('accepts the time %s', (time) => {
    expect(verdict({ sent_at: time, outcome_at: '2026-06-16T12:00:00Z' })).toBe('accepted');
  });

  it.each([
    ['2026-02-30', 'INVALID_TIME'],
    ['2025-02-29', 'INVALID_TIME'],
    ['1900-02-29', 'INVALID_TIME'],
    ['2026-13-01', 'INVALID_TIME'],
    ['2026-00-10', 'INVALID_TIME'],
    ['2026-06-00', 'INVALID_TIME'],
    ['2026-06-31', 'INVALID_TIME'],
    ['2026-W23-1', 'INVALID_TIME'],
    ['2026-152', 'INVALID_TIME'],
    ['20260601', 'INVALID_TIME'],
    ['2026-06-01T24:00:00Z', 'INVALID_TIME'],
    ['2026-06-01T23:59:60Z', 'INVALID_TIME'],
    ['2026-06-01T09:30:15+23:59', 'INVALID_TIME'],
    ['2026-06-01T09:30:15+14:01', 'INVALID_TIME'],
    ['2026-06-01T09:30:15+02', 'INVALID_TIME'],
    ['2026-06-01T09:30:15.Z', 'INVALID_TIME'],
    ['2026-06-01 09:30:15Z', 'INVALID_TIME'],
    ['2026-06-01Z', 'INVALID_TIME'],
    [' 2026-06-01', 'INVALID_TIME'],
    ['2026-06-01\n', 'INVALID_TIME'],
    ['٢٠٢٦-06-01', 'INVALID_TIME'],
    ['now', 'INVALID_TIME'],
    ['1780000000', 'INVALID_TIME'],
    ['', 'INVALID_TIME'],
    ['1989-12-31', 'TIME_TOO_EARLY'],
    ['0000-01-01', 'TIME_TOO_EARLY'],
    ['0099-01-01', 'TIME_TOO_EARLY'],
    ['2026-06-16T12:00:00.001Z', 'TIME_IN_FUTURE'],
    ['9999-12-31', 'TIME_IN_FUTURE'],
    [`2026-06-01T09:30:15.${'1'.repeat(40)}Z`, 'TOO_LONG'],
  ])('refuses the time %j', (time, code) => {
    expect(verdict({ sent_at: time, outcome_at: '2026-06-16T12:00:00Z' })).toBe(`sent_at ${code}`);
    expect(verdict({ outcome_at: time })).toBe(`outcome_at ${code}`);
  });

  it('refuses an outcome before its sending, across offsets; a date alone means some time of that day', () => {
    const times = (sent_at: string, outcome_at: string) => verdict({ sent_at, outcome_at });
    expect(times('2026-06-01T09:00:00Z', '2026-06-01T09:00:00Z')).toBe('accepted');
    expect(times('2026-06-01T09:00:00Z', '2026-06-01T08:59:59.999Z')).toBe('outcome_at OUTCOME_BEFORE_SENT');
    expect(times('2026-06-01T09:00:00Z', '2026-06-01T10:59:00+02:00')).toBe('outcome_at OUTCOME_BEFORE_SENT');
    expect(times('2026-06-01T09:00:00Z', '2026-06-01')).toBe('accepted');
    expect(times('2026-06-01T09:00:00Z', '2026-05-31')).toBe('outcome_at OUTCOME_BEFORE_SENT');
    expect(times('2026-06-01', '2026-06-01T00:00:00+09:00')).toBe('accepted');
  });

  it.each([
    'plainaddress',
    '@no-local.org',
    'two@@ats.org',
    'dot.@end.org',
    '.dot@start.org',
    'dot..dot@x.org',
    'space in@x.org',
    'a@-x.org',
    'a@x-.org',
    'a@x..org',
    'a@',
    'ümlaut@x.org',
    `${'l'.repeat(65)}@x.org`,
    `a@${'d'.repeat(64)}.org`,
    `a@${'abcdefghi.'.repeat(25)}org`,
    'a@[999]',
    'Ann <ann@x.org>',
    'a@x.org,b@x.org',
    '',
  ])('refuses the address %j', (recipient_email) => {
    expect(verdict({ recipient_email })).toBe('recipient_email INVALID_EMAIL');
  });

  it.each([
    'a@b',
    ' A.B@X.ORG ',
    '"quoted local"@x.org',
    'a@[192.0.2.1]',
    'a@[IPv6:2001:db8::1]',
    `${'l'.repeat(64)}@x.org`,
  ])('accepts the address %j', (recipient_email) => {
    expect(verdict({ recipient_email })).toBe('accepted');
  });

  it('names every field at fault, each once, with a sentence that says how to fix it', () => {
    const { faults } = checkEvent(
      anEvent({
        channel: 'fax',
        sequence_step: 99,
        tone: 'casual',
        recipient_email: 'x',
        sent_at: 'x',
        extra: 1,
      }),
      NOW_MS,
    );
    expect(faults?.map(({ field }) => field).sort()).toEqual([
      'channel',
      'extra',
      'recipient_email',
      'sent_at',
      'sequence_step',
      'tone',
    ]);
    expect(faults?.find(({ field }) => field === 'tone')?.message).toBe(
      'Send one of: direct, conversational, professional, empathetic, questioning.',
    );
    for (const { message } of faults ?? []) expect(message).toMatch(/^[A-Z].{15,}\.$/s);
  });

  it('lists a bounded number of faults, however many there are', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 1]));
    expect(checkEvent(anEvent(many), NOW_MS).faults).toHaveLength(MAX_FAULTS_PER_EVENT);
  });

  it('lists no more of them where the rules beyond the shape find others', () => {
    const many = Object.fromEntries(Array.from({ length: MAX_FAULTS_PER_EVENT }, (_, i) => [`f${i}`, 1]));
    const { faults } = checkEvent(anEvent({ ...many, recipient_email: 'x', sent_at: 'x' }), NOW_MS);
    expect(faults?.map(({ field }) => field)).toEqual(Object.keys(many));
  });

  it.each([
    ['recipient_id', `${'x'.repeat(256)}\0`],
    ['recipient_email', 'x'.repeat(321)],
    ['event_id', 'x'.repeat(37)],
    ['sent_at', 'x'.repeat(41)],
  ])('tells of %s that it is too long, and not what else it is', (field, value) => {
    expect(verdict({ [field]: value })).toBe(`${field} TOO_LONG`);
  });

  it.each([null, [], 'x', 1, true, undefined])('refuses %j as an event', (value) => {
    expect(verdictOf(value)).toBe(' INVALID_EVENT');
  });

  it('gives every JSON value a verdict and never throws', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({}, { noNullPrototype: true }),
      fc
        .dictionary(
          fc.constantFrom('channel', 'sent_at', 'metadata', 'body', 'word_count', '__proto__', 'x'),
          fc.jsonValue(),
        )
        .map((parts) => anEvent(parts)),
    );
    fc.assert(
      fc.property(value, (json) => {
        const { faults, checked } = checkEvent(json, NOW_MS);
        expect(faults === undefined).toBe(checked !== undefined);
      }),
      { seed: 11, numRuns: 3_000 },
    );
  });

  it('says nothing of what was sent in its messages', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('recipient_email', 'body', 'subject', 'sent_at', 'tone', 'event_id'),
        (field) => {
          const { faults = [] } = checkEvent(anEvent({ [field]: 'canary-7f3a\0' }), NOW_MS);
          expect(faults.length).toBeGreaterThan(0);
          expect(JSON.stringify(faults)).not.toContain('canary');
        },
      ),
    );
  });

  it('refuses half a character and NUL in a body as in an event, however the body writes them', () => {
    const odd = fc.string({
      unit: fc.constantFrom('\0', '\ud83d', '\ude00', '\\', 'u0000', 'ud800', '"', 'é', 'x'),
    });
    const parts = fc.oneof(
      odd.map((subject) => ({ subject })),
      odd.map((value) => ({ metadata: { a: [value] } })),
      odd.map((key) => ({ metadata: { [`${key}.`]: 1 } })),
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 3 }), fc.boolean(), (list, escapeAll) => {
        const events = list.map(anEvent);
        const json = JSON.stringify({ events });
        const body = escapeAll ? json.replaceAll('é', String.raw`\u00E9`) : json;
        const verdicts = checkBody(Buffer.from(body), NOW_MS).map(({ faults }) => faults);
        expect(verdicts).toEqual(events.map((event) => checkEvent(event, NOW_MS).faults));
        for (const faults of verdicts) seen.add(faults ? 'refused' : 'accepted');
      }),
      { seed: 12, numRuns: 2_000 },
    );
    expect(seen).toEqual(new Set(['refused', 'accepted']));
  });
});
