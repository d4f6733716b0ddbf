import { detectByRecord } from '../detect/detect-route';
import { profileOf } from '../profiles/known-profiles';
import { mapRecord } from './map-record';
import { optOutsBeside, optOutsIn } from './opt-outs';
import type { SourceRecord } from './read-path';
import { recipientIdOf } from './recipient-id';

const AT = '2026-01-05T09:00:00.000Z';
const ADA = recipientIdOf('ada@example.com');

const told = (tool: string, record: SourceRecord) => {
  const profile = profileOf(tool);
  if (!profile) throw new Error(tool);
  return optOutsIn(profile, record, AT);
};
const who = (tool: string, record: SourceRecord) => told(tool, record).map(({ event }) => event.recipient_id);

/** Deliveries that no profile reads, in forms that tools have or had. */
const OPT_OUTS: readonly (readonly [string, string, SourceRecord, readonly string[]])[] = [
  [
    'a label of the customer',
    'instantly',
    { event_type: 'Please remove me', lead_email: 'Ada@Example.com' },
    [ADA],
  ],
  [
    'a new name of the type',
    'smartlead',
    { event_type: 'LEAD_OPTED_OUT', to_email: 'ada@example.com' },
    [ADA],
  ],
  [
    'a new version, camelled',
    'lemlist',
    { eventName: 'leadHasUnsubscribed', lead: { email: 'ada@example.com' } },
    [ADA],
  ],
  [
    'a category',
    'smartlead',
    {
      ...{ event_type: 'LEAD_CATEGORY_UPDATED', campaign_id: 1, campaign_name: 'Spring' },
      ...{
        lead_email: 'ada@example.com',
        lead_category: { old_name: 'Interested', new_name: 'Do Not Contact' },
      },
    },
    [ADA],
  ],
  [
    'a complaint',
    'replyio',
    { event: { type: 'spam_complaint' }, contact: { email: 'ada@example.com' } },
    [ADA],
  ],
  [
    'a person of its own, known by an id',
    'outreach',
    {
      data: { type: 'prospect', id: 7, attributes: { optedOut: true, emails: ['ada@example.com'] } },
      meta: { eventName: 'prospect.updated' },
    },
    [ADA, 'outreach:7'],
  ],
  [
    'a time in place of a yes',
    'outreach',
    {
      data: { type: 'prospect', id: '7', attributes: { optedOutAt: '2026-01-04T10:00:00.000Z' } },
      meta: { eventName: 'prospect.updated' },
    },
    ['outreach:7'],
  ],
  ['an id alone', 'salesloft', { event: 'person_unsubscribed', person_id: 12 }, ['salesloft:12']],
  ['a method', 'woodpecker', { method: 'prospect_opt_out', prospect: { email: 'ada@example.com' } }, [ADA]],
  [
    'a name before the address',
    'apollo',
    { event: 'Removal requested', contact: 'Ada <ada@example.com>' },
    [ADA],
  ],
  [
    'a tag',
    'lemlist',
    { type: 'leadTagged', tags: ['vip', 'blacklisted'], leadEmail: 'ada@example.com' },
    [ADA],
  ],
  [
    'a flag as text',
    'apollo',
    { event: 'contact_updated', email: 'ada@example.com', email_unsubscribed: 'true' },
    [ADA],
  ],
];

const OTHERS: readonly (readonly [string, string, SourceRecord])[] = [
  ['another type', 'instantly', { event_type: 'lead_interested', lead_email: 'ada@example.com' }],
  ['one that was taken back', 'smartlead', { event_type: 'LEAD_RESUBSCRIBED', to_email: 'ada@example.com' }],
  [
    'a no',
    'apollo',
    { event: 'contact_updated', email: 'ada@example.com', unsubscribed: false, opted_out: '0' },
  ],
  ['a link', 'lemlist', { type: 'new', leadEmail: 'ada@example.com', unsubscribe: 'https://example.com/u' }],
  [
    'counts of a campaign',
    'instantly',
    {
      event_type: 'new',
      lead_email: 'ada@example.com',
      campaign: { stats: { unsubscribed: 1 } },
      unsubscribed: 12,
    },
  ],
  [
    'the name of a campaign',
    'instantly',
    { event_type: 'new', campaign_name: 'Do not contact', lead_email: 'a@b.c' },
  ],
  [
    'what somebody wrote',
    'instantly',
    { event_type: 'new', text: 'unsubscribe', lead_email: 'ada@example.com' },
  ],
];

describe('an opt-out in a record that nobody can read', () => {
  it.each(OPT_OUTS)('is found, and of whom: %s', (_name, tool, record, recipients) => {
    expect(who(tool, record).toSorted()).toEqual([...recipients].sort());
    for (const { event } of told(tool, record))
      expect(event).toMatchObject({ outcome: 'unsubscribed', outcome_at: AT, outcome_at_is: 'not_after' });
  });

  it.each(OTHERS)('is not made of %s', (_name, tool, record) => {
    expect(who(tool, record)).toEqual([]);
  });

  it('is not of those who write, where only they are named beside the recipient', () => {
    const record = { kind: 'x', action: 'opted-out', from_email: 'us@example.org', email: 'ada@example.com' };
    expect(who('salesloft', record)).toEqual([ADA]);
  });

  it('is known by the condition of its profile, also where that record has lost its time', () => {
    const record = {
      event_type: 'lead_unsubscribed',
      workspace: 'w',
      campaign_id: 'c',
      lead_email: 'ada@example.com',
    };
    expect(who('instantly', record)).toEqual([ADA]);
  });

  it.each([
    ['a label', { event: { type: 'spam_complaint' }, contact: { email: 'ada@example.com' } }],
    ['a flag', { event: 'contact_updated', email: 'ada@example.com', marked_as_spam: true }],
    ['a time', { event: 'contact_updated', email: 'ada@example.com', complainedAt: '2026-01-04T10:00:00Z' }],
  ])('is called a complaint where %s says so, and is another event than an opt-out', (_name, record) => {
    const [complaint] = told('apollo', record);
    expect(complaint?.event).toMatchObject({ outcome: 'unsubscribed', metadata: { complaint: true } });
    const [optOut] = told('apollo', {
      ...record,
      event: 'opted_out',
      marked_as_spam: false,
      complainedAt: null,
    });
    expect(optOut?.event.metadata).toBeUndefined();
    expect(optOut?.identity).not.toBe(complaint?.identity);
  });

  it('is one event however often it is told', () => {
    const identities = [1, 2].map((step) =>
      told('smartlead', { event_type: 'OPTED_OUT', to_email: 'ada@example.com', step }).map(
        ({ identity }) => identity,
      ),
    );
    expect(identities[0]).toHaveLength(1);
    expect(identities[1]).toEqual(identities[0]);
  });
});

describe('an opt-out in a record that tells of something else', () => {
  const reply = (more: SourceRecord, eventName = 'mailing.replied'): SourceRecord => ({
    data: {
      ...{ type: 'mailing', id: 9001, attributes: { repliedAt: '2026-01-03T10:00:00Z', ...more } },
      relationships: {
        prospect: { type: 'prospect', id: 7 },
        sequence: { type: 'sequence', id: 3 },
        sequenceStep: { type: 'sequenceStep', id: 198_394 },
      },
    },
    meta: { eventName, deliveredAt: '2026-01-03T10:00:05.000+00:00' },
  });
  const beside = (record: SourceRecord) => {
    const profile = profileOf('outreach');
    if (!profile) throw new Error('outreach');
    const detected = detectByRecord([profile], record);
    if (!('found' in detected)) throw new Error('no route');
    const mapped = mapRecord(detected.found.route, record, { tool: 'outreach', steps: { '198394': 0 } });
    if (!('events' in mapped)) throw new Error(JSON.stringify(mapped));
    return optOutsBeside(profile, record, mapped.events, AT);
  };

  it('is made of a time, of the recipient of what it tells', () => {
    const [made, ...more] = beside(reply({ unsubscribedAt: '2026-01-04T10:00:00Z' }));
    expect(made?.event).toMatchObject({
      ...{ recipient_id: 'outreach:7', outcome: 'unsubscribed', outcome_at: AT, outcome_at_is: 'not_after' },
    });
    expect([more, made?.identity]).toEqual([[], '["opt-out","outreach:7"]']);
  });

  it('is a complaint where a flag says so', () => {
    const [made] = beside(reply({ markedAsSpam: true }));
    expect(made?.event).toMatchObject({ outcome: 'unsubscribed', metadata: { complaint: true } });
  });

  it.each([
    ['nothing', {}],
    ['a time that is not set', { unsubscribedAt: null }],
    ['a no', { optedOut: false }],
    ['a label, as of why a mail bounced', { errorReason: '554 sender blacklisted' }],
  ])('is not made of %s', (_what, more) => {
    expect(beside(reply(more))).toEqual([]);
  });

  it('is not told twice where the record is the opt-out', () => {
    const told = reply({ unsubscribedAt: '2026-01-04T10:00:00Z' }, 'mailing.updated');
    expect(beside(told)).toEqual([]);
  });
});
