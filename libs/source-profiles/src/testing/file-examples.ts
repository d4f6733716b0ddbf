import type { SourceExample } from './examples';

const statistics = (more: object) => ({
  lead_name: 'Ada',
  lead_email: 'ada@example.com',
  lead_category: 'Interested',
  sequence_number: '1',
  stats_id: 'f3a9',
  email_subject: 'A question',
  email_message: 'Never leaves',
  sent_time: '2026-01-05 09:00:00',
  open_time: '',
  click_time: '',
  reply_time: '',
  open_count: '0',
  is_unsubscribed: 'false',
  is_bounced: 'false',
  ...more,
});

/** https://api.smartlead.ai/reference/fetch-campaign-statistics-by-campaign-id */
export const MESSAGE_FILES: readonly SourceExample[] = [
  {
    tool: 'smartlead',
    route: 'statistics',
    context: { campaign: '111' },
    records: [
      // One reply, written on every mail of its reader: it answers the newest before it.
      statistics({ reply_time: '2026-01-09 09:00:00' }),
      statistics({
        stats_id: 'f3b0',
        sequence_number: '2',
        sent_time: '2026-01-08 09:00:00',
        reply_time: '2026-01-09 09:00:00',
      }),
      statistics({
        stats_id: 'f3b1',
        sequence_number: '3',
        sent_time: '',
        reply_time: '2026-01-09 09:00:00',
      }),
      // A category is set by hand, or by a machine, and is no reply.
      statistics({ stats_id: 'f3b2', lead_email: 'ben@example.com' }),
      statistics({ stats_id: 'f3b3', lead_email: 'cy@example.com', is_bounced: 'true' }),
      statistics({ stats_id: 'f3b4', lead_email: 'no address' }),
      statistics({ stats_id: 'f3b5', sequence_number: 'third' }),
    ],
    becomes: [
      'sent',
      'sent@1 responded@1',
      '-not_sent',
      'sent',
      'sent bounced>=',
      '!INVALID_ADDRESS lead_email',
      '!INVALID_STEP sequence_number',
    ],
  },
  {
    tool: 'instantly',
    route: 'activity CSV',
    context: { campaign: '0197a1b0-0000-7000-8000-000000000002', timeZone: 'America/New_York' },
    records: [
      {
        Timestamp: '2026-01-05 09:00:00',
        Activity: 'Email Sent',
        Lead: 'ada@example.com',
        Campaign: 'Spring',
        Step: 'Step 1',
      },
      {
        Timestamp: '2026-01-06 09:00:00',
        Activity: 'Reply Received',
        Lead: 'ada@example.com',
        Campaign: 'Spring',
        Step: 'Step 1',
      },
      // What we wrote back.
      {
        Timestamp: '2026-01-06 10:00:00',
        Activity: 'Unibox Reply',
        Lead: 'ada@example.com',
        Campaign: 'Spring',
        Step: 'Step 1',
      },
    ],
    becomes: ['sent', 'responded', '-ours'],
  },
  {
    tool: 'instantly',
    route: 'emails of the API',
    records: [
      {
        ue_type: 1,
        timestamp_email: '2026-01-05T09:00:00.000Z',
        lead: 'ada@example.com',
        campaign_id: 'c',
        step: '0',
      },
      {
        ue_type: 2,
        timestamp_email: '2026-01-06T09:00:00.000Z',
        lead: 'ada@example.com',
        campaign_id: 'c',
        step: '0',
        is_auto_reply: 0,
      },
      {
        ue_type: 2,
        timestamp_email: '2026-01-06T09:00:00.000Z',
        lead: 'ada@example.com',
        campaign_id: 'c',
        step: '0',
        is_auto_reply: 1,
      },
      {
        ue_type: 3,
        timestamp_email: '2026-01-07T09:00:00.000Z',
        lead: 'ada@example.com',
        campaign_id: 'c',
        step: '0',
      },
    ],
    becomes: ['sent', 'responded', 'auto_replied', '-ours'],
  },
];

const contact = { Email: 'ada@example.com', 'Email Sent': 'true', 'Email Open': 'true', Replied: 'true' };
const lead = {
  campaign_lead_map_id: '1',
  email: 'ada@example.com',
  status: 'COMPLETED',
  last_email_sequence_sent: '2',
};

/** Rows that stand for a person: what happened to which mail they do not say. */
export const CONTACT_FILES: readonly SourceExample[] = [
  {
    tool: 'apollo',
    route: 'contacts CSV',
    context: { observedUntil: '2026-01-31T00:00:00Z' },
    records: [
      { ...contact, 'Email Bounced': 'false', 'Email Unsubscribed': 'false' },
      { ...contact, 'Email Bounced': 'true', 'Email Unsubscribed': 'true' },
    ],
    becomes: ['-nothing_told', 'bounced<= unsubscribed<='],
  },
  {
    tool: 'instantly',
    route: 'leads CSV',
    context: { observedUntil: '2026-01-31T00:00:00Z' },
    records: [
      { Email: 'ada@example.com', 'Lead Status': 'Unsubscribed', 'Email Provider': 'Google' },
      { Email: 'ben@example.com', 'Lead Status': 'Replied', 'Email Provider': 'Google' },
    ],
    becomes: ['unsubscribed<=', '-nothing_told'],
  },
  {
    tool: 'smartlead',
    route: 'leads-export CSV',
    context: { lastMessage: true, campaign: '111', observedUntil: '2026-01-31T00:00:00Z' },
    records: [
      { ...lead, is_unsubscribed: 'false', last_email_sent_time: '2026-01-08 09:00:00' },
      { ...lead, is_unsubscribed: 'true', last_email_sent_time: '' },
    ],
    becomes: ['sent@1', 'unsubscribed<='],
  },
  {
    tool: 'smartlead',
    route: 'leads-export CSV',
    context: { lastMessage: true, observedUntil: '2026-01-31T00:00:00Z' },
    records: [
      { ...lead, is_unsubscribed: 'false', last_email_sent_time: '2026-01-08 09:00:00' },
      { ...lead, is_unsubscribed: 'true', last_email_sent_time: '' },
    ],
    becomes: ['!CAMPAIGN_NEEDED campaign', 'unsubscribed<='],
  },
];
