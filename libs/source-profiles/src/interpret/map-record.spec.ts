import type { Route } from '../profile';
import { profileOf } from '../profiles/known-profiles';
import { EXAMPLES, mapExample, routeOf, type SourceExample } from '../testing';
import { mapRecord, type Mapped, type MappedEvent } from './map-record';
import { recipientIdOf } from './recipient-id';

const BOUNDS = { exact: '', not_after: '<=', not_before: '>=' };

function wordOf(mapped: Mapped): string {
  if ('skipped' in mapped) return `-${mapped.skipped}`;
  if ('faults' in mapped) return mapped.faults.map(({ code, column }) => `!${code} ${column}`).join(' ');
  const words = mapped.events.map(({ event }) => {
    const step = event.sequence_step === 0 ? '' : `@${event.sequence_step}`;
    return `${event.outcome ?? event.fact}${step}${BOUNDS[event.outcome_at_is ?? 'exact']}`;
  });
  return words.join(' ');
}

function eventsOf(example: SourceExample): MappedEvent[] {
  return mapExample(example).flatMap((mapped) => ('events' in mapped ? mapped.events : []));
}

const exampleOf = (tool: string, route: string) =>
  EXAMPLES.find((example) => example.tool === tool && example.route === route) as SourceExample;

describe('records of the tools', () => {
  it.each(EXAMPLES.map((example) => [`${example.tool}, ${example.route}`, example] as const))(
    '%s',
    (_name, example) => {
      expect(mapExample(example).map(wordOf)).toEqual(example.becomes);
    },
  );

  it('cover every route that tells of messages', () => {
    const told = ({ tool, routes }: { tool: string; routes: readonly Route[] }) =>
      routes.filter(({ facts }) => facts).map(({ name }) => `${tool} ${name}`);
    const tools = [...new Set(EXAMPLES.map(({ tool }) => tool))];
    const routes = tools.flatMap((tool) => told(profileOf(tool) ?? { tool, routes: [] }));
    const untested = routes.filter(
      (name) => !EXAMPLES.some(({ tool, route }) => `${tool} ${route}` === name),
    );
    expect(untested).toEqual([]);
  });

  it('never leave more than a profile maps: no text of a mail, no name, no secret', () => {
    const sent = JSON.stringify(EXAMPLES.flatMap(eventsOf));
    expect(sent).not.toMatch(/Never leaves|"Ada"|us@example\.org/);
  });

  it('say in their metadata what a tool tells of an opt-out or a bounce beyond that there was one', () => {
    const said = EXAMPLES.flatMap(eventsOf).flatMap(({ event }) =>
      event.metadata?.complaint === undefined && event.metadata?.bounce === undefined
        ? []
        : [[event.outcome, event.metadata.complaint ?? null, event.metadata.bounce ?? null]],
    );
    expect(said).toEqual(
      expect.arrayContaining([
        ['unsubscribed', true, null],
        ['bounced', null, 'hard'],
      ]),
    );
    // Only a complaint of an opt-out, and only bounces for good: what is tried again is no event at all.
    expect(new Set(said.map((one) => one.join(' ')))).toEqual(
      new Set(['unsubscribed true ', 'bounced  hard']),
    );
    expect(
      EXAMPLES.flatMap(eventsOf).filter(({ event }) => event.outcome === 'unsubscribed').length,
    ).toBeGreaterThan(said.filter(([outcome]) => outcome === 'unsubscribed').length);
  });

  it('are of the same recipient from every tool, whatever the case of the address', () => {
    const [first] = eventsOf(exampleOf('instantly', 'webhook'));
    expect(first?.event).toMatchObject({
      recipient_id: recipientIdOf('ada@example.com'),
      recipient_email: 'ada@example.com',
      metadata: { campaign_id: 'instantly:0197a1b0-0000-7000-8000-000000000002', variant: '1' },
    });
    expect(first?.event.recipient_id).toMatch(/^em_[0-9a-f]{32}$/);
  });
});

describe('which message an event is about', () => {
  it('is named by the id of the sent mail where every record has it, and never by that of the reply', () => {
    const refs = [
      ...eventsOf(exampleOf('smartlead', 'webhook')),
      ...eventsOf(exampleOf('smartlead', 'webhook of replies')),
    ];
    const named = refs
      .filter(({ event }) => event.message_ref === 'smartlead:f3a9')
      .map(({ event }) => event.outcome ?? event.fact);
    expect(named).toEqual(['sent', 'opened', 'unsubscribed', 'responded']);
  });

  it('is the same by webhook and by export', () => {
    const [byWebhook] = eventsOf(exampleOf('smartlead', 'webhook'));
    const [byExport] = eventsOf(exampleOf('smartlead', 'statistics'));
    const keyOf = ({
      recipient_id,
      sequence_step,
      sent_at,
      message_ref,
      metadata,
    }: MappedEvent['event']) => ({
      recipient_id,
      sequence_step,
      sent_at,
      message_ref,
      campaign: metadata?.campaign_id,
    });
    // "+00:00" of a tool that writes UTC says nothing of the clock on the wall.
    expect(keyOf(byWebhook!.event)).toEqual(keyOf(byExport!.event));
    expect(byWebhook?.event.sent_at).toBe('2026-01-05T09:00:00Z');
  });

  it('is named by campaign, step and recipient where a reply carries no id of it', () => {
    for (const tool of ['instantly', 'replyio'] as const) {
      const [sent, ...others] = eventsOf(exampleOf(tool, 'webhook'));
      const reply = others.find(({ event }) => event.outcome === 'responded');
      expect(reply?.event.message_ref).toBe(sent?.event.message_ref);
      expect(sent?.event.message_ref).toMatch(new RegExp(`^${tool}:.*/0/em_`));
    }
  });

  it('is of another reference for another step, campaign or recipient', () => {
    const route = routeOf('lemlist', 'activity');
    const [record] = exampleOf('lemlist', 'activity').records;
    const refs = [{}, { sequenceStep: 1 }, { campaignId: 'cam_2' }, { leadEmail: 'ben@example.com' }].map(
      (change) => {
        const mapped = mapRecord(route, { ...record, ...change }, { tool: 'lemlist' });
        return 'events' in mapped ? mapped.events[0]?.event.message_ref : undefined;
      },
    );
    expect(new Set(refs).size).toBe(4);
  });

  it('is another for every person, also where its name is too long', () => {
    const route = routeOf('instantly', 'webhook');
    const [record] = exampleOf('instantly', 'webhook').records;
    const refOf = (lead_email: string) => {
      const mapped = mapRecord(
        route,
        { ...record, campaign_id: 'c'.repeat(300), lead_email },
        { tool: 'instantly' },
      );
      return 'events' in mapped ? mapped.events[0]?.event.message_ref : undefined;
    };
    expect(refOf('ada@example.com')).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(refOf('ada@example.com')).not.toBe(refOf('ben@example.com'));
  });

  it('is none for the answer of somebody to whom nothing was sent', () => {
    const example = exampleOf('mailbox', 'mail');
    const [sent, , reply] = example.records;
    const records = [sent ?? {}, { ...reply, counterpart: 'colleague@example.com' }];
    expect(mapExample({ ...example, records }).map(wordOf)).toEqual(['sent', '-told_elsewhere']);
    // Mutation: of the person written to it is the answer.
    expect(mapExample({ ...example, records: [sent ?? {}, reply ?? {}] }).map(wordOf)).toEqual([
      'sent',
      'responded',
    ]);
  });

  it('is none for an opt-out of which no message is known: it sticks to its recipient and waits', () => {
    const optOut = eventsOf(exampleOf('instantly', 'webhook')).find(
      ({ event }) => event.outcome === 'unsubscribed',
    );
    expect(optOut?.event).toMatchObject({
      message_ref: `instantly:contact/${recipientIdOf('ada@example.com')}`,
    });
    expect(optOut?.event.sent_at).toBeUndefined();
  });

  it('is the newest of its conversation that was sent before', () => {
    const events = eventsOf(exampleOf('mailshake', 'activity lists')).map(({ event }) => event);
    expect(events.map(({ outcome, fact, sent_at }) => [outcome ?? fact, sent_at])).toEqual([
      ['sent', '2026-01-05T09:00:00Z'],
      ['sent', '2026-01-08T09:00:00Z'],
      ['responded', '2026-01-08T09:00:00.000Z'],
      ['auto_replied', '2026-01-05T09:00:00.000Z'],
      ['unsubscribed', undefined],
    ]);
  });
});

describe('one reply on several rows', () => {
  it('would count on each of them, did the profile not say so', () => {
    const example = exampleOf('smartlead', 'statistics');
    const route = routeOf('smartlead', 'statistics');
    const facts = (route.facts ?? []).map(({ once: _once, ...fact }) => fact);
    const replies = (mapped: readonly Mapped[]) => mapped.map(wordOf).join(' ').split('responded').length - 1;
    expect(replies(mapExample(example))).toBe(1);
    expect(replies(mapExample(example, { ...route, facts }))).toBe(2);
  });

  it('belongs to the newest mail before it, whatever the order of the rows', () => {
    const example = exampleOf('smartlead', 'statistics');
    const reversed = { ...example, records: [...example.records].reverse() };
    const reply = mapExample(reversed)
      .flatMap((mapped) => ('events' in mapped ? mapped.events : []))
      .find(({ event }) => event.outcome === 'responded');
    expect(reply?.event.message_ref).toBe('smartlead:f3b0');
  });
});

describe('what sticks and comes before its message, by the clocks of the tool', () => {
  const bounce = (event_timestamp: string) => {
    const record = {
      ...{
        event_type: 'EMAIL_BOUNCE',
        stats_id: 'a',
        campaign_id: 1,
        campaign_name: 'S',
        sequence_number: 1,
      },
      ...{ to_email: 'ada@example.com', sent_message: { time: '2026-01-05T09:00:01Z' }, event_timestamp },
    };
    const mapped = mapRecord(routeOf('smartlead', 'webhook'), record, { tool: 'smartlead' });
    const [made] = 'events' in mapped ? mapped.events : [];
    return [made?.event.sent_at, made?.event.outcome_at, made?.event.outcome_at_is ?? 'exact'];
  };
  const SENT = '2026-01-05T09:00:01Z';

  it('happened not before it: a mail that is refused while it is handed over is called sent later', () => {
    expect(bounce('2026-01-05T09:00:00Z')).toEqual([SENT, SENT, 'not_before']);
    expect(bounce('2026-01-04')).toEqual([SENT, SENT, 'not_before']);
  });

  it('is what its time says otherwise, and a date alone is some time of that day', () => {
    for (const at of [SENT, '2026-01-05']) expect(bounce(at)).toEqual([SENT, at, 'exact']);
  });
});

describe('the identity of a delivery', () => {
  const identityOf = (record: object, tool = 'instantly') => {
    const mapped = mapRecord(
      routeOf(tool, tool === 'instantly' ? 'webhook' : 'activity'),
      { ...record },
      { tool },
    );
    return 'events' in mapped ? mapped.events[0]?.identity : undefined;
  };
  const [sent, clicked] = exampleOf('instantly', 'webhook').records;

  it("is the tool's own id of it, where it has one", () => {
    const [activity] = exampleOf('lemlist', 'activity').records;
    expect(identityOf({ ...activity, createdAt: '2026-02-01T00:00:00Z' }, 'lemlist')).toBe(
      identityOf({ ...activity }, 'lemlist'),
    );
    expect(identityOf({ ...activity, _id: 'act_other' }, 'lemlist')).not.toBe(
      identityOf({ ...activity }, 'lemlist'),
    );
  });

  it('is else what it tells of whom, and when', () => {
    expect(identityOf({ ...sent, timestamp: '2026-01-05T09:00:01Z' })).not.toBe(identityOf({ ...sent }));
    expect(identityOf({ ...sent, lead_email: 'ben@example.com' })).not.toBe(identityOf({ ...sent }));
    expect(identityOf({ ...sent, email_subject: 'Edited' })).toBe(identityOf({ ...sent }));
  });

  it('is the message alone for clicks and opens', () => {
    expect(identityOf({ ...clicked, timestamp: '2026-01-09T09:00:01Z' })).toBe(identityOf({ ...clicked }));
  });
});

describe('a whole file', () => {
  const route = routeOf('instantly', 'activity CSV');
  const [row] = exampleOf('instantly', 'activity CSV').records;
  const read = (change: object, context: object) =>
    wordOf(mapRecord(route, { ...row, ...change }, { tool: 'instantly', campaign: 'c', ...context }));

  it('has to say in which zone its times are', () => {
    expect(read({}, {})).toBe('!TIME_ZONE_NEEDED Timestamp');
    expect(read({ Timestamp: '2026-01-05T09:00:00Z' }, {})).toBe('sent');
  });

  it('has to say whether a date begins with its day', () => {
    expect(read({ Timestamp: '01/02/2026 09:00' }, { timeZone: 'UTC' })).toBe('!AMBIGUOUS_DATES Timestamp');
  });

  it('has to say of which campaign it is', () => {
    const { records } = exampleOf('smartlead', 'statistics');
    const mapped = mapRecord(routeOf('smartlead', 'statistics'), records[0] ?? {}, { tool: 'smartlead' });
    expect(wordOf(mapped)).toBe('!CAMPAIGN_NEEDED campaign');
    // Its name is no id of it: another campaign may have the same, and webhooks go by the id.
    expect(row).toHaveProperty('Campaign');
    expect(read({}, { campaign: undefined })).toBe('!CAMPAIGN_NEEDED campaign');
  });

  it('has to say up to when it is complete, where its rows bear no time', () => {
    const { records } = exampleOf('apollo', 'contacts CSV');
    const mapped = mapRecord(routeOf('apollo', 'contacts CSV'), records[1] ?? {}, { tool: 'apollo' });
    expect(wordOf(mapped)).toBe('!OBSERVED_UNTIL_NEEDED bounced');
  });
});
