import type { SourceExample } from './examples';

/*
 * What happens to few messages, in the names of each tool: with the examples beside it, every rule of every profile is
 * told apart from its absence (interpret/rules.spec.ts).
 */

const SENT_AT = '2026-01-05T09:00:00.000Z';
const AT = '2026-01-06T09:00:00.000Z';

const instantly = (event_type: string, more: object = {}) => ({
  ...{ timestamp: AT, event_type, workspace: 'w', campaign_id: 'c', lead_email: 'ada@example.com', step: 1 },
  ...more,
});
const activity = (Activity: string) => ({
  ...{
    Timestamp: '2026-01-06 09:00:00',
    Activity,
    Lead: 'ada@example.com',
    Campaign: 'Spring',
    Step: 'Step 2',
  },
});
const INSTANTLY: readonly SourceExample[] = [
  {
    tool: 'instantly',
    route: 'webhook',
    records: [
      instantly('email_opened'),
      instantly('email_link_clicked'),
      // Of a mail that belongs to no step nothing can be said.
      instantly('email_opened', { step: undefined }),
      instantly('email_bounced'),
      instantly('lead_out_of_office'),
      instantly('lead_meeting_booked'),
    ],
    becomes: ['opened', 'clicked', '-no_message', 'bounced', 'auto_replied', 'meeting_booked'],
  },
  {
    tool: 'instantly',
    route: 'activity CSV',
    context: { campaign: 'c', timeZone: 'America/New_York' },
    records: [
      ...['Email Opened', 'Link Clicked', 'Auto Reply Received', 'Email Bounced', 'Lead Unsubscribed'].map(
        activity,
      ),
    ],
    becomes: ['opened@1', 'clicked@1', 'auto_replied@1', 'bounced@1', 'unsubscribed@1'],
  },
  {
    tool: 'instantly',
    route: 'emails of the API',
    records: [{ ue_type: 4, timestamp_email: AT, lead: 'ada@example.com', campaign_id: 'c', step: '0' }],
    becomes: ['-not_sent'],
  },
  {
    tool: 'instantly',
    route: 'leads CSV',
    context: { observedUntil: '2026-01-31T00:00:00Z' },
    records: [{ Email: 'cy@example.com', 'Lead Status': 'Bounced', 'Email Provider': 'Google' }],
    becomes: ['bounced<='],
  },
];

const smartlead = (event_type: string, event_timestamp: string) => ({
  ...{ event_type, event_timestamp, stats_id: 'f3a9', campaign_id: 111, campaign_name: 'Spring' },
  ...{ sequence_number: 1, sl_lead_email: 'ada@example.com', sent_message: { time: SENT_AT } },
});
const statistics = (stats_id: string, more: object) => ({
  ...{ stats_id, lead_email: 'ada@example.com', sequence_number: '1', sent_time: '2026-01-05 09:00:00' },
  ...{ open_time: '', click_time: '', reply_time: '', is_unsubscribed: 'false', is_bounced: 'false' },
  ...more,
});
const STATISTICS = {
  tool: 'smartlead',
  context: { campaign: '111' },
  records: [
    statistics('a', { open_time: '2026-01-05 10:00:00', click_time: '2026-01-05 10:01:00' }),
    statistics('b', { is_unsubscribed: 'true' }),
    // One reply, on every mail of its reader.
    statistics('c', { lead_email: 'ben@example.com', reply_time: '2026-01-09 09:00:00' }),
    statistics('d', {
      ...{ lead_email: 'ben@example.com', sequence_number: '2', sent_time: '2026-01-08 09:00:00' },
      reply_time: '2026-01-09 09:00:00',
    }),
    statistics('e', { is_bounced: 'true' }),
    statistics('f', { sent_time: '' }),
  ],
  becomes: ['sent opened clicked', 'sent unsubscribed>=', 'sent', 'sent@1 responded@1', 'sent bounced>='],
};
const SMARTLEAD: readonly SourceExample[] = [
  {
    tool: 'smartlead',
    route: 'webhook',
    records: [smartlead('EMAIL_LINK_CLICK', AT), smartlead('EMAIL_BOUNCE', AT)],
    becomes: ['clicked', 'bounced'],
  },
  {
    ...STATISTICS,
    route: 'statistics',
    // What happened to one mail stands on the rows of those that will never be sent.
    records: [...STATISTICS.records, statistics('g', { sent_time: '', is_bounced: 'true' })],
    becomes: [...STATISTICS.becomes, '-not_sent', '-not_sent'],
  },
  { ...STATISTICS, route: 'statistics as JSON', becomes: [...STATISTICS.becomes, '-nothing_told'] },
  {
    tool: 'smartlead',
    route: 'leads-export CSV',
    context: { observedUntil: '2026-01-31T00:00:00Z' },
    records: [
      {
        ...{
          campaign_lead_map_id: '1',
          email: 'ada@example.com',
          status: 'BOUNCED',
          is_unsubscribed: 'false',
        },
        last_email_sequence_sent: '2',
      },
    ],
    becomes: ['bounced<='],
  },
];

const lemlist = (type: string, more: object = {}) => ({
  ...{ _id: `act_${type}`, type, leadId: 'lea_1', leadEmail: 'ada@example.com', campaignId: 'cam_1' },
  ...{ sequenceStep: 1, createdAt: AT },
  ...more,
});
const LEMLIST: SourceExample = {
  tool: 'lemlist',
  route: 'activity',
  records: [
    ...['emailsOpened', 'emailsClicked', 'emailsBounced'].map((type) => lemlist(type)),
    // Who opts out does so whatever step it was.
    lemlist('emailsUnsubscribed', { sequenceStep: undefined }),
  ],
  becomes: ['opened@1', 'clicked@1', 'bounced@1', 'unsubscribed'],
};

const outreach = (action: string, attributes: object) => ({
  data: {
    ...{ type: 'mailing', id: 9002, attributes },
    relationships: { prospect: { id: 7 }, sequence: { id: 3 }, sequenceStep: { id: 198394 } },
  },
  meta: { eventName: `mailing.${action}`, deliveredAt: '2026-01-06T09:00:01.000+00:00' },
});
const OUTREACH: SourceExample = {
  tool: 'outreach',
  route: 'webhook',
  context: { steps: { '198394': 0 } },
  records: [
    outreach('created', { subject: 'A question' }),
    outreach('opened', { openedAt: AT }),
    outreach('updated', { unsubscribedAt: AT }),
  ],
  becomes: ['-not_sent', 'opened', 'unsubscribed'],
};

const reply = (type: string) => ({
  event: { date: AT, id: `4c1b9e74-${type}`, type },
  contact_fields: { id: 12345, email: 'ada@example.com' },
  sequence_fields: { id: 678, step_number: 1 },
});
const REPLY_IO: SourceExample = {
  tool: 'replyio',
  route: 'webhook',
  records: [
    ...['email_opened', 'link_clicked', 'auto_reply_received', 'email_bounced', 'email_unsubscribed'].map(
      reply,
    ),
    ...['email_spam_reported', 'meeting_booked'].map(reply),
  ],
  becomes: ['opened', 'clicked', 'auto_replied', 'bounced', 'unsubscribed', 'unsubscribed', 'meeting_booked'],
};

const salesloft = (more: object) => ({
  ...{ id: 78, updated_at: AT, sent_at: SENT_AT, status: 'sent', bounced: false, counts: {} },
  ...{
    recipient: { id: 5 },
    recipient_email_address: 'ada@example.com',
    cadence: { id: 4 },
    step: { id: 12 },
  },
  ...more,
});
const SALESLOFT: SourceExample = {
  tool: 'salesloft',
  route: 'email',
  context: { steps: { '12': 1 } },
  records: [
    salesloft({ counts: { clicks: 1, views: 1 } }),
    salesloft({ id: 79, bounced: true }),
    // Given up before it went out.
    salesloft({ id: 80, sent_at: null, bounced: true }),
  ],
  becomes: ['sent@1 opened@1<= clicked@1<=', 'sent@1 bounced@1<=', '-not_sent'],
};

const woodpecker = (method: string, more: object = {}) => ({
  method,
  prospect: { id: 1, email: 'ada@example.com', campaign_id: 123456, step: 2 },
  timestamp: '2026-01-06T09:00:07+0100',
  ...more,
});
const WOODPECKER: SourceExample = {
  tool: 'woodpecker',
  route: 'webhook',
  records: [
    ...['email_opened', 'link_clicked', 'prospect_bounced', 'prospect_opt_out'].map((method) =>
      woodpecker(method),
    ),
    woodpecker('prospect_autoreplied', { email: { id: 3, date: '2026-01-06T09:00:00+0100' } }),
  ],
  becomes: ['opened@1', 'clicked@1', 'bounced@1', 'unsubscribed@1', 'auto_replied@1'],
};

export const RARER: readonly SourceExample[] = [
  ...INSTANTLY,
  ...SMARTLEAD,
  LEMLIST,
  OUTREACH,
  REPLY_IO,
  SALESLOFT,
  WOODPECKER,
];
