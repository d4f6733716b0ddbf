import type { Route } from '../profile';
import { mapExample, type SourceExample } from '../testing';
import { PROFILES } from './known-profiles';

type Telling = Pick<SourceExample, 'route' | 'records' | 'earlier'> & {
  readonly context?: Omit<NonNullable<SourceExample['context']>, 'campaign'>;
};

interface SameMail {
  readonly tool: string;
  /** The tool's id of its campaign, which a reader gives where a file asks for it. */
  readonly campaign: string;
  readonly tellings: readonly Telling[];
}

const SENT = '2026-01-08T09:00:00.000Z';
const ANSWERED = '2026-01-09T09:00:00.000Z';
const email = 'ada@example.com';

const instantly = (event_type: string, timestamp: string) => ({
  ...{ timestamp, event_type, workspace: 'w', campaign_id: '0197a1b0', campaign_name: 'Spring' },
  ...{ lead_email: email, step: 2 },
});
const activity = (Activity: string, Timestamp: string) => ({
  ...{ Timestamp, Activity, Lead: email, Campaign: 'Spring', Step: 'Step 2' },
});
const apiEmail = (ue_type: number, timestamp_email: string) => ({
  ...{ ue_type, timestamp_email, lead: email, campaign_id: '0197a1b0', step: '1' },
});

const smartlead = (event_type: string, event_timestamp: string) => ({
  ...{ event_type, event_timestamp, stats_id: 'f3a9', campaign_id: 111, campaign_name: 'Spring' },
  ...{ sequence_number: 2, sl_lead_email: email, sent_message: { time: SENT } },
});
const STATISTICS = [
  {
    ...{ stats_id: 'f3a9', lead_email: email, sequence_number: '2', sent_time: SENT },
    ...{ open_time: '', click_time: '', reply_time: ANSWERED },
    ...{ is_unsubscribed: 'false', is_bounced: 'false' },
  },
];

const apolloWorkflow = (outcomes_event: string, at: string) => ({
  ...{ outcomes_event, contact_email: email, sequence_id: 'c1', step: '2', message_id: 'm1', at },
});

const hubspot = (hs_email_direction: string, hs_timestamp: string) => ({
  properties: {
    ...{ hs_timestamp, hs_email_direction, hs_email_status: 'SENT', hs_email_thread_id: 't1' },
    ...{ hs_email_to_email: email, hs_email_from_email: email },
  },
});

/** One mail and its answer, in the words of each route. */
const SAME_MAIL: readonly SameMail[] = [
  {
    ...{ tool: 'apollo', campaign: 'c1' },
    tellings: [
      {
        route: 'workflow webhook',
        records: [apolloWorkflow('sent', SENT), apolloWorkflow('replied', ANSWERED)],
      },
      {
        route: 'message search',
        records: [
          {
            ...{ id: 'm1', emailer_campaign_id: 'c1', campaign_position: 2, to_email: email },
            ...{ status: 'completed', completed_at: SENT, replied: true },
          },
        ],
      },
    ],
  },
  {
    ...{ tool: 'hubspot', campaign: 'none' },
    tellings: [
      { route: 'e-mails that went out', records: [hubspot('EMAIL', SENT)] },
      {
        route: 'e-mails that came in',
        earlier: [{ route: 'e-mails that went out', record: hubspot('EMAIL', SENT) }],
        records: [hubspot('INCOMING_EMAIL', ANSWERED)],
      },
    ],
  },
  {
    ...{ tool: 'instantly', campaign: '0197a1b0' },
    tellings: [
      { route: 'webhook', records: [instantly('email_sent', SENT), instantly('reply_received', ANSWERED)] },
      {
        route: 'activity CSV',
        records: [activity('Email Sent', SENT), activity('Reply Received', ANSWERED)],
      },
      { route: 'emails of the API', records: [apiEmail(1, SENT), apiEmail(2, ANSWERED)] },
    ],
  },
  {
    ...{ tool: 'smartlead', campaign: '111' },
    tellings: [
      { route: 'webhook', records: [smartlead('EMAIL_SENT', SENT)] },
      { route: 'webhook of replies', records: [smartlead('EMAIL_REPLY', ANSWERED)] },
      { route: 'statistics', records: STATISTICS },
      { route: 'statistics as JSON', records: STATISTICS },
    ],
  },
];

/** What its events say about which mail it is. */
function namesIn({ tool, campaign }: SameMail, { context, ...telling }: Telling): string[] {
  const read = (more: object) =>
    mapExample({ tool, becomes: [], ...telling, context: { ...context, ...more } });
  const isAsked = read({}).some(
    (mapped) => 'faults' in mapped && mapped.faults.some(({ code }) => code === 'CAMPAIGN_NEEDED'),
  );
  const names = read(isAsked ? { campaign } : {}).flatMap((mapped) => {
    if (!('events' in mapped)) return [JSON.stringify(mapped)];
    return mapped.events.map(({ event: { recipient_id, channel, thread_id, message_ref, ...event } }) =>
      JSON.stringify({
        ...{ recipient_id, channel, campaign: event.metadata?.campaign_id, thread_id },
        ...{ step: event.sequence_step, message_ref },
      }),
    );
  });
  return [...new Set(names)];
}

// A row per contact says nothing of single mails.
const tellsOfMails = ({ facts, grain }: Route) => facts !== undefined && grain !== 'contact';
const routesOf = (routes: readonly Route[]) => routes.filter(tellsOfMails).map(({ name }) => name);

describe('the same mail', () => {
  it.each(SAME_MAIL.map((same) => [same.tool, same] as const))(
    'has one reference, one campaign and one thread however %s tells of it',
    (_tool, same) => {
      const told = same.tellings.map((telling) => [telling.route, namesIn(same, telling)] as const);
      const [first] = told[0]?.[1] ?? [];
      expect(first).toContain('"recipient_id":"em_');
      expect(Object.fromEntries(told)).toEqual(
        Object.fromEntries(same.tellings.map(({ route }) => [route, [first]])),
      );
    },
  );

  it('is compared for every tool that tells of mails by more than one route', () => {
    const told = PROFILES.map(({ tool, routes }) => ({ tool, routes: routesOf(routes) }));
    expect(
      SAME_MAIL.map(({ tool, tellings }) => ({ tool, routes: tellings.map(({ route }) => route) })),
    ).toEqual(told.filter(({ routes }) => routes.length > 1));
  });
});
