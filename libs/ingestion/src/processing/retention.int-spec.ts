import { randomUUID } from 'node:crypto';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { retentionCutoff } from '../storage/retention-cutoff';

describe('retention', () => {
  let fixture: IngestionFixture;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());

  it('is 24 calendar months', () => {
    expect(retentionCutoff(new Date('2026-06-15T12:00:00Z'))).toEqual(new Date('2024-06-15T12:00:00Z'));
    expect(retentionCutoff(new Date('2026-02-28T00:00:00Z'))).toEqual(new Date('2024-02-28T00:00:00Z'));
    expect(retentionCutoff(new Date('2024-02-29T00:00:00Z'))).toEqual(new Date('2022-02-28T00:00:00Z'));
    expect(retentionCutoff(new Date('2024-02-29T23:59:59.999Z'))).toEqual(
      new Date('2022-02-28T23:59:59.999Z'),
    );
    // Mutation: what is known of a day is kept for the next.
    expect(retentionCutoff(new Date('2024-03-01T00:00:00Z'))).toEqual(new Date('2022-03-01T00:00:00Z'));
  });

  it('deletes what has expired, in short transactions, with all that was derived from it', async () => {
    const scope = await fixture.newCompany();
    const old = Array.from({ length: 1_200 }, (_, i) => anEvent({ recipient_id: `old-${i}` }));
    for (let start = 0; start < old.length; start += 400)
      await fixture.ingest(scope, ...old.slice(start, start + 400));
    await fixture.worker.processing.processPending(scope);
    fixture.clock.set('2027-06-15T12:00:00Z');
    await fixture.ingest(scope, anEvent({ recipient_id: 'recent' }));
    await fixture.worker.processing.processPending(scope);
    expect(await fixture.worker.retention.expire(scope)).toEqual({ deleted: 0, isCapped: false });
    expect((await fixture.stored(scope)).touches).toHaveLength(1_201);

    fixture.clock.set('2028-06-15T12:00:00Z');
    // A fifth of what is held, and a thousand at least.
    expect(await fixture.worker.retention.expire(scope)).toEqual({ deleted: 1_000, isCapped: true });
    expect(await fixture.worker.retention.expire(scope)).toEqual({ deleted: 200, isCapped: false });
    const left = await fixture.stored(scope);
    expect(left.touches.map((touch) => touch.recipientId)).toEqual(['recent']);
    expect(left.cohorts[0]).toMatchObject({ touches: 1 });
    expect(left).toEqual(await fixture.recount(scope));
    // Processed batches go too; the newest says how fresh the data are.
    expect(
      await fixture.database.query('SELECT FROM ingest_batches WHERE company_id = $1', [scope.companyId]),
    ).toHaveLength(1);
    fixture.clock.set('2026-06-15T12:00:00Z');
  });

  it('keeps the batch that says how fresh the data are, though a newer one is parked', async () => {
    const scope = await fixture.newCompany();
    await fixture.ingest(scope, anEvent());
    await fixture.worker.processing.processPending(scope);
    const batches = () =>
      fixture.database.query<{ isProcessed: boolean }>(
        `SELECT processed_at IS NOT NULL AS "isProcessed" FROM ingest_batches WHERE company_id = $1 ORDER BY received_at`,
        [scope.companyId],
      );
    fixture.clock.set('2026-06-16T12:00:00Z');
    await fixture.ingest(scope, anEvent({ recipient_id: 'another' }));
    await fixture.database.query(
      'UPDATE ingest_batches SET failed_attempts = 5 WHERE company_id = $1 AND processed_at IS NULL',
      [scope.companyId],
    );
    fixture.clock.set('2026-08-01T12:00:00Z');
    await fixture.worker.retention.expire(scope);
    expect(await batches()).toEqual([{ isProcessed: true }, { isProcessed: false }]);
    fixture.clock.set('2026-06-15T12:00:00Z');
  });

  it('makes expired events invisible before it runs', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    await fixture.ingest(scope, anEvent({ event_id }));
    fixture.clock.set('2028-06-16T12:00:00Z');
    expect(await fixture.worker.processing.processPending(scope)).toEqual({ batches: 1, events: 1 });
    expect((await fixture.stored(scope)).touches).toEqual([]);
    await expect(fixture.api.ingestion.deleteEvent(scope, event_id)).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
    expect(await fixture.api.ingestion.deleteRecipient(scope, 'prospect-1')).toMatchObject({ deleted: 0 });
    fixture.clock.set('2026-06-15T12:00:00Z');
  });

  it('leaves what was learned from messages that expire, unlike from those that are deleted', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    await fixture.ingest(scope, anEvent(), anEvent({ recipient_id: 'deleted', event_id }));
    await fixture.worker.processing.processPending(scope);
    await fixture.database.query(
      'UPDATE channel_states SET recount_from = NULL, rescore_from = NULL WHERE company_id = $1',
      [scope.companyId],
    );
    const lookedThrough = async () =>
      fixture.database.query<{ isLookedThrough: boolean }>(
        `SELECT recount_from IS NOT NULL OR rescore_from IS NOT NULL AS "isLookedThrough"
         FROM channel_states WHERE company_id = $1`,
        [scope.companyId],
      );
    fixture.clock.set('2028-01-01T00:00:00Z');
    await fixture.api.ingestion.deleteEvent(scope, event_id);
    expect(await lookedThrough()).toEqual([{ isLookedThrough: true }]);
    await fixture.database.query(
      'UPDATE channel_states SET recount_from = NULL, rescore_from = NULL WHERE company_id = $1',
      [scope.companyId],
    );
    fixture.clock.set('2029-01-01T00:00:00Z');
    expect(await fixture.worker.retention.expire(scope)).toEqual({ deleted: 1, isCapped: false });
    expect(await lookedThrough()).toEqual([{ isLookedThrough: false }]);
    fixture.clock.set('2026-06-15T12:00:00Z');
  });

  it('leaves other companies alone', async () => {
    const [own, other] = [await fixture.newCompany(), await fixture.newCompany()];
    for (const scope of [own, other]) await fixture.ingest(scope, anEvent());
    fixture.clock.set('2029-01-01T00:00:00Z');
    expect(await fixture.worker.retention.expire(own)).toEqual({ deleted: 1, isCapped: false });
    const left = await fixture.database.query('SELECT FROM outcome_events WHERE company_id = $1', [
      other.companyId,
    ]);
    expect(left).toHaveLength(1);
    fixture.clock.set('2026-06-15T12:00:00Z');
  });
});
