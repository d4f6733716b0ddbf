import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { TenantScope } from '@outcomes/tenancy';
import { inForm } from '@outcomes/testing';
import { collidingEvents } from '../../test/event-arbitrary';
import { subjectSha256 } from '../erasures/erasure-ledger.repository';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';

describe('deleting events', () => {
  let fixture: IngestionFixture;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());

  const process = (scope: TenantScope) => fixture.worker.processing.processPending(scope);
  const deleteEvent = (scope: TenantScope, eventId: string) =>
    fixture.api.ingestion.deleteEvent(scope, eventId);
  const deleteRecipient = (scope: TenantScope, recipientId: unknown) =>
    fixture.api.ingestion.deleteRecipient(scope, recipientId);
  /** Tables and columns in which a text still stands. */
  const placesOf = async (text: string) => {
    const columns = await fixture.database.query<{ table_name: string; column_name: string }>(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type IN ('text', 'jsonb', 'uuid', 'ARRAY')`,
    );
    const places: string[] = [];
    for (const { table_name: table, column_name: column } of columns) {
      const found = await fixture.database.query(
        `SELECT FROM ${table} WHERE ${column}::text ILIKE '%' || $1 || '%' LIMIT 1`,
        [text],
      );
      if (found.length > 0) places.push(`${table}.${column}`);
    }
    return places;
  };

  it('takes one event with its touch and its counts away, and asks for an analysis', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    await fixture.ingest(scope, anEvent({ event_id }), anEvent({ recipient_id: 'stays' }));
    await process(scope);
    expect(await deleteEvent(scope, event_id.toUpperCase())).toEqual({ deleted: 1, event_id });
    const left = await fixture.stored(scope);
    expect(left.touches.map((touch) => touch.recipientId)).toEqual(['stays']);
    expect(left).toEqual(await fixture.recount(scope));
    expect(fixture.queue.analyses.filter((job) => job.companyId === scope.companyId)).toEqual([
      { companyId: scope.companyId, runKey: expect.stringMatching(/^erasure-[\w-]+$/) as string },
    ]);
    await expect(deleteEvent(scope, event_id)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  describe('the request for an analysis', () => {
    const requested = async (scope: TenantScope) => {
      const rows = await fixture.database.query<{ request_id: string }>(
        'SELECT request_id FROM reanalysis_requests WHERE company_id = $1',
        [scope.companyId],
      );
      return rows.map((row) => `erasure-${row.request_id}`);
    };
    const overdue = async (scope: TenantScope) =>
      (await fixture.worker.reanalyses.overdue(1_000)).filter(
        ({ companyId }) => companyId === scope.companyId,
      );

    it('stands in Postgres until the run that it names has succeeded', async () => {
      const scope = await fixture.newCompany();
      const events = [1, 2].map((n) => anEvent({ event_id: randomUUID(), recipient_id: `r${n}` }));
      await fixture.ingest(scope, ...events);
      await deleteRecipient(scope, 'nobody');
      expect(await requested(scope)).toEqual([]);
      await deleteRecipient(scope, 'r1');
      const [first = ''] = await requested(scope);
      expect(fixture.queue.analyses.at(-1)).toEqual({ companyId: scope.companyId, runKey: first });
      await deleteRecipient(scope, 'r2');
      const second = await requested(scope);
      expect(second).not.toEqual([first]);
      // Mutation: a run that began before the second deletion must not count for it.
      await fixture.worker.reanalyses.succeeded(scope, first);
      await fixture.worker.reanalyses.succeeded(scope, '2026-06-15');
      expect(await requested(scope)).toEqual(second);
      await fixture.worker.reanalyses.succeeded(scope, second[0] ?? '');
      expect(await requested(scope)).toEqual([]);
    });

    it('is overdue after some seconds, with the same key, for every company', async () => {
      const scope = await fixture.newCompany();
      await fixture.ingest(scope, anEvent());
      await deleteRecipient(scope, 'prospect-1');
      expect(await overdue(scope)).toEqual([]);
      await fixture.database.query(
        `UPDATE reanalysis_requests SET requested_at = now() - interval '1 minute' WHERE company_id = $1`,
        [scope.companyId],
      );
      const [runKey] = await requested(scope);
      expect(await overdue(scope)).toEqual([
        { companyId: scope.companyId, runKey, age: expect.any(Number) as number },
      ]);
    });
  });

  it('leaves the touch to the events that remain', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    await fixture.ingest(scope, anEvent(), anEvent({ event_id, outcome: 'responded' }));
    await process(scope);
    expect((await fixture.stored(scope)).cohorts[0]).toMatchObject({ touches: 1, replies: 1 });
    await deleteEvent(scope, event_id);
    expect((await fixture.stored(scope)).cohorts[0]).toMatchObject({ touches: 1, replies: 0 });
  });

  it('answers alike for an event of another company and one that never was', async () => {
    const [own, other] = [await fixture.newCompany(), await fixture.newCompany()];
    const event_id = randomUUID();
    await fixture.ingest(other, anEvent({ event_id }));
    const refusal = (id: string) =>
      deleteEvent(own, id).catch((error: Error) => ({ ...error, message: error.message, stack: '' }));
    expect(await refusal(event_id)).toEqual(await refusal(randomUUID()));
    expect(await deleteEvent(other, event_id)).toMatchObject({ deleted: 1 });
  });

  it('writes down who deleted what, by its hash, and nothing where nothing went', async () => {
    const scope = await fixture.newCompany();
    const [event_id, deed] = [randomUUID(), { by: { type: 'api_key', id: 'k'.repeat(16) } } as const];
    await fixture.ingest(scope, anEvent({ event_id }), anEvent({ recipient_id: 'goes' }));
    const { ingestion } = fixture.api;
    await ingestion.deleteEvent(scope, event_id, { ...deed, onBehalfOf: 'agent:sdr-7', requestId: 'r-1' });
    await ingestion.deleteRecipient(scope, 'goes', 'true', deed);
    await ingestion.deleteRecipient(scope, 'nobody', 'false', deed);
    const entries = await fixture.database.query(
      `SELECT action, subject, actor_id, request_id, details FROM administration_log WHERE company_id = $1
       ORDER BY entry_no`,
      [scope.companyId],
    );
    const details = { events: 1, repeats: null };
    expect(entries).toEqual([
      {
        ...{ action: 'event.delete', subject: subjectSha256(scope.companyId, event_id) },
        ...{ actor_id: deed.by.id, request_id: 'r-1' },
        details: { ...details, kept_suppression: false, on_behalf_of: 'agent:sdr-7' },
      },
      {
        ...{ action: 'recipient.delete', subject: subjectSha256(scope.companyId, 'goes') },
        ...{ actor_id: deed.by.id, request_id: null },
        details: { ...details, kept_suppression: true },
      },
    ]);
  });

  it.each(['', 'x', '6e38e32870eb46579c91f5b5b68b0ec4', "6e38e328-70eb-4657-9c91-f5b5b68b0ec4' OR true"])(
    'takes %j for no event_id',
    async (eventId) => {
      await expect(deleteEvent(await fixture.newCompany(), eventId)).rejects.toMatchObject({
        code: 'INVALID_EVENT_ID',
      });
    },
  );

  it.each([undefined, '', ['a', 'b'], { a: 'b' }])(
    'demands a recipient_id: %j is none',
    async (recipientId) => {
      await expect(deleteRecipient(await fixture.newCompany(), recipientId)).rejects.toMatchObject({
        code: 'MISSING_RECIPIENT_ID',
      });
    },
  );

  it('takes every trace of a recipient away, processed or still pending, and nothing of others', async () => {
    const scope = await fixture.newCompany();
    const other = await fixture.newCompany();
    const canary = 'canary-recipient-5d1';
    const trace = {
      recipient_id: canary,
      subject: canary,
      body: canary,
      recipient_position: canary,
      recipient_email: `${canary}@x.org`,
    };
    const ofCanary = Array.from({ length: 6 }, (_, step) =>
      anEvent({ ...trace, sequence_step: step, event_id: randomUUID() }),
    );
    await fixture.ingest(scope, ...ofCanary.slice(0, 4), anEvent({ recipient_id: 'stays' }));
    await process(scope);
    await fixture.ingest(scope, ...ofCanary.slice(4));
    await fixture.ingest(other, anEvent({ recipient_id: 'stays' }));
    expect(await deleteRecipient(scope, canary)).toEqual({
      deleted: 6,
      recipient_id: canary,
      suppression: 'none',
    });
    await process(scope);
    expect(await placesOf(canary)).toEqual([]);
    for (const event of ofCanary) expect(await placesOf(String(event.event_id))).toEqual([]);
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
    expect((await fixture.stored(scope)).touches).toHaveLength(1);
    expect(await deleteRecipient(scope, canary)).toEqual({
      deleted: 0,
      recipient_id: canary,
      suppression: 'none',
    });
    expect(await deleteRecipient(scope, 'stays')).toMatchObject({ deleted: 1 });
    await process(other);
    expect((await fixture.stored(other)).touches).toHaveLength(1);
  });

  it('leaves what a recount gives, whatever is deleted when', async () => {
    await fc.assert(
      fc.asyncProperty(
        collidingEvents,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (drafts, recipient, first) => {
          const scope = await fixture.newCompany();
          const events = drafts.map((event) => ({ ...event, event_id: randomUUID() }));
          await fixture.ingest(scope, ...events);
          if (first) await process(scope);
          for (const { event_id } of events.slice(0, 3)) await deleteEvent(scope, event_id);
          await process(scope);
          await deleteRecipient(scope, `r${recipient}`);
          expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
        },
      ),
      { seed: 9, numRuns: inForm(20, 60) },
    );
  });
});
