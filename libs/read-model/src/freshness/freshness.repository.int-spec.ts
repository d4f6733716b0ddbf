import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantRun, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { FreshnessRepository } from './freshness.repository';

describe('FreshnessRepository', () => {
  let database: ReadingDatabase;
  let repository: FreshnessRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    repository = new FreshnessRepository(database.reader);
  });
  afterAll(() => database.close());

  it('tells the newest finished run that succeeded, and that a later one failed', async () => {
    const scope = mintTenantScope(randomUUID());
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-01T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-02T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'failed', '2026-01-03T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'running', '2026-01-04T00:00:00Z');
    expect(await repository.find(scope)).toEqual({
      dataAsOf: new Date('2026-01-02T00:00:00Z'),
      analysedAt: new Date('2026-01-02T00:00:00Z'),
      lastRunFailed: true,
      hasEvents: false,
    });
  });

  it('does not count a failure that was made good', async () => {
    const scope = mintTenantScope(randomUUID());
    await plantRun(database.owner, scope.companyId, 'failed', '2026-01-01T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-02T00:00:00Z');
    expect((await repository.find(scope)).lastRunFailed).toBe(false);
  });

  it('knows of events before the first run, processed or not', async () => {
    const processed = mintTenantScope(randomUUID());
    const waiting = mintTenantScope(randomUUID());
    await plantTouch(database.owner, { companyId: processed.companyId });
    await database.owner.query(
      'INSERT INTO ingest_batches (company_id, batch_id, event_ids) VALUES ($1, $2, $3)',
      [waiting.companyId, randomUUID(), [randomUUID()]],
    );
    expect(await repository.find(processed)).toEqual({
      dataAsOf: null,
      analysedAt: null,
      lastRunFailed: false,
      hasEvents: true,
    });
    expect((await repository.find(waiting)).hasEvents).toBe(true);
  });

  it("sees neither runs nor events of tenant B in tenant A's state", async () => {
    const tenantA = mintTenantScope(randomUUID());
    const tenantB = mintTenantScope(randomUUID());
    await plantRun(database.owner, tenantB.companyId, 'failed', '2026-01-03T00:00:00Z');
    await plantTouch(database.owner, { companyId: tenantB.companyId });
    expect(await repository.find(tenantA)).toEqual({
      dataAsOf: null,
      analysedAt: null,
      lastRunFailed: false,
      hasEvents: false,
    });
  });
});
