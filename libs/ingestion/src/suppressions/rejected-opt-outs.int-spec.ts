import { randomUUID } from 'node:crypto';
import { contactOf, standingsOf } from '@outcomes/persistence';
import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';

describe('the opt-out of a rejected event', () => {
  let fixture: IngestionFixture;
  let scope: TenantScope;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    scope = await fixture.newCompany();
  });

  const ingest = async (...events: object[]) => {
    const answer = await fixture.ingest(scope, ...events);
    await fixture.worker.processing.processPending(scope);
    return answer;
  };
  const reasonsFor = async (...contacts: string[]) => {
    const standings = await fixture.worker.database.transaction(scope, (transaction) =>
      standingsOf(transaction, contacts.map(contactOf), new Date(0)),
    );
    return standings.map(({ blockReasons }) => blockReasons.join(' '));
  };
  const optOut = (parts: object) => anEvent({ recipient_id: 'anna', outcome: 'unsubscribed', ...parts });

  it.each<[string, object]>([
    ['sent_at', { sent_at: '01/06/2026' }],
    ['outcome_at', { outcome_at: '2031-01-01T00:00:00Z' }],
    ['an outcome before the message', { sent_at: '2026-06-09T00:00:00Z' }],
    ['metadata', { metadata: { text: 'x'.repeat(3_000) } }],
    ['tone', { tone: 'casual' }],
    ['channel', { channel: 'sms' }],
    ['sequence_step', { sequence_step: 99 }],
    ['the address', { recipient_email: 'anna at acme' }],
    ['an unknown field', { colour: 'red' }],
    ['a fact beside it', { fact: 'opened' }],
    ['a character', { body: 'a\0b' }],
    ['event_id', { event_id: '7' }],
  ])('holds where the fault is %s', async (_field, parts) => {
    const answer = await ingest(optOut(parts));
    expect(answer).toMatchObject({
      ...{ accepted: 0, rejected: 1, duplicates: 0 },
      taken_anyway: [{ index: 0, outcome: 'unsubscribed', event_id: expect.any(String) as string }],
    });
    expect(await reasonsFor('anna', 'ben')).toEqual(['unsubscribed', '']);
  });

  it('holds for the id, the address, or both, whichever can be read', async () => {
    const bad = { tone: 'casual', outcome: 'bounced' };
    await ingest(
      optOut({ ...bad, recipient_id: '', recipient_email: 'Carl@Acme.com' }),
      optOut({ ...bad, recipient_id: 4711 }),
      optOut({ ...bad, recipient_id: 'dora', recipient_email: 'dora@acme.com' }),
      optOut({ ...bad, recipient_id: '', recipient_email: 'Emil@Müller.de' }),
      optOut({ ...bad, recipient_id: '' }),
      optOut({ ...bad, recipient_id: 'soft', metadata: { bounce: 'soft' } }),
      optOut({ ...bad, recipient_id: 'silent', outcome: 'no_response' }),
      optOut({ ...bad, recipient_id: 'unknown', outcome: 'Unsubscribed' }),
    );
    const blocked = ['carl@acme.com', '4711', 'dora', 'dora@acme.com', 'emil@müller.de'];
    expect(await reasonsFor(...blocked, 'soft', 'silent', 'unknown')).toEqual([
      ...blocked.map(() => 'bounced'),
      ...['', '', ''],
    ]);
  });

  it('keeps nothing of what else stands beside it', async () => {
    const metadata = { bounce: 'Anna Ek, anna@acme.com', complaint: 'by Anna', campaign_id: 'spring' };
    const bad = { outcome: 'bounced', tone: 'casual' };
    await ingest(
      optOut({ ...bad, metadata }),
      optOut({ ...bad, recipient_id: 'ben', metadata: { ...metadata, bounce: 'hard' } }),
    );
    const kept = await fixture.database.query(
      'SELECT recipient_id, metadata FROM outcome_events WHERE company_id = $1 ORDER BY recipient_id',
      [scope.companyId],
    );
    expect(kept).toEqual([
      { recipient_id: 'anna', metadata: {} },
      { recipient_id: 'ben', metadata: { bounce: 'hard' } },
    ]);
  });

  it('is told once however often it is sent, makes no message, and can be deleted', async () => {
    const answers = [await ingest(optOut({ tone: 'casual' })), await ingest(optOut({ tone: 'casual' }))];
    const [first, second] = answers.map((answer) => answer.taken_anyway?.[0]?.event_id);
    expect(second).toBe(first);
    const stored = await fixture.stored(scope);
    expect(stored).toEqual(await fixture.recount(scope));
    const counted = await fixture.database.query('SELECT 1 FROM touches WHERE company_id = $1', [
      scope.companyId,
    ]);
    expect(counted).toEqual([]);
    await fixture.api.ingestion.deleteEvent(scope, first ?? '');
    expect(await reasonsFor('anna')).toEqual(['']);
  });

  it('is lifted, if it is a bounce, by a later reply', async () => {
    await ingest(
      optOut({ outcome: 'bounced', outcome_at: '2026-06-02T09:00:00Z', tone: 'casual' }),
      optOut({ recipient_id: 'ben', outcome: 'bounced', outcome_at: '2026-06-04T09:00:00Z', tone: 'casual' }),
    );
    expect(await reasonsFor('anna', 'ben')).toEqual(['bounced', 'bounced']);
    const reply = { outcome: 'responded', outcome_at: '2026-06-03T09:00:00Z' };
    await ingest(anEvent({ recipient_id: 'anna', ...reply }), anEvent({ recipient_id: 'ben', ...reply }));
    expect(await reasonsFor('anna', 'ben')).toEqual(['', 'bounced']);
  });

  it('holds where the event_id is that of another event', async () => {
    const event_id = randomUUID();
    await ingest(optOut({ event_id, outcome: 'no_response' }));
    const answer = await ingest(anEvent({ recipient_id: 'ben' }), optOut({ event_id }));
    expect(answer).toMatchObject({
      ...{ accepted: 1, rejected: 1 },
      errors: [{ code: 'EVENT_ID_CONFLICT' }],
      taken_anyway: [{ index: 1, outcome: 'unsubscribed' }],
    });
    expect(await reasonsFor('anna', 'ben')).toEqual(['unsubscribed', '']);
  });

  it('holds in a row of a CSV, also in one whose cells have moved behind it', async () => {
    const csv = [
      'outcome,recipient_id,channel,sequence_step,sent_at,outcome_at,subject',
      'bounced,anna,email,0,2026-06-31,2026-06-08,Hello',
      'unsubscribed,ben,email,0,2026-06-01,2026-06-08,Hello, Ben',
      'no_response,carl,email,0,2026-06-01,2026-06-08,Hello, Carl',
    ].join('\n');
    const answer = await fixture.api.ingestion.ingestCsv(scope, Buffer.from(csv));
    expect(answer).toMatchObject({
      ...{ accepted: 0, rejected: 3 },
      taken_anyway: [
        { row: 1, outcome: 'bounced' },
        { row: 2, outcome: 'unsubscribed' },
      ],
    });
    await fixture.worker.processing.processPending(scope);
    expect(await reasonsFor('anna', 'ben', 'carl')).toEqual(['bounced', 'unsubscribed', '']);
  });

  it('says nothing of it where nothing was taken', async () => {
    expect(await ingest(anEvent({ tone: 'casual' }), optOut({}))).not.toHaveProperty('taken_anyway');
  });
});
