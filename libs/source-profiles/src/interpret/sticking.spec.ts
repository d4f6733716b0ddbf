import { detectByRecord } from '../detect/detect-route';
import { FileMapping } from '../history/file-mapping';
import type { Route } from '../profile';
import { profileOf } from '../profiles/known-profiles';
import { EXAMPLES, routeOf, spoiltRecords, type SourceExample } from '../testing';
import { mapRecord, type MapContext } from './map-record';
import type { SourceRecord } from './read-path';
import { recipientIdOf } from './recipient-id';
import { stickingBeside } from './sticking';

const AT = '2026-01-05T09:00:00.000Z';
const ADA = recipientIdOf('ada@example.com');

/** What sticks beside nothing: in a record of which no event was made. */
const told = (tool: string, record: SourceRecord, route?: Route) => {
  const profile = profileOf(tool);
  if (!profile) throw new Error(tool);
  const detected = detectByRecord([profile], record);
  const known = route ?? ('found' in detected ? detected.found.route : undefined);
  return stickingBeside(profile, known, record, [], { tool }, AT);
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
  [
    'a change of something else, of the type that tells of opt-outs as well',
    'outreach',
    {
      data: {
        type: 'mailing',
        id: 1,
        attributes: { subject: 'New' },
        relationships: { prospect: { id: 7 } },
      },
      meta: { eventName: 'mailing.updated' },
    },
  ],
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
    const { route } = detected.found;
    const context: MapContext = { tool: 'outreach', steps: { '198394': 0 } };
    const mapped = mapRecord(route, record, context);
    if (!('events' in mapped)) throw new Error(JSON.stringify(mapped));
    return stickingBeside(profile, route, record, mapped.events, context, AT);
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

describe('a bounce in a record that cannot be read to its end', () => {
  const SALESLOFT = {
    ...{ id: 77, updated_at: '2026-01-04T09:00:00Z', sent_at: '2026-01-02T09:00:00Z', bounced: true },
    ...{ counts: {}, recipient: { id: 5 }, recipient_email_address: 'ada@example.com', step: { id: 99 } },
  };
  const REPLY_IO = {
    event: { type: 'email_bounced', id: 'e1', date: '2026-01-04T09:00:00Z' },
    contact_fields: { id: 12, email: 'ada@example.com' },
  };
  const [salesloft, replyio] = [told('salesloft', SALESLOFT), told('replyio', REPLY_IO)];

  it.each([
    ['an unknown step', salesloft, '2026-01-04T09:00:00Z', 'not_after'],
    ['no step at all', told('salesloft', { ...SALESLOFT, step: null }), '2026-01-04T09:00:00Z', 'not_after'],
    ['no campaign', replyio, '2026-01-04T09:00:00Z', undefined],
    [
      'no time that can be read',
      told('replyio', { ...REPLY_IO, event: { ...REPLY_IO.event, date: 'soon' } }),
      AT,
      'not_after',
    ],
    [
      'a time that is ahead',
      told('replyio', { ...REPLY_IO, event: { ...REPLY_IO.event, date: '2026-01-05T09:00:01Z' } }),
      AT,
      'not_after',
    ],
  ])('is made of one with %s, at its recipient alone', (_what, events, at, is) => {
    expect(events.map(({ event }) => [event.outcome, event.recipient_id, event.recipient_email])).toEqual([
      ['bounced', ADA, 'ada@example.com'],
    ]);
    expect([events[0]?.event.outcome_at, events[0]?.event.outcome_at_is]).toEqual([at, is]);
    expect(events[0]?.event).toMatchObject({
      sequence_step: 0,
      message_ref: expect.stringMatching(/:contact\//),
    });
    expect(events[0]?.event.sent_at).toBeUndefined();
  });

  it('is one event however often its mail is told of, and another of another mail', () => {
    const identities = [{}, { updated_at: '2026-01-05T08:00:00Z' }, { id: 78 }].map(
      (more) => told('salesloft', { ...SALESLOFT, ...more })[0]?.identity,
    );
    expect(identities[1]).toBe(identities[0]);
    expect(identities[2]).not.toBe(identities[0]);
    const event = { ...REPLY_IO.event, date: '2026-01-05T08:00:00Z' };
    expect(told('replyio', { ...REPLY_IO, event })[0]?.identity).toBe(replyio[0]?.identity);
    const second = { ...REPLY_IO, event: { ...REPLY_IO.event, id: 'e2' } };
    expect(told('replyio', second)[0]?.identity).not.toBe(replyio[0]?.identity);
    const unreadable = (seen: string) => ({
      event_type: 'email_bounced',
      workspace: 'w',
      campaign_id: 'c',
      seen,
    });
    const [one, again, other] = ['x', 'x', 'y'].map(
      (seen) => told('instantly', { ...unreadable(seen), lead_email: 'ada@example.com' })[0]?.identity,
    );
    expect([again === one, other === one]).toEqual([true, false]);
  });

  it('is of the person that only an id names, where no address does', () => {
    const made = told('salesloft', { ...SALESLOFT, recipient_email_address: null });
    expect(made.map(({ event }) => event.recipient_id)).toEqual(['salesloft:5']);
  });

  it('is none of what was never sent, nor of what is no bounce', () => {
    expect(told('salesloft', { ...SALESLOFT, sent_at: null })).toEqual([]);
    expect(told('salesloft', { ...SALESLOFT, bounced: false })).toEqual([]);
    expect(
      told('mailbox', { direction: 'in', kind: 'soft_bounce', counterpart: 'a@b.c', conversation: 'x' }),
    ).toEqual([]);
  });

  it('is for good where the profile says so', () => {
    const made = told('mailbox', {
      direction: 'in',
      kind: 'hard_bounce',
      counterpart: 'a@b.c',
      conversation: 'x',
    });
    expect(made[0]?.event).toMatchObject({ outcome: 'bounced', metadata: { bounce: 'hard' } });
  });
});

describe('labels of a row about a contact', () => {
  const EXPORT = routeOf('smartlead', 'leads-export CSV');
  const row = (more: SourceRecord) =>
    told('smartlead', { email: 'ada@example.com', status: 'COMPLETED', ...more }, EXPORT).map(
      ({ event }) => event.recipient_id,
    );

  it('count where the profile looks at them, and flags anywhere', () => {
    expect(row({ category: 'Do Not Contact' })).toEqual([ADA]);
    expect(row({ 'Opted out': 'yes' })).toEqual([ADA]);
  });

  it("are nobody's opt-out in columns of the customer's own", () => {
    expect(row({ 'Business activity': 'Hair removal', 'Organization name': 'Complaints Ltd' })).toEqual([]);
  });

  it('are none in counts of a campaign', () => {
    const route = routeOf('replyio', 'sequence statistics');
    expect(told('replyio', { Sequence: 'S', Unsubscribed: '1', Contact: 'ada@example.com' }, route)).toEqual(
      [],
    );
  });
});

describe('who bounced and who opted out', () => {
  const NOW_MS = Date.parse('2026-02-01T00:00:00Z');

  /** As the service stores it: what the contract refuses is not in. */
  function stuck({ tool, route: name, context = {} }: SourceExample, record: SourceRecord): string[] {
    const [profile, route] = [profileOf(tool), routeOf(tool, name)];
    if (!profile) throw new Error(tool);
    const file = new FileMapping(profile, context, NOW_MS);
    file.note(route, record, 1);
    const { mapped, sticking } = file.map(route, record, 1);
    const made = 'events' in mapped ? [...mapped.events, ...sticking] : sticking;
    const isIn = (time = '2026-01-01') => Date.parse(time) >= Date.UTC(1990) && Date.parse(time) <= NOW_MS;
    return made
      .map(({ event }) => event)
      .filter(({ outcome }) => outcome === 'bounced' || outcome === 'unsubscribed')
      .filter(({ sent_at: sent, outcome_at: at }) => isIn(sent) && isIn(at))
      .filter(
        ({ sent_at: sent = '', outcome_at: at = '', outcome_at_is: is }) =>
          sent === '' || is === 'not_before' || Date.parse(at) >= Date.parse(sent),
      )
      .map(({ outcome, recipient_id, metadata: { complaint = '', bounce = '' } = {} }) =>
        [outcome, recipient_id, complaint, bounce].join(' '),
      );
  }

  const cases = EXAMPLES.flatMap((example) =>
    example.records.flatMap((record) => {
      const facts = stuck(example, record);
      if (facts.length === 0) return [];
      const spoilt = spoiltRecords(routeOf(example.tool, example.route), record);
      return spoilt.filter(({ namesPerson }) => namesPerson).map((one) => ({ example, facts, ...one }));
    }),
  );

  it('is nobody in examples that tell of neither', () => {
    const others = EXAMPLES.flatMap((example) =>
      example.records.flatMap((record, at) => {
        const word = example.becomes[at] ?? '';
        const facts = /bounced|unsubscribed/.test(word) ? [] : stuck(example, record);
        return facts.map((fact) => [example.tool, word, fact]);
      }),
    );
    // But for a mail that came back, of a step that is not known yet.
    expect(others).toEqual([['salesloft', '!UNKNOWN_STEP_ID step.id', `bounced ${ADA}  `]]);
  });

  it('is told whatever else of a record is gone or unreadable, in every example of every profile', () => {
    expect(cases.length).toBeGreaterThan(300);
    const lost = cases.flatMap(({ example, facts, how, record }) => {
      const left = stuck(example, record);
      return facts
        .filter((fact) => !left.includes(fact))
        .map((fact) => `${example.tool}, ${example.route}, ${how}: ${fact}`);
    });
    expect(lost).toEqual([]);
  });
});

describe('what the contract does not take of a record that can be read', () => {
  const profile = profileOf('instantly');
  const webhook = routeOf('instantly', 'webhook');
  const record = (more: SourceRecord): SourceRecord => ({
    ...{
      event_type: 'lead_unsubscribed',
      workspace: 'w',
      campaign_id: 'c',
      step: 1,
      lead_email: 'ada@example.com',
    },
    ...{ timestamp: '2026-01-04T09:00:00Z', ...more },
  });
  const besideRead = (more: SourceRecord) => {
    if (!profile) throw new Error('no profile');
    const mapping = new FileMapping(profile, {}, Date.parse(AT));
    const { mapped, sticking } = mapping.map(webhook, record(more), 1);
    expect(mapped).toHaveProperty('events.length', 1);
    return sticking.map(({ event }) => event);
  };

  it.each(['jörg@firma.de', 'max.@docomo.example', 'info@müller.de', `${'x'.repeat(10)}@-.example`])(
    'is its address, which is left out: %s',
    (address) => {
      const told = { recipient_id: recipientIdOf(address), outcome: 'unsubscribed' };
      const [optOut, ...others] = besideRead({ lead_email: address });
      expect([optOut, others]).toEqual([expect.objectContaining(told), []]);
      expect(optOut).not.toHaveProperty('recipient_email');
      const [bounce] = besideRead({ lead_email: address, event_type: 'email_bounced' });
      expect(bounce).toMatchObject({ ...told, outcome: 'bounced' });
      expect(bounce).not.toHaveProperty('recipient_email');
    },
  );

  it.each(['Hi \ud83d', 'Hi \0'])('is one of its texts, of which nothing is told: %j', (text) => {
    for (const more of [{ email_subject: text }, { campaign_id: text }])
      expect(besideRead(more)).toEqual([
        expect.objectContaining({
          recipient_id: ADA,
          recipient_email: 'ada@example.com',
          outcome: 'unsubscribed',
        }),
      ]);
    expect(JSON.stringify(besideRead({ email_subject: text }))).not.toContain('Hi');
  });

  it('is nothing where it takes all of it', () => {
    expect(besideRead({})).toEqual([]);
  });
});
