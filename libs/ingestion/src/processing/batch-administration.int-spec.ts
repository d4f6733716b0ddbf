import { randomUUID } from 'node:crypto';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import {
  anEvent,
  connectAsOwner,
  ingestionFixture,
  type IngestionFixture,
} from '../../test/ingestion-fixture';
import { BatchAdministration } from './batch-administration.service';
import { IngestBatchRepository } from './ingest-batch.repository';

describe('batches that were not processed', () => {
  let fixture: IngestionFixture;
  let owner: Awaited<ReturnType<typeof connectAsOwner>>;
  let batches: BatchAdministration;

  beforeAll(async () => {
    fixture = await ingestionFixture();
    owner = await connectAsOwner(fixture);
    const database = new TenantDatabase(owner);
    batches = new BatchAdministration(database, new IngestBatchRepository(database), fixture.clock);
  });
  afterAll(async () => {
    await owner.destroy();
    await fixture.stop();
  });

  /** Three of a company, the second and the third parked. */
  const threeOf = async (scope: TenantScope) => {
    for (const [n, day] of ['13', '12', '11'].entries()) {
      fixture.clock.set(`2026-06-${day}T12:00:00Z`);
      await fixture.ingest(
        scope,
        ...Array.from({ length: n + 1 }, (_, at) => anEvent({ recipient_id: `r${n}-${at}` })),
      );
      if (n > 0)
        await fixture.database.query(
          `UPDATE ingest_batches SET failed_attempts = 5 WHERE company_id = $1 AND received_at = $2`,
          [scope.companyId, fixture.clock.now()],
        );
    }
  };
  const listed = async (scope?: TenantScope) =>
    (await batches.list(scope)).map(({ companyId, state, events, failedAttempts, receivedAt }) => [
      ...[companyId, state, events, failedAttempts, receivedAt.toISOString().slice(0, 10)],
    ]);
  const log = ({ companyId }: TenantScope) =>
    fixture.database.query(
      'SELECT action, subject, actor_id, details FROM administration_log WHERE company_id = $1 ORDER BY entry_no',
      [companyId],
    );

  it('are listed for one company or for all, the parked ones first, each the oldest first', async () => {
    const [one, other] = [await fixture.newCompany(), await fixture.newCompany()];
    await threeOf(one);
    const { companyId } = one;
    const expected = [
      [companyId, 'parked', 3, 5, '2026-06-11'],
      [companyId, 'parked', 2, 5, '2026-06-12'],
      [companyId, 'waiting', 1, 0, '2026-06-13'],
    ];
    expect(await listed(one)).toEqual(expected);
    expect(await listed(other)).toEqual([]);
    await threeOf(other);
    expect((await listed()).filter(([id]) => id === companyId)).toEqual(expected);
    expect((await listed()).filter(([id]) => id === other.companyId)).toHaveLength(3);
    await fixture.worker.processing.processPending(one);
    expect((await listed(one)).map(([, state]) => state)).toEqual(['parked', 'parked']);
  });

  it('are tried again as if they had never failed: one, or all of a company, which is written down', async () => {
    const [scope, other] = [await fixture.newCompany(), await fixture.newCompany()];
    await threeOf(scope);
    await threeOf(other);
    const [first] = await batches.list(scope);
    const by = { by: { type: 'operator', id: 'ops' } } as const;
    // Neither one that is not there, nor one that is another company's.
    expect(await batches.retry(scope, randomUUID(), by)).toBe(0);
    expect(await batches.retry(other, first?.batchId, by)).toBe(0);
    expect(await batches.retry(scope, first?.batchId, by)).toBe(1);
    expect(await batches.retry(scope)).toBe(1);
    expect(await batches.retry(scope)).toBe(0);
    expect((await listed(scope)).map(([, state, , failed]) => [state, failed])).toEqual(
      Array(3).fill(['waiting', 0]),
    );
    expect(await log(scope)).toEqual([
      {
        ...{ action: 'batch.retry', subject: first?.batchId, actor_id: 'ops' },
        details: expect.objectContaining({ batches: 1 }) as object,
      },
      {
        ...{ action: 'batch.retry', subject: null, actor_id: 'outcomes' },
        details: expect.objectContaining({ batches: 1 }) as object,
      },
    ]);
    expect([
      await log(other),
      (await listed(other)).filter(([, state]) => state === 'parked').length,
    ]).toEqual([[], 2]);
    expect(await fixture.worker.processing.processPending(scope)).toEqual({ batches: 3, events: 6 });
  });

  it('are counted for operators, in all companies', async () => {
    const before = await fixture.worker.processing.backlog();
    await threeOf(await fixture.newCompany());
    const { waiting, parked, oldestReceivedAt } = await fixture.worker.processing.backlog();
    expect([waiting - before.waiting, parked - before.parked]).toEqual([1, 2]);
    // Parked ones are older, and no sign of a worker that is late.
    expect(oldestReceivedAt).toEqual(new Date('2026-06-13T12:00:00Z'));
  });
});
