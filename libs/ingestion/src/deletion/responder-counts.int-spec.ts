import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';

describe('what is kept of recipients whose events go', () => {
  let fixture: IngestionFixture;
  let scope: TenantScope;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    scope = await fixture.newCompany();
    const answer = { outcome: 'responded', recipient_position: 'CEO' };
    await fixture.ingest(
      scope,
      anEvent({ ...answer, recipient_id: 'anna', recipient_email: 'anna@x.org', industry: ' Falconry ' }),
      anEvent({ ...answer, recipient_id: 'bert', recipient_email: 'bert@x.org', industry: 'Retail' }),
      anEvent({ recipient_id: 'carl', recipient_email: 'carl@x.org', industry: 'Retail' }),
    );
    await fixture.worker.processing.processPending(scope);
  });

  const kept = async (table: string) =>
    fixture.database.query(`SELECT industry FROM ${table} WHERE company_id = $1 ORDER BY industry`, [
      scope.companyId,
    ]);

  it('counts those who answered, by industry', async () => {
    expect(await kept('responder_counts')).toEqual([{ industry: 'falconry' }, { industry: 'retail' }]);
  });

  it('follows an event that adds nothing but another industry', async () => {
    const before = await fixture.stored(scope);
    await fixture.ingest(
      scope,
      anEvent({
        outcome: 'responded',
        recipient_id: 'bert',
        recipient_email: 'bert@x.org',
        industry: 'Sailing',
        outcome_at: new Date(
          Math.max(...before.touches.map((touch) => touch.outcomeAtMs)) + 60_000,
        ).toISOString(),
      }),
    );
    await fixture.worker.processing.processPending(scope);
    expect(await kept('responder_counts')).toEqual([{ industry: 'falconry' }, { industry: 'sailing' }]);
  });

  it('goes with an erased recipient, before the answer', async () => {
    await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    for (const table of ['responders', 'responder_counts']) {
      expect([table, await kept(table)]).toEqual([table, [{ industry: 'retail' }]]);
    }
  });

  it('goes with events that have expired', async () => {
    fixture.clock.advanceDays(800);
    await fixture.worker.retention.expire(scope);
    fixture.clock.advanceDays(-800);
    for (const table of ['responders', 'responder_counts'])
      expect([table, await kept(table)]).toEqual([table, []]);
  });
});
