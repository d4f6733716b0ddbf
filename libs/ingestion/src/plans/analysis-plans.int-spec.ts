import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { AnalysisPlans } from './analysis-plans.service';

const MINUTE = 60;

describe('the plan of analyses', () => {
  let fixture: IngestionFixture;
  let plans: AnalysisPlans;

  beforeAll(async () => {
    fixture = await ingestionFixture();
    plans = fixture.worker.module.get(AnalysisPlans);
  });
  afterAll(() => fixture.stop());

  /** Messages of recipients `from` to below `to`, in one request. */
  const ingest = (scope: TenantScope, from: number, to: number) =>
    fixture.ingest(
      scope,
      ...Array.from({ length: to - from }, (_, n) => anEvent({ recipient_id: `r-${from + n}` })),
    );
  const count = (scope: TenantScope) => fixture.worker.processing.processPending(scope);
  const counted = async (scope: TenantScope, from: number, to: number) => {
    await ingest(scope, from, to);
    await count(scope);
  };
  /** As if so much time had gone by since all that the plan knows of. */
  const pass = async ({ companyId }: TenantScope, seconds: number) => {
    const times = ['counted_at', 'unanalysed_since', 'asked_at', 'begun_at', 'next_at', 'requested_at'];
    await fixture.database.query(
      `UPDATE analysis_plans SET ${times.map((time) => `${time} = ${time} - $2 * interval '1 second'`).join(', ')}
       WHERE company_id = $1`,
      [companyId, seconds],
    );
  };
  /** What a daily run leaves behind that read so many messages. */
  const analysedDaily = ({ companyId }: TenantScope, messages: number) =>
    fixture.database.query(
      `UPDATE analysis_plans SET daily_since = now(), messages = $2, unanalysed_since = NULL, growth_at_most = 0,
         next_at = NULL WHERE company_id = $1`,
      [companyId, messages],
    );
  const isDue = async ({ companyId }: TenantScope) => (await plans.due(1_000)).includes(companyId);

  it('waits for a pause of five seconds, so that the first request of an import is not analysed alone', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 3);
    await pass(scope, 4);
    expect([await isDue(scope), await plans.take(scope)]).toEqual([false, undefined]);
    await counted(scope, 3, 6);
    await pass(scope, 4);
    expect([await isDue(scope), await plans.take(scope)]).toEqual([false, undefined]);
    await pass(scope, 1);
    expect([await isDue(scope), await plans.take(scope)]).toEqual([true, 'first-2']);
  });

  it('waits for what is stored and not counted, and no longer than five minutes after the first event', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 3);
    await ingest(scope, 3, 6);
    await pass(scope, 10);
    expect(await plans.take(scope)).toBeUndefined();
    await pass(scope, 4 * MINUTE);
    expect(await plans.take(scope)).toBeUndefined();
    await pass(scope, MINUTE);
    expect(await plans.take(scope)).toBe('first-1');
  });

  it('waits while stored history is being rebuilt', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 3);
    await fixture.database.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [scope.companyId]);
    await pass(scope, 10);
    expect(await plans.take(scope)).toBeUndefined();
    await fixture.database.query('DELETE FROM touch_rebuilds WHERE company_id = $1', [scope.companyId]);
    await pass(scope, 10);
    expect(await plans.take(scope)).toBe('first-1');
  });

  it('is not held up by a parked batch', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 3);
    await fixture.database.query(
      `INSERT INTO ingest_batches (company_id, batch_id, event_ids, failed_attempts)
       VALUES ($1, gen_random_uuid(), '{}', 5)`,
      [scope.companyId],
    );
    await pass(scope, 10);
    expect(await plans.take(scope)).toBe('first-1');
  });

  it('comes at most once a minute, and again where the one before was lost', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 3);
    await pass(scope, 10);
    expect(await plans.take(scope)).toBe('first-1');
    await pass(scope, 10);
    await counted(scope, 3, 6);
    await pass(scope, 49);
    expect(await plans.take(scope)).toBeUndefined();
    await pass(scope, 1);
    expect(await plans.take(scope)).toBe('first-2');
    // Nothing came since: the same key, so that a job that is only late is not there twice.
    await pass(scope, MINUTE);
    expect(await plans.take(scope)).toBe('first-2');
  });

  it('is taken by one of any number of workers', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 3);
    await pass(scope, 10);
    const taken = await Promise.all(Array.from({ length: 8 }, () => plans.take(scope)));
    expect(taken.filter((key) => key !== undefined)).toEqual(['first-1']);
  });

  it('follows growth by a tenth after the first day, and nothing less', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 100);
    await analysedDaily(scope, 100);
    await counted(scope, 100, 109);
    await pass(scope, 10);
    expect(await isDue(scope)).toBe(false);
    await counted(scope, 109, 110);
    await pass(scope, 10);
    expect([await isDue(scope), await plans.take(scope)]).toEqual([true, 'growth-3']);
  });

  it('takes only new messages for growth, not further events about known ones', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 100);
    await analysedDaily(scope, 100);
    const replies = Array.from({ length: 50 }, (_, n) =>
      anEvent({ recipient_id: `r-${n}`, outcome: 'responded' }),
    );
    await fixture.ingest(scope, ...replies);
    await count(scope);
    await pass(scope, 10);
    expect([await isDue(scope), await plans.take(scope)]).toEqual([true, undefined]);
    expect(await isDue(scope)).toBe(false);
    // What was looked at is not looked at again before there could be enough.
    await counted(scope, 100, 109);
    await pass(scope, 10);
    expect(await isDue(scope)).toBe(false);
    await counted(scope, 109, 110);
    await pass(scope, 10);
    expect(await plans.take(scope)).toBe('growth-4');
  });

  it('counts growth from now on where the messages of the newest run are not known', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 20);
    await analysedDaily(scope, 20);
    await fixture.database.query('UPDATE analysis_plans SET messages = NULL WHERE company_id = $1', [
      scope.companyId,
    ]);
    await counted(scope, 20, 30);
    await pass(scope, 10);
    expect(await plans.take(scope)).toBeUndefined();
    await counted(scope, 30, 33);
    await pass(scope, 10);
    expect(await plans.take(scope)).toBe('growth-3');
  });

  it('notes the newest event of the batch that was received last', async () => {
    const scope = await fixture.newCompany();
    const eventOf = (day: string) =>
      anEvent({ recipient_id: day, sent_at: '2026-01-05', outcome_at: `2026-01-${day}T12:00:00Z` });
    for (const day of ['08', '09', '07']) await fixture.ingest(scope, eventOf(day));
    await fixture.database.query(
      `UPDATE ingest_batches AS batch SET received_at = outcome_at FROM outcome_events AS event
       WHERE batch.company_id = $1 AND event.company_id = $1 AND event.event_id = ANY (batch.event_ids)`,
      [scope.companyId],
    );
    await count(scope);
    const newest = () =>
      fixture.database.query<{ day: string }>(
        `SELECT newest_outcome_at::text AS day FROM analysis_plans WHERE company_id = $1`,
        [scope.companyId],
      );
    expect((await newest())[0]?.day).toMatch(/^2026-01-09/);
    // A batch that was held up and is counted last was not received last.
    await fixture.ingest(scope, eventOf('10'));
    await fixture.database.query(
      `UPDATE ingest_batches SET received_at = '2026-01-01' WHERE company_id = $1 AND processed_at IS NULL`,
      [scope.companyId],
    );
    await count(scope);
    expect((await newest())[0]?.day).toMatch(/^2026-01-09/);
  });

  it('calls a planned run needless where another has read everything, and no other run ever', async () => {
    const scope = await fixture.newCompany();
    await counted(scope, 0, 3);
    expect(await plans.isWanted(scope, 'first-1')).toBe(true);
    await analysedDaily(scope, 3);
    expect(await plans.isWanted(scope, 'first-1')).toBe(false);
    expect(await plans.isWanted(scope, 'manual-1')).toBe(true);
    expect(await plans.isWanted(scope, '2026-06-01')).toBe(true);
  });

  it('counts companies without an analysis for a day and two hours, new ones from when they were made', async () => {
    const before = await plans.overdue(26);
    const [fresh, silent, analysed, failing] = [
      await fixture.newCompany(),
      await fixture.newCompany(),
      await fixture.newCompany(),
      await fixture.newCompany(),
    ];
    await fixture.database.query(
      `UPDATE companies SET created_at = now() - interval '3 days' WHERE company_id <> $1`,
      [fresh.companyId],
    );
    const others = (await plans.overdue(26)) - before;
    for (const [scope, hours] of [
      [analysed, 25],
      [failing, 27],
    ] as const) {
      await fixture.database.query(
        `INSERT INTO analysis_plans (company_id, analysed_at) VALUES ($1, now() - $2 * interval '1 hour')`,
        [scope.companyId, hours],
      );
    }
    // One of the three is no longer overdue. Mutation: by begun_at, the failing one would not be, either.
    expect((await plans.overdue(26)) - before).toBe(others - 1);
    expect(others).toBeGreaterThanOrEqual([silent, analysed, failing].length);
  });

  it('shows a company nothing of another', async () => {
    const [scope, other] = [await fixture.newCompany(), await fixture.newCompany()];
    await counted(scope, 0, 3);
    await pass(scope, 10);
    expect([await plans.take(other), await plans.isWanted(other, 'first-1')]).toEqual([undefined, false]);
    expect(await plans.take(scope)).toBe('first-1');
  });
});
