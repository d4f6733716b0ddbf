// Mails of an invented campaign, as Smartlead delivers them and as it exports them.

interface Mail {
  ref: string;
  email: string;
  step: number;
  sentAt: string;
  openedAt?: string;
  repliedAt?: string;
  bounced: boolean;
  unsubscribed: boolean;
}
export const CAMPAIGN = 111;
const FIRST_MS = Date.UTC(2026, 0, 5, 8);
const minute = (n: number) => new Date(FIRST_MS + n * 60_000).toISOString();

/** Two steps to each person: every twentieth answered, some bounced, some unsubscribed, a third opened. */
export function mailsOf(count: number): Mail[] {
  return Array.from({ length: count }, (_, n) => ({
    ...{ ref: `stats-${n}`, email: `person${n >> 1}@example.com`, step: (n & 1) + 1 },
    sentAt: minute(n + (n & 1) * 5_000),
    ...(n % 3 === 0 && { openedAt: minute(n + 8_000) }),
    ...(n % 20 === 1 && { repliedAt: minute(n + 9_000) }),
    ...{ bounced: n % 50 === 2, unsubscribed: n % 40 === 5 },
  }));
}

/** What is delivered of a mail, an object each. */
export function deliveriesOf({ ref, email, step, sentAt, openedAt, repliedAt, bounced, unsubscribed }: Mail) {
  const of = (event_type: string, event_timestamp: string) => ({
    ...{ event_type, event_timestamp, stats_id: ref, campaign_id: CAMPAIGN, campaign_name: 'Spring' },
    ...{ sequence_number: step, sl_lead_email: email, sent_message: { time: sentAt } },
  });
  return [
    of('EMAIL_SENT', sentAt),
    ...(openedAt === undefined ? [] : [of('EMAIL_OPEN', openedAt)]),
    ...(repliedAt === undefined ? [] : [of('EMAIL_REPLY', repliedAt)]),
    ...(bounced ? [of('EMAIL_BOUNCE', sentAt)] : []),
    ...(unsubscribed ? [of('LEAD_UNSUBSCRIBED', sentAt)] : []),
  ];
}

/** The row of the statistics export. */
export function exportRow({ ref, email, step, sentAt, openedAt, repliedAt, bounced, unsubscribed }: Mail) {
  return {
    ...{ stats_id: ref, lead_email: email, sequence_number: String(step), sent_time: sentAt },
    ...{ open_time: openedAt ?? '', reply_time: repliedAt ?? '' },
    ...{ is_bounced: String(bounced), is_unsubscribed: String(unsubscribed) },
  };
}

/** A file of them. */
export function exportFile(mails: readonly Mail[]) {
  const rows = mails.map(exportRow);
  const columns = Object.keys(rows[0] ?? {});
  return [columns, ...rows.map((row) => Object.values(row))].map((cells) => cells.join(',')).join('\n');
}
