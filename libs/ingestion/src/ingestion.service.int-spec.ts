import { randomUUID } from 'node:crypto';
import { AppError } from '@outcomes/contracts';
import { lockTouches } from '@outcomes/persistence';
import type { TenantScope } from '@outcomes/tenancy';
import { waitUntil, waitingForLock } from '@outcomes/testing';
import {
  anEvent,
  ingestionFixture,
  jsonBody,
  startPod,
  type IngestionFixture,
} from '../test/ingestion-fixture';
import { hashOfAddress } from './identity/event-record';

/** As a sender does it: who is sent away with 503, because a busy machine commits slowly, sends again. */
async function untilTaken<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') || attempt === 5) throw error;
    }
  }
}

describe('taking events', () => {
  let fixture: IngestionFixture;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());

  const rows = (scope: TenantScope) =>
    fixture.database.query<Record<string, unknown>>('SELECT * FROM outcome_events WHERE company_id = $1', [
      scope.companyId,
    ]);
  const batches = (scope: TenantScope) =>
    fixture.database.query<{ event_ids: string[] }>(
      'SELECT event_ids FROM ingest_batches WHERE company_id = $1',
      [scope.companyId],
    );

  it('stores what was sent, but the address only as hash and domain', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    const answer = await fixture.ingest(
      scope,
      anEvent({
        event_id,
        channel: 'linkedin',
        sequence_step: 3,
        outcome: 'bounced',
        tone: 'empathetic',
        sent_at: '2026-06-01T09:30:00.125-05:30',
        recipient_email: ' Canary@Acme.com',
        recipient_position: 'CEO, "the" \\boss',
        subject: 'Line\nbreak {a,b} NULL',
        body: '😀 \\ " , {}',
        word_count: 4,
        metadata: { campaign_id: 'c', note: 'ü' },
      }),
    );
    expect(answer).toEqual({ accepted: 1, rejected: 0, duplicates: 0, errors: [] });
    const [row] = await rows(scope);
    expect(row).toMatchObject({
      event_id,
      channel: 1,
      sequence_step: 3,
      outcome: 2,
      tone: 3,
      sent_at: new Date('2026-06-01T15:00:00.125Z'),
      sent_offset_minutes: -330,
      sent_has_time: true,
      recipient_hash: hashOfAddress('canary@acme.com'),
      email_domain: 'acme.com',
      recipient_position: 'CEO, "the" \\boss',
      subject: 'Line\nbreak {a,b} NULL',
      body: '😀 \\ " , {}',
      word_count: 4,
      campaign_id: 'c',
      metadata: { campaign_id: 'c', note: 'ü' },
      ingested_at: fixture.clock.now(),
    });
    expect(JSON.stringify(row).toLowerCase()).not.toContain('canary@');
    expect(await batches(scope)).toEqual([{ event_ids: [event_id] }]);
    expect(fixture.queue.nudges).toContain(scope.companyId);
  });

  it('counts what is there already as accepted and as a duplicate', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    const first = anEvent({ event_id, subject: 'first' });
    expect(await fixture.ingest(scope, first)).toMatchObject({ accepted: 1, duplicates: 0 });
    const again = await fixture.api.ingestion.ingestJson(
      scope,
      jsonBody(anEvent({ event_id, subject: 'first' }), anEvent(), anEvent(), { channel: 'fax' }),
      { representation: true },
    );
    expect(again).toMatchObject({ accepted: 3, rejected: 1, duplicates: 2 });
    expect(again.results?.map(({ status }) => status)).toEqual([
      'duplicate',
      'accepted',
      'duplicate',
      'rejected',
    ]);
    expect(again.results?.map(({ event_id: id }) => id)).toEqual([
      event_id,
      again.results?.[2]?.event_id,
      expect.any(String),
      null,
    ]);
    expect((await rows(scope)).map((row) => row.subject)).toEqual(['first', null]);
    // A request without anything new announces nothing.
    expect(await fixture.ingest(scope, first)).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await batches(scope)).toHaveLength(2);
  });

  it('stores the valid ones of a request and names the others by index', async () => {
    const scope = await fixture.newCompany();
    const events = Array.from({ length: 500 }, (_, i) =>
      i % 7 === 3 ? anEvent({ recipient_id: `p${i}`, body: 'a\0b' }) : anEvent({ recipient_id: `p${i}` }),
    );
    const answer = await fixture.ingest(scope, ...events);
    const invalid = events.flatMap((event, index) => (event.body === undefined ? [] : [index]));
    expect(answer).toMatchObject({ accepted: 500 - invalid.length, rejected: invalid.length, duplicates: 0 });
    expect(answer.errors.map(({ index, code }) => `${index} ${code}`)).toEqual(
      invalid.map((index) => `${index} INVALID_CHARACTER`),
    );
    const stored = new Set((await rows(scope)).map((row) => row.recipient_id));
    expect(stored).toEqual(
      new Set(events.filter((event) => event.body === undefined).map((e) => e.recipient_id)),
    );
  });

  it('takes a single event, and the same rows as CSV by row number', async () => {
    const scope = await fixture.newCompany();
    expect(
      await fixture.api.ingestion.ingestJson(scope, Buffer.from(JSON.stringify(anEvent()))),
    ).toMatchObject({
      accepted: 1,
    });
    const csv = [
      'outcome,recipient_id,channel,sequence_step,sent_at,outcome_at,tone',
      'no_response,prospect-1,email,0,2026-06-01T09:30:00Z,2026-06-08T09:30:00Z,',
      'responded,prospect-2,email,0,2026-06-01,2026-06-02,casual',
      'responded,prospect-2,email,x,2026-06-01,2026-06-02,direct',
      'responded,prospect-3,email,0,2026-06-01,2026-06-02,direct',
    ].join('\r\n');
    const answer = await fixture.api.ingestion.ingestCsv(scope, Buffer.from(csv), { representation: true });
    expect(answer).toMatchObject({ accepted: 2, rejected: 2, duplicates: 1 });
    expect(answer.errors.map(({ row, field, code }) => [row, field, code])).toEqual([
      [2, 'tone', 'NOT_ALLOWED'],
      [3, 'sequence_step', 'INVALID_TYPE'],
    ]);
    expect(answer.results?.map(({ row, status }) => `${row} ${status}`)).toEqual([
      '1 duplicate',
      '2 rejected',
      '3 rejected',
      '4 accepted',
    ]);
  });

  it('keeps the same event_id of two companies apart', async () => {
    const [a, b] = [await fixture.newCompany(), await fixture.newCompany()];
    const event = anEvent({ event_id: randomUUID() });
    for (const scope of [a, b]) {
      expect(await fixture.ingest(scope, event)).toMatchObject({ accepted: 1, duplicates: 0 });
      expect(await rows(scope)).toHaveLength(1);
    }
  });

  it('makes one row of each event, however many send the same batch at once', async () => {
    const scope = await fixture.newCompany();
    const events = Array.from({ length: 200 }, (_, i) =>
      anEvent({ recipient_id: `p${i}`, event_id: randomUUID() }),
    );
    const senders = Array.from({ length: 16 }, (_, i) =>
      // Each in another order: rows must not be locked in the order in which they came.
      untilTaken(() => fixture.ingest(scope, ...events.slice(i * 10), ...events.slice(0, i * 10))),
    );
    const answers = await Promise.all(senders);
    for (const answer of answers) expect(answer).toMatchObject({ accepted: 200, rejected: 0 });
    expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(15 * 200);
    expect(await rows(scope)).toHaveLength(200);
    expect((await batches(scope)).flatMap((batch) => batch.event_ids).sort()).toEqual(
      events.map((event) => event.event_id).sort(),
    );
  });

  it('gathers single events into few statements, and answers each for itself', async () => {
    const scope = await fixture.newCompany();
    const twice = randomUUID();
    const answers = await Promise.all([
      ...Array.from({ length: 60 }, (_, i) => fixture.ingest(scope, anEvent({ recipient_id: `p${i}` }))),
      fixture.ingest(scope, anEvent({ event_id: twice })),
      fixture.ingest(scope, anEvent({ event_id: twice })),
      fixture.ingest(scope, anEvent({ tone: 'casual' })),
    ]);
    for (const answer of answers.slice(0, 60)) expect(answer).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(
      answers
        .slice(60, 62)
        .map(({ duplicates }) => duplicates)
        .sort(),
    ).toEqual([0, 1]);
    expect(answers[62]).toMatchObject({ accepted: 0, rejected: 1 });
    expect(await rows(scope)).toHaveLength(61);
    expect((await batches(scope)).length).toBeLessThanOrEqual(3);
  });

  it('takes an event again whose first version has expired, though it is still in the table', async () => {
    const scope = await fixture.newCompany();
    const event = anEvent({ event_id: randomUUID(), sent_at: '2026-06-01', outcome_at: '2026-06-02' });
    await fixture.ingest(scope, { ...event, recipient_id: 'old', outcome: 'responded' });
    await fixture.worker.processing.processPending(scope);
    // 23 months later it stands; after 24 it is gone.
    fixture.clock.set('2028-05-14T12:00:00Z');
    expect(await fixture.ingest(scope, { ...event, recipient_id: 'new' })).toMatchObject({
      rejected: 1,
      errors: [{ code: 'EVENT_ID_CONFLICT' }],
    });
    fixture.clock.set('2028-06-15T12:00:00Z');
    expect(await fixture.ingest(scope, { ...event, recipient_id: 'new' })).toMatchObject({ duplicates: 0 });
    await fixture.worker.processing.processPending(scope);
    expect((await rows(scope)).map((row) => row.recipient_id)).toEqual(['new']);
    expect((await fixture.stored(scope)).touches.map((touch) => touch.recipientId)).toEqual(['new']);
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
    fixture.clock.set('2026-06-15T12:00:00Z');
  });

  it('stores all of a request or nothing where an expired event is repeated, whenever the connection breaks', async () => {
    const scope = await fixture.newCompany();
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const [repeated, current, fresh] = ids.map((event_id, n) =>
      anEvent({ event_id, recipient_id: `r${n}`, sent_at: '2026-06-01', outcome_at: '2026-06-02' }),
    ) as [object, object, object];
    await fixture.ingest(scope, repeated);
    fixture.clock.set('2028-06-01T12:00:00Z');
    await fixture.ingest(scope, current);
    fixture.clock.set('2028-06-15T12:00:00Z');
    // Somebody holds the company's lock, so that the repetition stops in the middle, where its connection is cut.
    let release = () => undefined as void;
    let holds = false;
    const held = fixture.worker.database.transaction(scope, async (transaction) => {
      await lockTouches(transaction);
      holds = true;
      await new Promise<void>((resolve) => (release = resolve));
    });
    await waitUntil('the lock', () => holds);
    const broken = fixture.ingest(scope, repeated, current, fresh);
    const refused = expect(broken).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await waitUntil('the wait for the lock', async () => {
      const [waiting] = await waitingForLock(fixture.database, 'advisory');
      if (waiting !== undefined) await fixture.database.query('SELECT pg_terminate_backend($1)', [waiting]);
      return waiting !== undefined;
    });
    await refused;
    release();
    await held;
    // Mutation: two transactions would have kept the fresh one, and called it a duplicate from now on.
    expect(await rows(scope)).toHaveLength(2);
    expect(await fixture.ingest(scope, repeated, current, fresh)).toMatchObject({
      accepted: 3,
      duplicates: 1,
    });
    await fixture.worker.processing.processPending(scope);
    expect(await rows(scope)).toHaveLength(3);
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
    fixture.clock.set('2026-06-15T12:00:00Z');
  });

  it('answers 503 while Postgres is away, without a hang, and stores nothing', async () => {
    const away = await startPod('postgres://nobody@127.0.0.1:1/none', fixture.clock, fixture.queue);
    const scope = await fixture.newCompany();
    const started = performance.now();
    const refused = await Promise.allSettled(
      Array.from({ length: 20 }, () => away.ingestion.ingestJson(scope, jsonBody(anEvent()))),
    );
    for (const result of refused) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': expect.any(String) as string } },
      });
    }
    // Two seconds are the promise, and `npm run verify:reliability` measures it; a hang is what fails here.
    expect(performance.now() - started).toBeLessThan(10_000);
    await away.module.close();
  });
});
