import { randomUUID } from 'node:crypto';
import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';

describe('decisions about contacts whose events go', () => {
  let fixture: IngestionFixture;
  let scope: TenantScope;
  let other: TenantScope;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    [scope, other] = [await fixture.newCompany(), await fixture.newCompany()];
  });

  const ingest = async (of: TenantScope, ...events: object[]) => {
    await fixture.ingest(of, ...events.map((event) => anEvent({ ...event })));
    await fixture.worker.processing.processPending(of);
  };
  /** Freezes something about every touch there is, as a run does. */
  const decide = async ({ companyId }: TenantScope, at = '2026-06-15T12:00:00Z') => {
    await fixture.database.query(
      `INSERT INTO decision_models VALUES ($1, sha256('m'), $2, 'm') ON CONFLICT DO NOTHING`,
      [companyId, at],
    );
    await fixture.database.query(
      `INSERT INTO workflow_decisions (company_id, decision_id, decided_at, run_id, after_touch_id, contact_state,
         contact_id, recipient_hash, thread_id, engine_version, model_sha256, inputs, result)
       SELECT company_id, gen_random_uuid(), $2, gen_random_uuid(), touch_id, 'open', recipient_id, recipient_hash,
         thread_id, 'test', sha256('m'), '{}', '{}'
       FROM touches WHERE company_id = $1 ON CONFLICT DO NOTHING`,
      [companyId, at],
    );
  };
  const decidedAbout = async ({ companyId }: TenantScope) => {
    const rows = await fixture.database.query<{ contact_id: string }>(
      'SELECT contact_id FROM workflow_decisions WHERE company_id = $1 ORDER BY contact_id',
      [companyId],
    );
    return rows.map(({ contact_id }) => contact_id);
  };

  it('go with an erased recipient, before the answer, and for the whole address', async () => {
    for (const tenant of [scope, other]) {
      await ingest(
        tenant,
        { recipient_id: 'anna', recipient_email: 'anna@x.org' },
        { recipient_id: 'anna-again', recipient_email: 'anna@x.org' },
        { recipient_id: 'bert', recipient_email: 'bert@x.org' },
        { recipient_id: 'carl' },
      );
      await decide(tenant);
    }
    await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    expect(await decidedAbout(scope)).toEqual(['bert', 'carl']);
    await fixture.api.ingestion.deleteRecipient(scope, 'carl');
    expect(await decidedAbout(scope)).toEqual(['bert']);
    expect(await decidedAbout(other)).toEqual(['anna', 'anna-again', 'bert', 'carl']);
  });

  it('go with a single event of the contact', async () => {
    const event_id = randomUUID();
    await ingest(
      scope,
      { recipient_id: 'anna', event_id },
      { recipient_id: 'anna', sequence_step: 1 },
      { recipient_id: 'bert' },
    );
    await decide(scope);
    await fixture.api.ingestion.deleteEvent(scope, event_id);
    expect(await decidedAbout(scope)).toEqual(['bert']);
  });

  it('go with expired events, and when they are themselves too old', async () => {
    await ingest(scope, { recipient_id: 'old' });
    fixture.clock.set('2027-06-15T12:00:00Z');
    await ingest(scope, { recipient_id: 'recent' });
    await decide(scope, '2027-06-15T12:00:00Z');
    expect(await decidedAbout(scope)).toEqual(['old', 'recent']);
    fixture.clock.set('2028-06-15T12:00:00Z');
    await fixture.worker.retention.expire(scope);
    expect(await decidedAbout(scope)).toEqual(['recent']);
    // The same message again, so that the event stays where the decision goes.
    await ingest(scope, { recipient_id: 'recent', sequence_step: 1 });
    fixture.clock.set('2029-06-15T12:00:01Z');
    await fixture.worker.retention.expire(scope);
    expect(await decidedAbout(scope)).toEqual([]);
    expect(
      await fixture.database.query('SELECT FROM decision_models WHERE company_id = $1', [scope.companyId]),
    ).toEqual([]);
    fixture.clock.set('2026-06-15T12:00:00Z');
  });

  it('go with an expired event when another recipient is sent its id', async () => {
    const event_id = randomUUID();
    await ingest(scope, { recipient_id: 'old', event_id });
    fixture.clock.set('2027-06-15T12:00:00Z');
    await ingest(scope, { recipient_id: 'recent' });
    await decide(scope, '2027-06-15T12:00:00Z');
    fixture.clock.set('2028-06-15T12:00:00Z');
    await ingest(scope, { recipient_id: 'new', event_id });
    expect(await decidedAbout(scope)).toEqual(['recent']);
    fixture.clock.set('2026-06-15T12:00:00Z');
  });

  it('are waited for: what a run froze while a recipient was being erased goes too', async () => {
    await ingest(scope, { recipient_id: 'anna' });
    const { companyId } = scope;
    // A run that has read the contact, holds the lock, and has not yet written.
    let erased: Promise<unknown> = Promise.resolve();
    await fixture.worker.database.transaction(scope, async ({ client }) => {
      await client.query('SELECT pg_advisory_xact_lock(32513, hashtext($1))', [companyId]);
      erased = fixture.api.ingestion.deleteRecipient(scope, 'anna');
      await client.query(
        `INSERT INTO workflow_decisions (company_id, decision_id, decided_at, run_id, after_touch_id, contact_state,
           contact_id, thread_id, engine_version, model_sha256, inputs, result)
         VALUES ($1, gen_random_uuid(), now(), gen_random_uuid(), gen_random_uuid(), 'open', 'anna', 't', 'e',
           sha256('m'), '{}', '{}')`,
        [companyId],
      );
    });
    await erased;
    expect(await decidedAbout(scope)).toEqual([]);
  });
});
