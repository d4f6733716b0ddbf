import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { LEVELS, OUTCOMES, POSITIONS } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { inForm } from '@outcomes/testing';
import { collidingEvents } from '../../test/event-arbitrary';
import {
  anEvent,
  ingestionFixture,
  jsonBody,
  startPod,
  type IngestionFixture,
} from '../../test/ingestion-fixture';
import { TouchFolding } from '../touches/touch-folding.service';
import type { Counted } from '../testing';

describe('batches become touches and counts', () => {
  let fixture: IngestionFixture;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());

  const process = (scope: TenantScope) => fixture.worker.processing.processPending(scope);
  const outcomesOf = ({ touches }: Counted) =>
    Object.fromEntries(touches.map((touch) => [touch.recipientId, OUTCOMES[touch.outcome]]));

  it('counts by level what was assigned at random, as the sender says', async () => {
    const scope = await fixture.newCompany();
    const messages = [
      { propensity: 0.25 },
      { variant_id: 'b' },
      { variant_id: 7, propensity: 0.5 },
      // Naming a variant says nothing of how it was chosen, and certainty is no chance.
      { propensity: 1 },
      { propensity: 1e-300, variant_id: '' },
      { propensity: '0.5', variant_id: ['b'] },
      {},
    ].map((metadata, n) => anEvent({ recipient_id: `r${n}`, tone: 'direct', metadata }));
    await fixture.ingest(scope, ...messages);
    await process(scope);
    const rows = await fixture.database.query<{ of_level: number[]; random: number[] }>(
      `SELECT level_touches AS of_level, level_randomized AS random FROM cohort_counts WHERE company_id = $1`,
      [scope.companyId],
    );
    const direct = LEVELS.indexOf('tone:direct');
    expect(rows.map(({ of_level, random }) => [of_level[direct], random[direct]])).toEqual([[7, 2]]);
    expect((await fixture.stored(scope)).touches).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ recipientId: 'r0', propensity: 0.25, variantId: null }),
        expect.objectContaining({ recipientId: 'r2', propensity: 0.5, variantId: '7' }),
        expect.objectContaining({ recipientId: 'r3', propensity: null, variantId: null }),
      ]),
    );
    await fixture.api.ingestion.deleteRecipient(scope, 'r1');
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
  });

  it('notices a later event that adds the text null to what was not known', async () => {
    const scope = await fixture.newCompany();
    for (const metadata of [{}, { variant_id: 'null' }]) {
      await fixture.ingest(
        scope,
        anEvent({ event_id: randomUUID(), body: 'The same words both times', metadata }),
      );
      await process(scope);
    }
    const { touches } = await fixture.stored(scope);
    expect(touches.map(({ variantId }) => variantId)).toEqual(['null']);
  });

  it('ends although batches keep arriving while it works', async () => {
    const scope = await fixture.newCompany();
    await fixture.ingest(scope, anEvent({ recipient_id: 'first' }));
    const folding = fixture.worker.module.get(TouchFolding);
    const foldArrived = folding.foldArrived.bind(folding);
    let arrivals = 0;
    const arriving = jest.spyOn(folding, 'foldArrived').mockImplementation(async (...given) => {
      arrivals += 1;
      await fixture.ingest(scope, anEvent({ recipient_id: `later-${arrivals}` }));
      return foldArrived(...given);
    });
    try {
      // Mutation: without a bound on what was waiting at the call, this never ends.
      expect(await process(scope)).toEqual({ batches: 1, events: 1 });
    } finally {
      arriving.mockRestore();
    }
    expect(await process(scope)).toEqual({ batches: 1, events: 1 });
    expect((await fixture.stored(scope)).touches).toHaveLength(2);
  });

  it('works an event into one touch with its levels, position, day and hour', async () => {
    const scope = await fixture.newCompany('America/New_York');
    await fixture.ingest(
      scope,
      anEvent({
        outcome: 'responded',
        sent_at: '2026-06-02T01:30:00Z',
        outcome_at: '2026-06-04T01:29:00Z',
        recipient_position: 'Portfolio Manager',
        tone: 'direct',
        subject: 'Quick question',
        word_count: 120,
        metadata: { campaign_id: 'c-1', opened: true, meeting_booked: true },
      }),
    );
    expect(await process(scope)).toEqual({ batches: 1, events: 1 });
    const { touches, cohorts, campaigns } = await fixture.stored(scope);
    expect(touches).toHaveLength(1);
    const [touch] = touches;
    expect(touch).toMatchObject({
      // 21:30 of the day before in New York, a Monday.
      sentDay: '2026-06-01',
      sentHour: 21,
      campaignId: 'c-1',
      opened: true,
      meetingBooked: true,
      streamed: false,
    });
    expect(POSITIONS[touch?.position ?? 0]).toBe('manager');
    expect(touch?.levels.map((level) => LEVELS[level])).toEqual([
      'tone:direct',
      'weekday:monday',
      'daypart:evening_or_night',
      'body_words:100_to_149',
      'subject_words:1_to_3',
      'subject_question:without',
      'subject_number:without',
      'subject_personal:without',
      'phrase_quick_question:with',
      'sequence_step:first_touch',
      'channel:email',
    ]);
    expect(cohorts).toHaveLength(1);
    // Answered after one day and 23:59 hours: day 1.
    expect(cohorts[0]).toMatchObject({ touches: 1, replies: 1, opens: 1, meetings: 1, streamed: 0 });
    expect(cohorts[0]?.reply_delays).toEqual([0, 1, ...new Array<number>(28).fill(0)]);
    expect(await fixture.recount(scope)).toEqual({ touches, cohorts, campaigns });
  });

  it('counts a touch once, whatever the order of its outcomes', async () => {
    const silent = anEvent();
    const answered = anEvent({ outcome: 'responded', outcome_at: '2026-06-05T09:30:00Z' });
    for (const batches of [[[silent], [answered]], [[answered], [silent]], [[silent, answered]]]) {
      const scope = await fixture.newCompany();
      for (const batch of batches) {
        await fixture.ingest(scope, ...batch);
        await process(scope);
      }
      const { cohorts } = await fixture.stored(scope);
      expect(cohorts).toHaveLength(1);
      expect(cohorts[0]).toMatchObject({ touches: 1, replies: 1 });
    }
  });

  it('lets a reply under another recipient_id of the same address close the newest open touch', async () => {
    const scope = await fixture.newCompany();
    const email = { recipient_email: 'Ann@Acme.com' };
    await fixture.ingest(
      scope,
      anEvent({ recipient_id: 'older', sent_at: '2026-05-20', outcome_at: '2026-05-27', ...email }),
      anEvent({ recipient_id: 'newer', ...email }),
      anEvent({ recipient_id: 'elsewhere', channel: 'linkedin', ...email }),
    );
    await process(scope);
    await fixture.ingest(
      scope,
      anEvent({
        recipient_id: 'inbox',
        outcome: 'responded',
        outcome_at: '2026-06-09T10:00:00Z',
        recipient_email: ' ann@acme.COM ',
      }),
    );
    await process(scope);
    const counted = await fixture.stored(scope);
    expect(outcomesOf(counted)).toEqual({
      older: 'no_response',
      newer: 'responded',
      elsewhere: 'no_response',
    });
    expect(counted).toEqual(await fixture.recount(scope));
    // One message more, and the reply that closed the other is still one reply.
    expect(counted.cohorts.reduce((sum, row) => sum + Number(row.replies), 0)).toBe(1);
    await fixture.api.ingestion.deleteRecipient(scope, 'inbox');
    expect(outcomesOf(await fixture.stored(scope))).toMatchObject({ newer: 'no_response' });
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
  });

  it('takes no address that many recipients share for one person', async () => {
    const scope = await fixture.newCompany();
    const shared = { recipient_email: 'info@acme.com' };
    const silent = Array.from({ length: 20 }, (_, i) => anEvent({ recipient_id: `s${i}`, ...shared }));
    await fixture.ingest(
      scope,
      ...silent.slice(0, 19),
      anEvent({ recipient_id: 'reply', outcome: 'responded', ...shared }),
    );
    await process(scope);
    expect((await fixture.stored(scope)).touches).toHaveLength(19);
    // The 21st recipient turns the address into a placeholder: what was closed opens again.
    await fixture.ingest(scope, ...silent.slice(19));
    await process(scope);
    const counted = await fixture.stored(scope);
    expect(counted.touches).toHaveLength(21);
    expect(counted.touches.filter((touch) => OUTCOMES[touch.outcome] === 'responded')).toHaveLength(1);
    expect(counted).toEqual(await fixture.recount(scope));
  });

  it('gives the same touches and counts for every order and partition, and they equal a recount', async () => {
    await fc.assert(
      fc.asyncProperty(
        collidingEvents,
        fc.infiniteStream(fc.integer({ min: 0, max: 1_000_000 })),
        fc.integer({ min: 1, max: 7 }),
        async (events, numbers, batchSize) => {
          const [inOrder, shuffled] = [await fixture.newCompany(), await fixture.newCompany()];
          await fixture.ingest(inOrder, ...events);
          await process(inOrder);
          const order = events
            .map((event) => ({ event, rank: numbers.next().value as number }))
            .sort((a, b) => a.rank - b.rank);
          for (let start = 0; start < order.length; start += batchSize) {
            await fixture.ingest(
              shuffled,
              ...order.slice(start, start + batchSize).map(({ event }) => event),
            );
            // Some batches wait, so that a fold meets events of batches that are still pending.
            if (start % 2 === 0) await process(shuffled);
          }
          await process(shuffled);
          const [a, b] = [await fixture.stored(inOrder), await fixture.stored(shuffled)];
          expect(a).toEqual(await fixture.recount(inOrder));
          expect(b).toEqual(await fixture.recount(shuffled));
          expect(b.cohorts).toEqual(a.cohorts);
        },
      ),
      { seed: 7, numRuns: inForm(20, 60) },
    );
  });

  // Mutation: without the company's lock several of these write the same touch, and count it several times.
  it('reads a message as a whole whose events are read in two portions', async () => {
    const scope = await fixture.newCompany();
    const sentAt = '2026-06-01T09:00:00Z';
    // Three events a message: portions of any size that is no multiple of three split one.
    const events = Array.from({ length: 400 }, (_, n) => n).flatMap((n) =>
      (['no_response', 'responded', 'unsubscribed'] as const).map((outcome, at) =>
        anEvent({
          ...{ recipient_id: `r${n}`, sent_at: sentAt, outcome, outcome_at: `2026-06-0${at + 2}T09:00:00Z` },
          ...(at === 1 ? { tone: 'direct', subject: `Question ${n}` } : {}),
        }),
      ),
    );
    for (let from = 0; from < events.length; from += 400)
      await fixture.ingest(scope, ...events.slice(from, from + 400));
    expect(await process(scope)).toEqual({ batches: 3, events: 1_200 });
    const stored = await fixture.stored(scope);
    // Mutation: what comes first or last of a message stands for all of it.
    expect(stored.touches.map(({ outcome }) => OUTCOMES[outcome])).toEqual(Array(400).fill('unsubscribed'));
    expect(stored.touches.every(({ repliedAtMs, silentAtMs }) => repliedAtMs && silentAtMs)).toBe(true);
    expect(stored).toEqual(await fixture.recount(scope));
  });

  it('counts nothing twice when many callers take turns at the same messages', async () => {
    const scope = await fixture.newCompany();
    const reportsOf = (batch: number) =>
      Array.from({ length: 400 }, (_, i) =>
        anEvent({
          recipient_id: `p${i % 40}`,
          outcome_at: `2026-06-1${batch}T0${Math.floor(i / 40)}:00:00Z`,
        }),
      );
    /** On a busy machine a caller may be told to come again, and does. */
    const persistently = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if ((error as { code?: unknown }).code !== 'SERVICE_UNAVAILABLE') throw error;
        }
      }
    };
    const results = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (batch) => {
        await persistently(() => fixture.ingest(scope, ...reportsOf(batch)));
        return persistently(() => process(scope));
      }),
    );
    expect(results.reduce((sum, { events }) => sum + events, 0)).toBe(2_400);
    const counted = await fixture.stored(scope);
    expect(counted.touches).toHaveLength(40);
    expect(counted).toEqual(await fixture.recount(scope));
  });

  it('changes nothing when a batch is presented again, as after a restore', async () => {
    const scope = await fixture.newCompany();
    await fixture.ingest(scope, anEvent(), anEvent({ sequence_step: 1, outcome: 'responded' }));
    await process(scope);
    const counted = await fixture.stored(scope);
    await fixture.database.query(
      `UPDATE ingest_batches SET processed_at = NULL, event_ids =
         (SELECT array_agg(event_id) FROM outcome_events WHERE company_id = $1) WHERE company_id = $1`,
      [scope.companyId],
    );
    expect(await process(scope)).toEqual({ batches: 1, events: 2 });
    expect(await fixture.stored(scope)).toEqual(counted);
  });

  it('loses and doubles nothing when the process dies before its commit', async () => {
    const scope = await fixture.newCompany();
    await fixture.ingest(scope, anEvent(), anEvent({ sequence_step: 1 }));
    const url = await fixture.database.loginAs('outcomes_worker');
    const doomed = await startPod(url, fixture.clock, fixture.queue);
    const role = new URL(url).username;
    const folding = doomed.module.get(TouchFolding);
    const foldArrived = folding.foldArrived.bind(folding);
    folding.foldArrived = async (...parameters: Parameters<typeof foldArrived>) => {
      await foldArrived(...parameters);
      await fixture.database.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
        [role],
      );
    };
    await expect(doomed.processing.processPending(scope)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await doomed.module.close();
    expect((await fixture.stored(scope)).touches).toHaveLength(0);
    expect(await process(scope)).toEqual({ batches: 1, events: 2 });
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
    expect((await fixture.stored(scope)).touches).toHaveLength(2);
  });

  it('parks a batch after five failures, and the others are not held up by it', async () => {
    const scope = await fixture.newCompany();
    // The first batch of a company makes its list of suppressions, of all that is stored.
    await fixture.ingest(scope, anEvent({ recipient_id: 'first' }));
    await process(scope);
    await fixture.ingest(scope, anEvent({ recipient_id: 'poison', outcome: 'unsubscribed' }));
    const [poison] = await fixture.database.query<{ batch_id: string }>(
      'SELECT batch_id FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL',
      [scope.companyId],
    );
    await fixture.ingest(scope, anEvent({ recipient_id: 'fine' }));
    const folding = fixture.worker.module.get(TouchFolding);
    const foldArrived = folding.foldArrived.bind(folding);
    const spy = jest.spyOn(folding, 'foldArrived').mockImplementation(async (...parameters) => {
      if (parameters[1].includes(poison?.batch_id ?? '')) throw new TypeError('bad luck');
      await foldArrived(...parameters);
    });
    const listed = () =>
      fixture.database.query(
        'SELECT change, recipient_id, reason FROM suppression_list WHERE company_id = $1',
        [scope.companyId],
      );
    expect(await process(scope)).toEqual({ batches: 1, events: 1 });
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      expect(await listed()).toEqual([]);
      expect(await fixture.worker.processing.companiesWithPending(1_000)).toContain(scope.companyId);
      expect(await process(scope)).toEqual({ batches: 0, events: 0 });
    }
    expect(await fixture.worker.processing.companiesWithPending(1_000)).not.toContain(scope.companyId);
    // Nobody will count it for now, but whoever is in it must not be written to.
    expect(await listed()).toEqual([{ change: 'added', recipient_id: 'poison', reason: 'unsubscribed' }]);
    spy.mockRestore();
    expect(await process(scope)).toEqual({ batches: 0, events: 0 });
    expect(
      await fixture.database.query(
        'SELECT failed_attempts FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL',
        [scope.companyId],
      ),
    ).toEqual([{ failed_attempts: 5 }]);
    const counted = (await fixture.stored(scope)).touches.map((touch) => touch.recipientId);
    expect(counted.toSorted()).toEqual(['fine', 'first']);
  });

  it('sees no batch and no event of another company', async () => {
    const [own, foreign] = [await fixture.newCompany(), await fixture.newCompany()];
    await fixture.ingest(foreign, anEvent());
    expect(await process(own)).toEqual({ batches: 0, events: 0 });
    expect((await fixture.stored(foreign)).touches).toHaveLength(0);
    await fixture.ingest(own, anEvent());
    await process(own);
    await process(foreign);
    expect(await fixture.stored(own)).toEqual(await fixture.recount(own));
    expect(await fixture.stored(foreign)).toEqual(await fixture.recount(foreign));
  });

  it('says of live outcomes that they were streamed, and of old ones that they were not', async () => {
    const scope = await fixture.newCompany();
    fixture.clock.set('2026-06-15T12:00:00Z');
    await fixture.api.ingestion.ingestJson(
      scope,
      jsonBody(
        anEvent({ recipient_id: 'live', outcome_at: '2026-06-08T12:00:00Z' }),
        anEvent({ recipient_id: 'old', outcome_at: '2026-06-08T11:59:59Z' }),
      ),
    );
    await process(scope);
    const { touches } = await fixture.stored(scope);
    expect(Object.fromEntries(touches.map((touch) => [touch.recipientId, touch.streamed]))).toEqual({
      live: true,
      old: false,
    });
  });
});
