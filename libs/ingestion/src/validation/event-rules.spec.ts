import fc from 'fast-check';
import { CHANNELS, OUTCOMES, TONES } from '@outcomes/contracts';
import { anEvent } from '../../test/ingestion-events';
import { checkBody, checkEvent } from './event-rules';
import { MAX_FAULTS_PER_EVENT } from './field-fault';

const NOW_MS = Date.parse('2026-06-15T12:00:00Z');

const verdictOf = (value: unknown) => {
  const { faults } = checkEvent(value, NOW_MS);
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
    ['thread_id', null, 'INVALID_TYPE'],
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
    ['metadata', { constructor: 1 }, 'FORBIDDEN_KEY'],
    ['metadata', nested(9), 'METADATA_TOO_DEEP'],
    ['metadata', { a: 'x'.repeat(2_041) }, 'METADATA_TOO_LARGE'],
    ['metadata', { a: 'é'.repeat(1_021) }, 'METADATA_TOO_LARGE'],
    ['job_title', 'CEO', 'UNKNOWN_FIELD'],
  ])('refuses %s: %j', (field, value, code) => {
    expect(verdict({ [field]: value })).toBe(`${field} ${code}`);
  });

  it('names the field __proto__ as unknown, and pollutes nothing', () => {
    const event: unknown = JSON.parse(JSON.stringify(anEvent()).replace('{', '{"__proto__":{"polluted":1},'));
    expect(verdictOf(event)).toBe('__proto__ UNKNOWN_FIELD');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
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

  it('names every field at fault, each once, with a sentence that says how to mend it', () => {
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
