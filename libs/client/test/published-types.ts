import { LimitError, OutcomesClient, type OutcomeEvent, type ReadAnswer } from '@outcomes/client';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Whether a value is of this very type, no wider and no narrower. */
const is =
  <Expected>() =>
  <Actual>(_value: Actual, ..._fault: Same<Expected, Actual> extends true ? [] : [never]) => {};

const client = new OutcomesClient({ apiKey: 'svc_…', readUrl: 'http://x/v1', ingestUrl: 'http://x' });

export async function reads() {
  const { data, posteriors_trustworthy } = await client.read('patterns');
  is<boolean>()(posteriors_trustworthy);
  is<string | undefined>()(data.at(0)?.code);
  await client.read('drift', { channel: 'linkedin' }, { signal: AbortSignal.timeout(1_000) });
  const { data: contact } = await client.read('contact', { contactId: 'person-1', channel: 'email' });
  is<boolean | null>()(contact.can_contact);
  is<ReadAnswer<'contact'>['data']>()(contact);
  for await (const { data: page } of client.pages('campaigns', { limit: 10 })) {
    is<string | undefined>()(page.campaigns.at(0)?.campaign_id);
  }
  for await (const { data: profiles } of client.pages('profiles')) is<number>()(profiles.length);

  // @ts-expect-error no such question
  await client.read('weather');
  // @ts-expect-error a contact is asked for by its id
  await client.read('contact');
  // @ts-expect-error no such channel
  await client.read('drift', { channel: 'fax' });
  // @ts-expect-error no such argument
  await client.read('drift', { chanel: 'email' });
  // @ts-expect-error patterns take no arguments
  await client.read('patterns', { limit: 1 });
  // @ts-expect-error one answer has no pages
  client.pages('drift');
  // @ts-expect-error no such field
  console.log(contact.weather);
}

export async function sends() {
  const message = { channel: 'email', sequence_step: 0, recipient_id: 'crm-1' } as const;
  const queue = client.events({ onRejected: ({ event, code }) => console.log(event.recipient_id, code) });
  is<string>()(
    await queue.add({ ...message, outcome: 'responded', sent_at: '2026-01-05', outcome_at: '2026-01-06' }),
  );
  await queue.add({ ...message, fact: 'sent', sent_at: '2026-01-05', metadata: { campaign_id: 7, any: [] } });
  await queue.add({ ...message, fact: 'opened', message_ref: '<1@x>', outcome_at: '2026-01-06' });
  await queue.close({ timeoutMs: 5_000 });
  const { duplicates } = await client.postEvents([]);
  is<number>()(duplicates);
  await client.deleteRecipient({ recipient_id: 'crm-1', keep_suppression: true });

  // @ts-expect-error an event has an outcome or a fact
  await queue.add({ ...message, sent_at: '2026-01-05', outcome_at: '2026-01-06' });
  // @ts-expect-error not both
  await queue.add({ ...message, outcome: 'responded', fact: 'sent', sent_at: 'x', outcome_at: 'x' });
  // @ts-expect-error an outcome has a time
  await queue.add({ ...message, outcome: 'responded', sent_at: '2026-01-05' });
  // @ts-expect-error no such outcome
  await queue.add({ ...message, outcome: 'answered', sent_at: '2026-01-05', outcome_at: '2026-01-06' });
  // @ts-expect-error who is deleted has to be said
  await client.deleteRecipient({});
  // @ts-expect-error a recipient is text
  const wrong: OutcomeEvent['recipient_id'] = 1;
  return wrong;
}

export function refusals(error: unknown) {
  if (!(error instanceof LimitError)) throw error;
  is<number | undefined>()(error.retryAfterSeconds);
  if (error.is('QUOTA_EXCEEDED')) is<string>()(error.body.resetAt);
  // @ts-expect-error only the month has a time at which it ends
  if (error.is('RATE_LIMITED')) return error.body.resetAt;
  // @ts-expect-error no such code
  return error.is('TOO_BUSY');
}
