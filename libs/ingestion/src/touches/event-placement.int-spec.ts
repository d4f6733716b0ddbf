import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';

describe('an event that says neither when its message was sent nor which it is', () => {
  let fixture: IngestionFixture;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());

  /** Reported as sent to one recipient by one tool, and before that to another by the same reference. */
  const second = anEvent({
    event_id: '6f1c1f0e-8f0e-4f43-9d2b-3a55b1f0a001',
    recipient_id: 'anna',
    sent_at: '2026-04-03T09:00:35Z',
    outcome_at: '2026-04-12T04:00:35Z',
    message_ref: 'm-2',
  });
  const first = anEvent({
    event_id: '6f1c1f0e-8f0e-4f43-9d2b-3a55b1f0a002',
    recipient_id: 'ben',
    sent_at: '2026-04-01T11:08:45Z',
    outcome_at: '2026-04-08T11:08:45Z',
    message_ref: 'm-2',
  });
  const click = anEvent({
    event_id: '6f1c1f0e-8f0e-4f43-9d2b-3a55b1f0a003',
    recipient_id: 'anna',
    sent_at: undefined,
    outcome: undefined,
    fact: 'clicked',
    outcome_at: '2026-04-04T11:00:35Z',
  });

  it('follows its message where an event of another recipient turns out to have named it first', async () => {
    const scope = await fixture.newCompany();
    for (const event of [second, click, first]) {
      await fixture.ingest(scope, event);
      await fixture.worker.processing.processPending(scope);
    }
    const { touches } = await fixture.stored(scope);
    expect(touches).toHaveLength(1);
    expect(touches[0]).toMatchObject({
      recipientId: 'ben',
      clickedAtMs: Date.parse('2026-04-04T11:00:35Z'),
    });
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
  });

  it('and goes back with it when that event is deleted', async () => {
    const scope = await fixture.newCompany();
    await fixture.ingest(scope, second, click, first);
    await fixture.worker.processing.processPending(scope);
    await fixture.api.ingestion.deleteRecipient(scope, 'ben');
    const { touches } = await fixture.stored(scope);
    expect(touches).toHaveLength(1);
    expect(touches[0]).toMatchObject({
      recipientId: 'anna',
      clickedAtMs: Date.parse('2026-04-04T11:00:35Z'),
    });
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
  });
});
