export const EVENT_ID = '6e38e328-70eb-4657-9c91-f5b5b68b0ec4';
export const STORED = { accepted: 1, rejected: 0, duplicates: 0, errors: [] };

export const EVENT = {
  channel: 'email',
  sequence_step: 0,
  recipient_id: 'crm-00421',
  sent_at: '2026-01-05T09:30:00+01:00',
  outcome_at: '2026-01-08T14:00:00Z',
  outcome: 'responded',
  tone: 'direct',
  metadata: { campaign_id: 'spring-2026' },
};
export const CSV = `channel,sequence_step,recipient_id,sent_at,outcome_at,outcome,metadata.campaign_id
email,0,crm-00421,2026-01-05T09:30:00+01:00,2026-01-08T14:00:00Z,responded,spring-2026
`;

const MESSAGE = {
  channel: 'email',
  sequence_step: 0,
  recipient_id: 'crm-00421',
  message_ref: '<20260105.1@mail.example>',
  metadata: { campaign_id: 'spring-2026' },
};

/** A message as it is sent, and what becomes known of it afterwards. */
export const FACTS = [
  {
    ...MESSAGE,
    fact: 'sent',
    sent_at: '2026-01-05T09:30:00+01:00',
    metadata: { ...MESSAGE.metadata, variant_id: 'b', propensity: 0.5, first_name: 'Ann', company: 'Acme' },
  },
  { ...MESSAGE, fact: 'opened', outcome_at: '2026-01-05T11:02:00Z' },
  { ...MESSAGE, outcome: 'responded', outcome_at: '2026-01-08T14:00:00Z' },
  { ...MESSAGE, fact: 'meeting_booked', outcome_at: '2026-01-09T08:15:00Z' },
];
export const FACTS_CSV = `channel,sequence_step,recipient_id,message_ref,sent_at,fact,outcome,outcome_at
email,0,crm-00421,m-1,2026-01-05T09:30:00+01:00,sent,,
email,0,crm-00421,m-1,,opened,,2026-01-05T11:02:00Z
email,0,crm-00421,m-1,,,responded,2026-01-08T14:00:00Z
`;
