import fc from 'fast-check';
import { v5 } from 'uuid';
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

describe('derived ids', () => {
  it('are the version 5 UUIDs of the uuid package', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'grapheme' }), (namespace, name) => {
        // RFC 9562 takes any 16 bytes for a namespace; the package insists on a valid UUID, which fc.uuid gives.
        expect(new NameBasedUuids(namespace).of(name)).toBe(v5(name, namespace));
      }),
      { seed: 5, numRuns: 500 },
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

  it('make one touch of the outcomes of one message', () => {
    const touch = (parts: Record<string, unknown>) => record(parts).touchId;
    expect(touch({ outcome: 'responded', outcome_at: '2026-06-03' })).toBe(touch({}));
    expect(touch({ sent_at: '2026-06-01T11:30:00.9+02:00' })).toBe(touch({}));
    expect(touch({ sent_at: '2026-06-01T09:30:01Z' })).not.toBe(touch({}));
    expect(touch({ sequence_step: 1 })).not.toBe(touch({}));
    expect(touch({ channel: 'linkedin' })).not.toBe(touch({}));
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
