import fc from 'fast-check';
import { v5 } from 'uuid';
import { EVENT_KINDS, FACTS, TONES } from '@outcomes/contracts';
import { anEvent } from '../../test/ingestion-events';
import { checkEvent } from '../validation/event-rules';
import { hashOfAddress, recordOf, type EventRecord } from './event-record';
import { NameBasedUuids } from './name-based-uuid';

const COMPANY = '6e38e328-70eb-5657-9c91-f5b5b68b0ec4';
const OTHER = '00000000-0000-4000-8000-000000000001';

function record(parts: Record<string, unknown> = {}, companyId = COMPANY): EventRecord {
  const { checked, faults } = checkEvent(anEvent(parts), Date.parse('2026-06-15T12:00:00Z'));
  expect(faults).toBeUndefined();
  return recordOf(checked as NonNullable<typeof checked>, new NameBasedUuids(companyId));
}

describe('a soft bounce', () => {
  const told = (parts: Record<string, unknown>) => EVENT_KINDS[record(parts).outcome];

  it('is silence up to then, under an id that neither silence nor a bounce at the same times has', () => {
    const soft = { outcome: 'bounced', metadata: { bounce: 'soft' } };
    expect(told(soft)).toBe('no_response');
    for (const ref of [{}, { message_ref: 'm-1' }]) {
      const ids = [
        { ...soft, ...ref },
        { outcome: 'bounced', ...ref },
        { outcome: 'no_response', ...ref },
      ];
      expect(new Set(ids.map((parts) => record(parts).eventId)).size).toBe(3);
    }
    expect(record(soft).outcomeAtMs).toBe(record({ outcome: 'bounced' }).outcomeAtMs);
  });

  it.each([
    {},
    { bounce: 'hard' },
    { bounce: 'Soft' },
    { bounce: true },
    { bounce: { soft: true } },
    { soft: true },
  ])('is none where it is not called one: %j', (metadata) =>
    expect(told({ outcome: 'bounced', metadata })).toBe('bounced'),
  );

  it.each(['unsubscribed', 'responded', 'no_response'])('is none where the outcome is %s', (outcome) => {
    expect(told({ outcome, metadata: { bounce: 'soft' } })).toBe(outcome);
  });
});

describe('derived ids', () => {
  it('are the version 5 UUIDs of the uuid package', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'grapheme' }), (namespace, name) => {
        // RFC 9562 takes any 16 bytes for a namespace; the package insists on a valid UUID, which fc.uuid gives.
        expect(new NameBasedUuids(namespace).of(name)).toBe(v5(name, namespace));
      }),
      { seed: 5, numRuns: 500 },
    );
    for (const character of ['x', '漢'])
      for (const length of [341, 342, 1_024, 1_025, 2_000])
        expect(new NameBasedUuids(COMPANY).of(character.repeat(length))).toBe(
          v5(character.repeat(length), COMPANY),
        );
  });

  it('are the same whenever the same event comes, however its times are written', () => {
    expect(record()).toEqual(record());
    expect(record({ sent_at: '2026-06-01T11:30:00+02:00' }).eventId).toBe(record().eventId);
  });

  it('keep a given event_id, in lower case', () => {
    expect(record({ event_id: '6E38E328-70EB-4657-9C91-F5B5B68B0EC4' }).eventId).toBe(
      '6e38e328-70eb-4657-9c91-f5b5b68b0ec4',
    );
  });

  it.each([
    { recipient_id: 'other' },
    { channel: 'linkedin' },
    { thread_id: 't' },
    { sequence_step: 1 },
    { sent_at: '2026-06-01T09:30:01Z' },
    { outcome: 'responded' },
    { outcome_at: '2026-06-08T09:30:01Z' },
  ])('differ where the event does: %j', (parts) => {
    expect(record(parts).eventId).not.toBe(record().eventId);
  });

  it('do not depend on what else an event carries', () => {
    expect(record({ subject: 'x', tone: 'direct', word_count: 3 }).eventId).toBe(record().eventId);
  });

  it('differ between companies', () => {
    for (const id of ['eventId', 'threadId', 'touchId'] as const) {
      expect(record({}, OTHER)[id]).not.toBe(record()[id]);
    }
  });

  it('derive a thread from recipient and campaign, and from nothing else', () => {
    const thread = (parts: Record<string, unknown>) => record(parts).threadId;
    expect(thread({ sequence_step: 3, sent_at: '2026-06-02', channel: 'linkedin' })).toBe(thread({}));
    expect(thread({ recipient_id: 'other' })).not.toBe(thread({}));
    expect(thread({ metadata: { campaign_id: 'c' } })).not.toBe(thread({}));
    expect(thread({ metadata: { campaign_id: 'c', note: 1 } })).toBe(
      thread({ metadata: { campaign_id: 'c' } }),
    );
    expect(thread({ metadata: { sequence_id: 'c' } })).toBe(thread({ metadata: { campaign_id: 'c' } }));
    expect(thread({ thread_id: 'given' })).toBe('given');
  });

  it('make one touch of what is told of one message, which its second of sending names', () => {
    const touch = (parts: Record<string, unknown>) => record(parts).touchId;
    expect(touch({ outcome: 'responded', outcome_at: '2026-06-03' })).toBe(touch({}));
    expect(touch({ outcome: undefined, fact: 'opened' })).toBe(touch({}));
    expect(touch({ sent_at: '2026-06-01T11:30:00.999+02:00' })).toBe(touch({}));
    expect(touch({ message_ref: 'm-1' })).toBe(touch({}));
    expect(touch({ sent_at: '2026-06-01T09:30:01Z' })).not.toBe(touch({}));
    expect(touch({ sent_at: '2026-06-01T09:29:59.999Z' })).not.toBe(touch({}));
    expect(touch({ sequence_step: 1 })).not.toBe(touch({}));
    expect(touch({ channel: 'linkedin' })).not.toBe(touch({}));
  });

  it('make no touch where the time of sending is not told', () => {
    const waiting = record({ sent_at: undefined, message_ref: 'm-1', outcome: 'responded' });
    expect(waiting).toMatchObject({ touchId: null, sentAtMs: null, sentHasTime: false });
  });

  it('are those of the versions before for an outcome of a message that sent_at names', () => {
    // Python: uuid.uuid5(uuid.UUID(company), json.dumps(name, separators=(',', ':'))).
    expect(record({ thread_id: 't' }).eventId).toBe('2f903415-7725-5099-9a1e-e2ead3a383d8');
    expect(record({ thread_id: 't', outcome_at_is: 'exact' }).eventId).toBe(
      record({ thread_id: 't' }).eventId,
    );
  });

  it('stay what they are for facts, threads and touches, so that what is sent again counts once', () => {
    // As above; the names are in event-record.ts.
    const opened = { thread_id: 't', outcome: undefined, fact: 'opened' };
    expect(record(opened).eventId).toBe('b6b3c4f6-7086-568f-bc82-bc604f4f8b26');
    expect(record({ ...opened, sent_at: undefined }).eventId).toBe('d232c3bf-b5b5-5309-9ae1-67f03992f3f6');
    expect(record({ thread_id: 't' }).touchId).toBe('8709f685-9a9b-57a5-82be-23166105050e');
    expect(record().threadId).toBe('bfb5cdc2-23f2-5b9a-85c1-d8941a3a1352');
    expect(record({ metadata: { campaign_id: 'c' } }).threadId).toBe('f4cbbf2d-9cb1-57ed-b0a7-e0267ab1d170');
  });

  it('differ for different facts, times, meanings of times and messages', () => {
    const fact = (parts: Record<string, unknown>) => record({ outcome: undefined, ...parts }).eventId;
    const ids = [
      record({}).eventId,
      ...FACTS.map((name) => fact({ fact: name })),
      fact({ fact: 'opened', outcome_at: '2026-06-08T09:30:01Z' }),
      ...['not_before', 'not_after'].map((outcome_at_is) => fact({ fact: 'opened', outcome_at_is })),
      ...['not_before', 'not_after'].map((outcome_at_is) => record({ outcome_at_is }).eventId),
      fact({ fact: 'opened', sent_at: undefined }),
      ...['m-1', 'm-2'].map((message_ref) => fact({ fact: 'opened', sent_at: undefined, message_ref })),
      ...['m-1', 'm-2'].map((message_ref) => record({ sent_at: undefined, message_ref }).eventId),
      ...['m-1', 'm-2'].map((message_ref) => record({ message_ref }).eventId),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(fact({ fact: 'opened' })).toBe(fact({ fact: 'opened', subject: 'x' }));
  });
});

describe('what is stored of an event', () => {
  it('is what was sent, and nothing where nothing was', () => {
    const sent = {
      ...{
        recipient_position: 'VP',
        subject: 'S',
        body_excerpt: 'E',
        body: 'B',
        industry: 'saas',
        word_count: 0,
      },
      ...{ tone: TONES[1], metadata: { a: [1, null] }, sent_at: '2026-06-01T11:30+02:00' },
    };
    expect(record(sent)).toMatchObject({
      ...{
        recipientPosition: 'VP',
        subject: 'S',
        bodyExcerpt: 'E',
        body: 'B',
        industry: 'saas',
        wordCount: 0,
      },
      ...{ tone: 1, metadata: '{"a":[1,null]}', sentOffsetMinutes: 120, sentHasTime: true },
    });
    expect(record({ sent_at: '2026-06-01' })).toMatchObject({
      ...{
        recipientPosition: null,
        subject: null,
        bodyExcerpt: null,
        body: null,
        industry: null,
        wordCount: null,
      },
      ...{ tone: null, metadata: null, sentOffsetMinutes: null, sentHasTime: false, campaignId: null },
      ...{ recipientHash: null, emailDomain: null, messageRef: null, sourceId: null },
    });
  });

  it.each([
    ['unsubscribed', {}, hashOfAddress('max@x.org')],
    ['bounced', {}, hashOfAddress('max@x.org')],
    ['bounced', { metadata: { bounce: 'soft' } }, null],
    ['responded', {}, hashOfAddress('max@x.org')],
    ['no_response', {}, null],
    ['unsubscribed', { recipient_email: 'other@x.org' }, null],
    ['unsubscribed', { recipient_id: 'max' }, null],
  ])('names the address that a recipient_id is: %s with %j', (outcome, parts, idAddressHash) => {
    expect(record({ recipient_id: 'Max@X.org', outcome, ...parts })).toMatchObject({ idAddressHash });
  });

  it.each([
    [{ campaign_id: 'c', sequence_id: 's' }, 'c'],
    [{ campaign_id: 7 }, '7'],
    [{ sequence_id: 8 }, '8'],
    [{ campaign_id: '', sequence_id: 's' }, 's'],
    [{ campaign_id: { id: 'c' }, sequence_id: 's' }, 's'],
    [{ campaign_id: true }, null],
    [{ sequence_id: '' }, null],
  ])('is of the campaign that its metadata names: %j of %j', (metadata, campaignId) => {
    expect(record({ metadata }).campaignId).toBe(campaignId);
  });
});

describe('what is stored of a fact', () => {
  it('is its place among outcomes and facts, and what its time means', () => {
    const opened = record({ outcome: undefined, fact: 'opened', outcome_at_is: 'not_after' });
    expect(opened).toMatchObject({ outcome: 5, outcomeAtIs: 2 });
    expect(record({ outcome: 'unsubscribed' })).toMatchObject({ outcome: 3, outcomeAtIs: 0 });
    // A date alone keeps that it is one, and names the event as the first moment of its day always has.
    const onDay = record({ outcome_at: '2026-06-08' });
    expect(onDay).toMatchObject({ outcomeAtIs: 3, outcomeAtMs: Date.parse('2026-06-08') });
    expect(onDay.eventId).toBe(record({ outcome_at: '2026-06-08T00:00:00Z' }).eventId);
    expect(record({ outcome_at: '2026-06-08', outcome_at_is: 'not_before' })).toMatchObject({
      outcomeAtIs: 1,
    });
  });

  it('is the time of sending where a sending has no other', () => {
    const sent = record({ outcome: undefined, fact: 'sent', outcome_at: undefined });
    expect(sent).toMatchObject({ outcome: 4, outcomeAtMs: sent.sentAtMs });
  });
});

describe('what is stored of a message_ref', () => {
  it('is the start of a SHA-256, never the reference', () => {
    const { messageRef } = record({ message_ref: '<m-1@mail.example>' });
    // printf '["","<m-1@mail.example>"]' | sha256sum | cut -c 1-32
    expect(messageRef?.toString('hex')).toBe('0c91da124914960116a5152df9f96007');
    expect(record({}).messageRef).toBeNull();
  });
});

describe('what is stored of an address', () => {
  it('is the start of its SHA-256 and its domain, never the address', () => {
    const stored = record({ recipient_email: '  Ann@Acme.COM ' });
    // printf 'ann@acme.com' | sha256sum
    expect(stored.recipientHash).toBe(hashOfAddress('ann@acme.com'));
    expect(stored.recipientHash).toMatch(/^[0-9a-f]{16}$/);
    expect(stored.emailDomain).toBe('acme.com');
    expect(JSON.stringify(stored).toLowerCase()).not.toContain('ann@acme');
  });
});
