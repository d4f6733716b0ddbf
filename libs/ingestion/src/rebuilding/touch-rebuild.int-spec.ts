import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { inForm } from '@outcomes/testing';
import fc from 'fast-check';
import { collidingEvents } from '../../test/event-arbitrary';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { TouchRebuild } from './touch-rebuild.service';
import { TouchFolding } from '../touches/touch-folding.service';

describe('a company that an earlier version folded', () => {
  let fixture: IngestionFixture;
  let rebuild: TouchRebuild;

  beforeAll(async () => {
    fixture = await ingestionFixture();
    rebuild = fixture.worker.module.get(TouchRebuild);
  });
  afterAll(() => fixture.stop());

  /** As it was when a message was known without its time: every report of a step was about one message. */
  async function foldAsBefore(scope: TenantScope): Promise<void> {
    const { companyId } = scope;
    await fixture.worker.database.transaction(scope, async (transaction) => {
      const { rows: touches } = await transaction.client.query<{ recipientId: string; touchId: string }>(
        `SELECT DISTINCT recipient_id AS "recipientId", touch_id AS "touchId" FROM outcome_events
         WHERE company_id = $1`,
        [companyId],
      );
      await transaction.client.query(
        `UPDATE outcome_events SET touch_id = md5(recipient_id || channel || thread_id || sequence_step)::uuid
         WHERE company_id = $1`,
        [companyId],
      );
      const { rows: before } = await transaction.client.query<{ recipientId: string; touchId: string }>(
        `SELECT DISTINCT recipient_id AS "recipientId", touch_id AS "touchId" FROM outcome_events
         WHERE company_id = $1`,
        [companyId],
      );
      const folding = fixture.worker.module.get(TouchFolding);
      const removed = {
        touches: [...touches, ...before],
        recipientIds: [],
        references: [],
        isWhole: false,
        isExpiry: false,
      };
      await folding.refold(transaction, removed, new Date(0));
      await transaction.client.query(
        `UPDATE touches SET replied_at = NULL, unsubscribed_at = NULL, bounced_at = NULL, silent_at = NULL,
           opened_at = NULL WHERE company_id = $1`,
        [companyId],
      );
    });
    // A variant's name was taken for a lot.
    await fixture.database.query(
      'UPDATE cohort_counts SET level_randomized = level_touches WHERE company_id = $1',
      [companyId],
    );
    await fixture.database.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [companyId]);
  }

  const isListed = async ({ companyId }: TenantScope) => (await rebuild.companies(1_000)).includes(companyId);

  it('has the same touches and counts afterwards as one that began with this version', async () => {
    await fc.assert(
      fc.asyncProperty(collidingEvents, async (events) => {
        const scope = await fixture.newCompany();
        await fixture.ingest(scope, ...events);
        await fixture.worker.processing.processPending(scope);
        const fresh = await fixture.stored(scope);
        await foldAsBefore(scope);
        expect(await rebuild.rebuild(scope)).toBe(true);
        expect(await fixture.stored(scope)).toEqual(fresh);
        expect(await isListed(scope)).toBe(false);
      }),
      { seed: 11, numRuns: inForm(12, 40) },
    );
  });

  it('is told from one message: five mails to one person are five messages', async () => {
    const scope = await fixture.newCompany();
    const mails = [1, 2, 3, 4, 5].map((month) =>
      anEvent({ sent_at: `2026-0${month}-01T09:00:00Z`, outcome_at: `2026-0${month}-08T09:00:00Z` }),
    );
    await fixture.ingest(scope, ...mails);
    await fixture.worker.processing.processPending(scope);
    await foldAsBefore(scope);
    expect((await fixture.stored(scope)).touches).toHaveLength(1);
    await rebuild.rebuild(scope);
    expect((await fixture.stored(scope)).touches).toHaveLength(5);
    expect(fixture.queue.analyses).toContainEqual(expect.objectContaining({ companyId: scope.companyId }));
  });

  it('goes on where it was stopped, while batches and deletions come between', async () => {
    const scope = await fixture.newCompany();
    const events = Array.from({ length: inForm(3_000, 5_000) }, (_, n) =>
      anEvent({
        recipient_id: `r${n % 1_500}`,
        sequence_step: n % 4,
        sent_at: new Date(Date.parse('2026-03-01') + n * 60_000).toISOString(),
        outcome: n % 9 === 0 ? 'responded' : 'no_response',
        recipient_email: `p${n % 700}@example.com`,
      }),
    );
    for (let at = 0; at < events.length; at += 500) {
      await fixture.ingest(scope, ...events.slice(at, at + 500));
    }
    await fixture.worker.processing.processPending(scope);
    await foldAsBefore(scope);
    let steps = 0;
    for (let done = false; !done; steps += 1) {
      let asked = 0;
      done = await rebuild.rebuild(scope, () => (asked += 1) > 1);
      await fixture.ingest(scope, anEvent({ recipient_id: `r${steps}`, sequence_step: 9 }));
      await fixture.worker.processing.processPending(scope);
      await fixture.api.ingestion.deleteRecipient(scope, `r${100 + steps}`);
    }
    expect(steps).toBeGreaterThan(2);
    expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
  });

  it('keeps a batch pending that a worker of the earlier version has marked', async () => {
    const scope = await fixture.newCompany();
    await fixture.ingest(scope, anEvent());
    await fixture.database.query(
      `UPDATE ingest_batches SET processed_at = now(), event_ids = '{}' WHERE company_id = $1`,
      [scope.companyId],
    );
    expect(await fixture.worker.processing.processPending(scope)).toEqual({ batches: 1, events: 1 });
    expect((await fixture.stored(scope)).touches).toHaveLength(1);
  });

  describe('of which a service of the earlier version goes on writing', () => {
    const events = Array.from({ length: 60 }, (_, n) =>
      anEvent({
        recipient_id: `r${n % 20}`,
        sequence_step: n % 3,
        outcome: n % 5 === 0 ? 'responded' : 'no_response',
        metadata: { campaign_id: `c${n % 4}`, variant_id: `v${n % 2}` },
      }),
    );

    it.each([
      ['changes a touch', 'UPDATE touches SET outcome = 1 - outcome WHERE company_id = $1 AND outcome < 2'],
      ['deletes one', `DELETE FROM touches WHERE company_id = $1 AND recipient_id = 'r3'`],
    ])('counts by campaign begin anew where it %s', async (_, statement) => {
      const scope = await fixture.newCompany();
      await fixture.ingest(scope, ...events);
      await fixture.worker.processing.processPending(scope);
      expect(await isListed(scope)).toBe(false);
      expect((await fixture.stored(scope)).campaigns).not.toEqual([]);
      await fixture.worker.database.transaction(scope, ({ client }) =>
        client.query(statement, [scope.companyId]),
      );
      expect((await fixture.stored(scope)).campaigns).toEqual([]);
      expect(await isListed(scope)).toBe(true);
      // What comes before the rebuild is counted once, and not again by it.
      await fixture.ingest(scope, anEvent({ recipient_id: 'r1', sequence_step: 7 }));
      await fixture.worker.processing.processPending(scope);
      await rebuild.rebuild(scope);
      const { campaigns } = await fixture.stored(scope);
      expect(campaigns).toEqual((await fixture.recount(scope)).campaigns);
      expect(campaigns).not.toEqual([]);
    });
  });

  describe.each([
    ['subjects', 'outcomes', /^\["(subject|bin of subjects)"/],
    ['outcomes and subjects', 'yes', /^\["(outcome|subject|bin of subjects)"/],
  ])('of which a version that did not count %s wrote', (_counts, says, uncounted) => {
    const events = Array.from({ length: 60 }, (_, n) =>
      anEvent({
        recipient_id: `r${n % 20}`,
        sequence_step: n % 3,
        outcome: 'no_response',
        metadata: { campaign_id: `c${n % 4}`, variant_id: `v${n % 2}` },
      }),
    );
    const isUncounted = (line: string) => uncounted.test(line);
    const isCounted = (line: string) => !isUncounted(line);
    const campaigns = async (scope: TenantScope) => (await fixture.stored(scope)).campaigns;
    const expected = async (scope: TenantScope) => (await fixture.recount(scope)).campaigns;

    const countedCompany = async () => {
      const scope = await fixture.newCompany();
      await fixture.ingest(scope, ...events);
      await fixture.worker.processing.processPending(scope);
      return scope;
    };
    /** Of messages that are known: replies, and somebody's whole history. */
    const change = async (scope: TenantScope) => {
      await fixture.ingest(scope, ...events.slice(0, 9).map((event) => ({ ...event, outcome: 'responded' })));
      await fixture.worker.processing.processPending(scope);
      await fixture.api.ingestion.deleteRecipient(scope, 'r15');
    };
    const oldService = (scope: TenantScope, statement: string) =>
      fixture.worker.database.transaction(scope, async ({ client }) => {
        await client.query(`SELECT set_config('app.counts_campaigns', $1, true)`, [says]);
        await client.query(statement, [scope.companyId]);
      });

    it.each([
      [
        'after the upgrade',
        async (scope: TenantScope) => {
          // As the migration leaves it.
          await fixture.database.query(
            `INSERT INTO campaign_generations (company_id, generation, counts_outcomes, counts_subjects)
             VALUES ($1, 1, $2, false)`,
            [scope.companyId, says === 'outcomes'],
          );
          await fixture.database.query('UPDATE touches SET subject_id = NULL WHERE company_id = $1', [
            scope.companyId,
          ]);
          for (const table of ['campaign_subjects', ...(says === 'yes' ? ['campaign_outcomes'] : [])])
            await fixture.database.query(`DELETE FROM ${table} WHERE company_id = $1`, [scope.companyId]);
          await fixture.database.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [
            scope.companyId,
          ]);
        },
      ],
      [
        'while services are replaced',
        (scope: TenantScope) => oldService(scope, 'UPDATE touches SET levels = levels WHERE company_id = $1'),
      ],
      [
        'whose worker believes that it is done',
        async (scope: TenantScope) => {
          await oldService(scope, 'UPDATE touches SET levels = levels WHERE company_id = $1');
          await oldService(scope, 'DELETE FROM touch_rebuilds WHERE company_id = $1');
        },
      ],
      [
        'whose worker has come some way',
        async (scope: TenantScope) => {
          await oldService(scope, 'UPDATE touches SET levels = levels WHERE company_id = $1');
          await oldService(scope, `UPDATE touch_rebuilds SET after_recipient = 'r3' WHERE company_id = $1`);
        },
      ],
    ])('everything else is kept in step, and those from the next walk on: %s', async (_, harm) => {
      const scope = await countedCompany();
      expect((await campaigns(scope)).filter(isUncounted)).not.toEqual([]);
      await harm(scope);
      expect(await isListed(scope)).toBe(true);
      // Mutation: what was never counted is taken away, and the batch fails.
      await change(scope);
      expect(await campaigns(scope)).toEqual((await expected(scope)).filter(isCounted));
      expect(await rebuild.rebuild(scope)).toBe(true);
      expect(await isListed(scope)).toBe(false);
      expect(await campaigns(scope)).toEqual(await expected(scope));
      await fixture.ingest(scope, anEvent({ ...events[11], outcome: 'responded' }));
      await fixture.worker.processing.processPending(scope);
      expect(await campaigns(scope)).toEqual(await expected(scope));
    });
  });

  it('is left alone by whoever has no right to it', async () => {
    const [own, foreign] = [await fixture.newCompany(), await fixture.newCompany()];
    await fixture.ingest(foreign, anEvent());
    await fixture.database.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [foreign.companyId]);
    expect(await rebuild.rebuild(mintTenantScope(own.companyId))).toBe(false);
    expect(await isListed(foreign)).toBe(true);
  });
});
