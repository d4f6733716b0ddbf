import type { SourceExample } from './examples';

/* What happens to few messages, of tools whose data come as lists. */

const SENT_AT = '2026-01-05T09:00:00.000Z';
const AT = '2026-01-06T09:00:00.000Z';

const apolloWorkflow = (outcomes_event: string, more: object = {}) => ({
  ...{
    outcomes_event,
    contact_email: 'ada@example.com',
    sequence_id: 'c1',
    step: '1',
    message_id: 'm1',
    at: AT,
  },
  ...more,
});
const apolloMessage = (id: string, more: object = {}) => ({
  ...{
    id,
    emailer_campaign_id: 'c1',
    campaign_position: 1,
    to_email: 'ada@example.com',
    status: 'completed',
  },
  ...{ completed_at: SENT_AT, replied: false, bounced: false },
  ...more,
});
const APOLLO: readonly SourceExample[] = [
  {
    tool: 'apollo',
    route: 'workflow webhook',
    records: [
      ...['sent', 'opened', 'clicked', 'bounced', 'unsubscribed', 'meeting_booked'].map((one) =>
        apolloWorkflow(one),
      ),
      apolloWorkflow('replied', { sent_at: SENT_AT }),
      apolloWorkflow('stage_changed'),
    ],
    becomes: [
      ...['sent', 'opened', 'clicked', 'bounced', 'unsubscribed', 'meeting_booked'],
      ...['responded', '-unknown_type'],
    ],
  },
  {
    tool: 'apollo',
    route: 'message search',
    records: [
      apolloMessage('m1', { opened: true, clicked: true }),
      apolloMessage('m2', { replied: true, replied_at: AT }),
      apolloMessage('m3', { bounced: true, unsubscribed: true }),
      apolloMessage('m4', { status: 'delivered', completed_at: null }),
    ],
    becomes: ['sent opened>= clicked>=', 'sent responded', 'sent bounced>= unsubscribed>=', '-nothing_told'],
  },
];

const hubspot = (hs_email_direction: string, hs_timestamp: string, more: object = {}) => ({
  id: '500124',
  properties: {
    ...{ hs_timestamp, hs_email_direction, hs_email_status: 'SENT', hs_email_thread_id: 't2' },
    ...(hs_email_direction === 'INCOMING_EMAIL'
      ? { hs_email_to_email: 'us@example.org', hs_email_from_email: 'ada@example.com' }
      : { hs_email_to_email: 'ada@example.com', hs_email_from_email: 'us@example.org' }),
    ...more,
  },
});
const HUBSPOT: readonly SourceExample[] = [
  {
    tool: 'hubspot',
    route: 'e-mails that went out',
    records: [
      hubspot('EMAIL', '2026-01-05T09:00:00Z', { hs_email_status: 'BOUNCED' }),
      hubspot('MEETING_INVITATION', '2026-01-05T10:00:00Z'),
    ],
    becomes: ['sent bounced>=', '-unknown_type'],
  },
  {
    tool: 'hubspot',
    route: 'e-mails that came in',
    earlier: [{ route: 'e-mails that went out', record: hubspot('EMAIL', '2026-01-05T09:00:00Z') }],
    records: [
      hubspot('INCOMING_EMAIL', '2026-01-06T09:00:00Z'),
      // In the same thread, from somebody to whom nothing was sent.
      hubspot('INCOMING_EMAIL', '2026-01-06T09:00:00Z', { hs_email_from_email: 'ben@example.com' }),
      hubspot('INCOMING_EMAIL', '2026-01-04T09:00:00Z'),
    ],
    becomes: ['responded', '-told_elsewhere', '-told_elsewhere'],
  },
];

const mailshake = (object: string, actionDate: string, more: object = {}) => ({
  ...{ object, id: 2, actionDate },
  recipient: { object: 'recipient', id: 56, emailAddress: 'ben@example.com' },
  campaign: { object: 'campaign', id: 9, title: 'Spring' },
  ...more,
});
const MAILSHAKE: SourceExample = {
  tool: 'mailshake',
  route: 'activity lists',
  records: [
    mailshake('sent-message', '2026-01-05T09:00:00Z', { type: 'initial' }),
    mailshake('open', '2026-01-05T10:00:00Z'),
    mailshake('click', '2026-01-05T10:01:00Z'),
    // Refused while it was handed over.
    mailshake('reply', '2026-01-05T09:00:00Z', { type: 'bounce' }),
  ],
  becomes: ['sent', 'opened', 'clicked', 'bounced'],
};

export const RARER_IN_LISTS: readonly SourceExample[] = [...APOLLO, ...HUBSPOT, MAILSHAKE];
