import type { SourceExample } from './examples';

const instantly = (event_type: string, more: object = {}) => ({
  timestamp: '2026-01-05T09:00:00.000Z',
  event_type,
  workspace: '0197a1b0-0000-7000-8000-000000000001',
  campaign_id: '0197a1b0-0000-7000-8000-000000000002',
  campaign_name: 'Spring',
  lead_email: 'Ada@Example.com',
  email_account: 'us@example.org',
  step: 1,
  variant: 1,
  is_first: true,
  ...more,
});

/** https://developer.instantly.ai/webhook-events */
export const INSTANTLY: SourceExample = {
  tool: 'instantly',
  route: 'webhook',
  records: [
    instantly('email_sent', { email_id: 'a', email_subject: 'A question', email_text: 'Never leaves' }),
    // Subscribed to as email_link_clicked, delivered as link_clicked.
    instantly('link_clicked', { timestamp: '2026-01-05T10:00:00.000Z' }),
    instantly('reply_received', {
      timestamp: '2026-01-06T09:00:00.000Z',
      email_id: 'another than that of the mail',
    }),
    instantly('auto_reply_received', { timestamp: '2026-01-05T09:00:05.000Z' }),
    instantly('lead_unsubscribed', { timestamp: '2026-01-07T09:00:00.000Z', step: undefined }),
    instantly('lead_interested'),
    // A label of the customer's own is sent as it is called.
    instantly('Call back in spring'),
    instantly('email_sent', { step: undefined }),
  ],
  becomes: [
    'sent',
    'clicked',
    'responded',
    'auto_replied',
    'unsubscribed',
    '-label',
    '-unknown_type',
    '!MISSING_VALUE step',
  ],
};

const smartlead = (event_type: string, more: object = {}) => ({
  event_type,
  stats_id: 'f3a9',
  campaign_id: 111,
  campaign_name: 'Spring',
  campaign_status: 'ACTIVE',
  from_email: 'us@example.org',
  subject: 'A question',
  sequence_number: 1,
  sent_message: {
    message_id: '<1@example.org>',
    html: '<p>Never leaves</p>',
    time: '2026-01-05T09:00:00.000+00:00',
  },
  event_timestamp: '2026-01-05T09:00:00.000+00:00',
  secret_key: 'Never leaves',
  ...more,
});

/** https://help.smartlead.ai/Email-Sent-d178e38d71a24e24a92383b7222d46c2 and https://api.smartlead.ai/api-reference/webhooks/events */
export const SMARTLEAD: readonly SourceExample[] = [
  {
    tool: 'smartlead',
    route: 'webhook',
    records: [
      smartlead('EMAIL_SENT', { to_email: 'ada@example.com' }),
      // The dialect of the reference: no id of the mail, a time of its own name.
      {
        event_type: 'EMAIL_SENT',
        from_email: 'us@example.org',
        to_email: 'ben@example.com',
        time_sent: '2026-01-05T09:00:00Z',
        campaign_name: 'Spring',
        campaign_id: 111,
        sequence_number: 2,
        message_id: 'abc',
      },
      smartlead('EMAIL_OPEN', { to_email: 'ada@example.com', event_timestamp: '2026-01-05T09:20:00.000Z' }),
      smartlead('LEAD_UNSUBSCRIBED', { lead_email: 'ada@example.com', sequence_number: undefined }),
      smartlead('LEAD_CATEGORY_UPDATED', {
        lead_email: 'ada@example.com',
        lead_category: { new_name: 'Interested' },
      }),
    ],
    becomes: ['sent', 'sent@1', 'opened', 'unsubscribed', '-label'],
  },
  {
    tool: 'smartlead',
    route: 'webhook of replies',
    records: [
      // The mailbox that got the reply is ours, and stands in to_email.
      smartlead('EMAIL_REPLY', {
        sl_lead_email: 'ada@example.com',
        to_email: 'us@example.org',
        event_timestamp: '2026-01-06T08:00:00',
      }),
      smartlead('EMAIL_REPLY', { to_email: 'us@example.org' }),
    ],
    becomes: ['responded', '!MISSING_VALUE sl_lead_email'],
  },
];

const lemlist = (type: string, more: object = {}) => ({
  _id: `act_${type}`,
  type,
  leadId: 'lea_1',
  leadEmail: 'ada@example.com',
  campaignId: 'cam_1',
  campaignName: 'Spring',
  sequenceId: 'seq_1',
  sequenceStep: 0,
  emailId: `ema_${type}`,
  createdAt: '2026-01-05T09:00:00.000Z',
  ...more,
});

/** https://developer.lemlist.com/api-reference/objects-definitions/activity */
export const LEMLIST: SourceExample = {
  tool: 'lemlist',
  route: 'activity',
  records: [
    lemlist('emailsSent'),
    lemlist('emailsReplied', { createdAt: '2026-01-06T09:00:00.000Z' }),
    lemlist('linkedinSent', { leadEmail: undefined }),
    // Written by hand in the composer, outside of any sequence.
    lemlist('emailsReplied', { sequenceStep: undefined }),
    lemlist('emailsInterested'),
    lemlist('somethingNew'),
  ],
  becomes: ['sent', 'responded', 'sent', '-no_message', '-label', '-unknown_type'],
};

const outreach = (action: string, attributes: object, relationships: object = {}) => ({
  data: {
    type: 'mailing',
    id: 9001,
    attributes,
    relationships: {
      prospect: { type: 'prospect', id: 7 },
      sequence: { type: 'sequence', id: 3 },
      sequenceStep: { type: 'sequenceStep', id: 198394 },
      ...relationships,
    },
  },
  meta: { eventName: `mailing.${action}`, deliveredAt: '2026-01-05T09:00:01.000+00:00' },
});

/** https://developers.outreach.io/api/webhooks */
export const OUTREACH: SourceExample = {
  tool: 'outreach',
  route: 'webhook',
  context: { steps: { '198394': 0 } },
  records: [
    outreach('delivered', { deliveredAt: '2026-01-05T09:00:00.000Z' }),
    // Of an update only what changed is there: no address, no time of sending.
    outreach('replied', { repliedAt: '2026-01-06T09:00:00.000Z' }, { sequenceStep: undefined }),
    outreach('delivered', { deliveredAt: '2026-01-05T09:00:00.000Z' }, { sequenceStep: { id: 5 } }),
    outreach('bounced', { bouncedAt: '2026-01-05T09:01:00.000Z' }, { sequenceStep: { id: 5 } }),
    outreach('updated', { subject: 'Changed' }),
    outreach('replied', { repliedAt: '2026-01-06T09:00:00.000Z' }, { prospect: undefined }),
  ],
  becomes: [
    'sent',
    'responded',
    '!UNKNOWN_STEP_ID data.relationships.sequenceStep.id',
    'bounced',
    '-label',
    '!MISSING_VALUE data.relationships.prospect.data.id',
  ],
};

const salesloft = (more: object) => ({
  id: 77,
  created_at: '2026-01-05T08:00:00.000000-05:00',
  updated_at: '2026-01-08T09:00:00.000000Z',
  sent_at: '2026-01-05T09:00:00.000000Z',
  status: 'sent',
  bounced: false,
  counts: { clicks: 0, views: 0, replies: 0, unique_devices: 1, unique_locations: 1, attachments: 0 },
  recipient: { id: 5 },
  recipient_email_address: 'ada@example.com',
  cadence: { id: 4 },
  step: { id: 12 },
  ...more,
});

/** https://developers.salesloft.com/docs/platform/webhooks/event-types/ */
export const SALESLOFT: SourceExample = {
  tool: 'salesloft',
  route: 'email',
  context: { steps: { '12': 1 } },
  records: [
    salesloft({}),
    // No event tells of a reply: the count does, some time before the update.
    salesloft({ counts: { clicks: 0, views: 2, replies: 1 } }),
    salesloft({ sent_at: null, status: 'scheduled' }),
    salesloft({ bounced: true, step: { id: 13 } }),
  ],
  becomes: ['sent@1', 'sent@1 opened@1<= responded@1<=', '-not_sent', '!UNKNOWN_STEP_ID step.id'],
};

const reply = (type: string, more: object = {}) => ({
  event: {
    date: '2026-01-05T09:00:00.000Z',
    id: `4c1b9e74-${type}`,
    type,
    user_id: 1,
    team_id: 2,
    subscription_id: 3,
  },
  contact_fields: { id: 12345, email: 'ada@example.com', title: 'Head of Sales' },
  sequence_fields: { id: 678, name: 'Spring', step_number: 1 },
  ...more,
});

/** https://docs.reply.io/pages/webhook-event-payloads */
export const REPLY_IO: SourceExample = {
  tool: 'replyio',
  route: 'webhook',
  records: [
    reply('email_sent'),
    reply('email_replied', { reply_reason: 'EmailDetected' }),
    reply('email_replied', { reply_reason: 'ManuallyMarked' }),
    reply('sequence_started'),
    reply('something_new'),
  ],
  becomes: ['sent', 'responded', '-by_hand', '-label', '-unknown_type'],
};

const woodpecker = (method: string, more: object = {}) => ({
  method,
  prospect: {
    id: 1234567890,
    email: 'ada@example.com',
    title: 'CEO',
    industry: 'IT',
    campaign_id: 123456,
    campaign_name: 'Spring',
    campaign_email: 'us@example.org',
    step: 2,
    status: 'ACTIVE',
  },
  timestamp: '2026-01-05T09:00:07+0100',
  ...more,
});

/** https://developers.woodpecker.co/docs/webhooks/campaign-sent, .../prospect-replied */
export const WOODPECKER: SourceExample = {
  tool: 'woodpecker',
  route: 'webhook',
  records: [
    woodpecker('campaign_sent', {
      email: { id: 1, subject: 'A question', sent: '2026-01-05T09:00:00+0100' },
    }),
    woodpecker('prospect_replied', {
      email: { id: 2, message: 'Never leaves', date: '2026-01-06T09:00:00+0100' },
      timestamp: '2026-01-06T09:00:07+0100',
    }),
    // Set to replied by hand: no mail is with it.
    woodpecker('prospect_replied', { email: {} }),
    woodpecker('prospect_interested'),
  ],
  becomes: ['sent@1', 'responded@1', '-by_hand', '-label'],
};
