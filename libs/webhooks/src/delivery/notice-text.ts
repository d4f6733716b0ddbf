import type { DueNotice } from './notice.repository';

/** What the contact of a company is written when one of its endpoints was disabled. */
export function noticeText({ endpointId, host, reason }: Pick<DueNotice, 'endpointId' | 'host' | 'reason'>): {
  readonly subject: string;
  readonly text: string;
} {
  const why =
    reason === 'gone'
      ? 'It answered 410 Gone, which means that nothing more is wanted.'
      : 'A message was tried ten times in three days and could not be delivered.';
  return {
    subject: `The webhook to ${host} is switched off`,
    text: [
      `Nothing more is sent to the webhook ${endpointId} (${host}).`,
      why,
      'What it missed stands in "outcomes webhooks deliveries", and in the answers of the API as before. When it works ' +
        `again, switch it on with "outcomes webhooks enable ${endpointId}".`,
    ].join('\n\n'),
  };
}
