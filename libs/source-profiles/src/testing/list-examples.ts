import type { SourceExample } from './examples';

const apollo = (more: object) => ({
  id: 'm1',
  emailer_campaign_id: 'c1',
  campaign_position: 1,
  to_email: 'ada@example.com',
  subject: 'A question',
  status: 'completed',
  completed_at: '2026-01-05T09:00:00.000+00:00',
  replied: false,
  bounced: false,
  ...more,
});

/** https://docs.apollo.io/reference/search-for-outreach-emails */
export const APOLLO: readonly SourceExample[] = [
  {
    tool: 'apollo',
    route: 'message search',
    records: [
      apollo({}),
      apollo({ id: 'm2', replied: true }),
      apollo({ status: 'scheduled', completed_at: null }),
    ],
    becomes: ['sent', 'sent responded>=', '-not_sent'],
  },
  {
    tool: 'apollo',
    route: 'workflow webhook',
    records: [
      {
        outcomes_event: 'replied',
        contact_email: 'ada@example.com',
        sequence_id: 'c1',
        step: '1',
        message_id: 'm1',
        at: '2026-01-06T09:00:00Z',
      },
      // A workflow sends a token that it cannot fill as it was written.
      { outcomes_event: 'replied', contact_email: '{{contact.email}}', sequence_id: 'c1', step: '1' },
    ],
    becomes: ['responded', '!TOKEN_NOT_FILLED contact_email'],
  },
];

const hubspot = (direction: string, at: string | number, more: object = {}) => ({
  id: '500123',
  properties: {
    hs_timestamp: at,
    hs_email_direction: direction,
    hs_email_status: 'SENT',
    hs_email_thread_id: 't1',
    hs_email_to_email: direction === 'EMAIL' ? 'ada@example.com' : 'us@example.org',
    hs_email_from_email: direction === 'EMAIL' ? 'us@example.org' : 'ada@example.com',
    hs_email_subject: 'A question',
    ...more,
  },
});

/** https://developers.hubspot.com/docs/api/crm/email */
export const HUBSPOT: readonly SourceExample[] = [
  {
    tool: 'hubspot',
    route: 'e-mails that went out',
    records: [
      hubspot('EMAIL', '2026-01-08T09:00:00Z'),
      // Milliseconds since 1970, and out of order.
      hubspot('EMAIL', 1_767_603_600_000),
      hubspot('EMAIL', '2026-01-09T09:00:00Z', { hs_email_status: 'SCHEDULED' }),
      hubspot('FORWARDED_EMAIL', '2026-01-09T09:00:00Z'),
    ],
    becomes: ['sent@1', 'sent', '-not_sent', '-ours'],
  },
  {
    tool: 'hubspot',
    route: 'e-mails that came in',
    records: [hubspot('INCOMING_EMAIL', '2026-01-06T09:00:00Z')],
    // No mail of the thread is in this file, so nothing was answered.
    becomes: ['-told_elsewhere'],
  },
];

const mailshake = (object: string, at: string, more: object = {}) => ({
  object,
  id: 1,
  actionDate: at,
  recipient: { object: 'recipient', id: 55, emailAddress: 'ada@example.com' },
  campaign: { object: 'campaign', id: 9, title: 'Spring' },
  ...more,
});

/** https://api-docs.mailshake.com/ */
export const MAILSHAKE: SourceExample = {
  tool: 'mailshake',
  route: 'activity lists',
  records: [
    mailshake('sent-message', '2026-01-05T09:00:00.000Z', { type: 'initial' }),
    mailshake('sent-message', '2026-01-08T09:00:00.000Z', { type: 'follow-up' }),
    mailshake('reply', '2026-01-09T09:00:00.000Z', { type: 'reply', parent: { id: 2 } }),
    mailshake('reply', '2026-01-05T09:00:03.000Z', { type: 'out-of-office' }),
    mailshake('reply', '2026-01-05T09:00:09.000Z', { type: 'delay-notification' }),
    mailshake('reply', '2026-01-01T09:00:00.000Z', { type: 'unsubscribe' }),
  ],
  becomes: ['sent', 'sent@1', 'responded@1', 'auto_replied', '-soft_bounce', 'unsubscribed'],
};

const mail = (kind: string, date: string, more: object = {}) => ({
  direction: kind === 'sent' ? 'out' : 'in',
  kind,
  counterpart: 'ada@example.com',
  conversation: '<1@example.org>',
  date,
  ...more,
});

/** https://www.rfc-editor.org/rfc/rfc3464, https://www.rfc-editor.org/rfc/rfc3834 */
export const MAILBOX: SourceExample = {
  tool: 'mailbox',
  route: 'mail',
  records: [
    mail('sent', '2026-01-05T09:00:00+01:00', { subject: 'A question' }),
    mail('auto_reply', '2026-01-05T08:00:05Z'),
    mail('reply', '2026-01-06T08:00:00Z'),
    mail('soft_bounce', '2026-01-05T08:00:09Z'),
    mail('hard_bounce', '2026-01-05T08:00:09Z', { conversation: '<unknown>' }),
    mail('reply', '2026-01-06T08:00:00Z', { conversation: '<unknown>' }),
  ],
  becomes: ['sent', 'auto_replied', 'responded', '-soft_bounce', 'bounced', '-told_elsewhere'],
};
