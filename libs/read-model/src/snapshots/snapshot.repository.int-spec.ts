import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { plantSnapshot } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { SnapshotRepository } from './snapshot.repository';

describe('SnapshotRepository', () => {
  const tenantA = mintTenantScope(randomUUID());
  const tenantB = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let repository: SnapshotRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    repository = new SnapshotRepository(database.reader);
    await plantSnapshot(database.owner, tenantA.companyId, 'patterns', [{ code: 'TA-1' }]);
    await plantSnapshot(database.owner, tenantA.companyId, 'analysis/tone_analysis', { of: 'A' });
    await plantSnapshot(database.owner, tenantA.companyId, 'analysis/general_analysis', { of: 'A first' });
    await plantSnapshot(database.owner, tenantB.companyId, 'patterns', [{ code: 'CANARY-B' }]);
    await plantSnapshot(database.owner, tenantB.companyId, 'bandit', { of: 'B' });
    await plantSnapshot(database.owner, tenantB.companyId, 'analysis/body_content_analysis', { of: 'B' });
  });
  afterAll(() => database.close());

  it('returns a document as the bytes that were stored', async () => {
    const found = await repository.find(tenantA, 'patterns');
    expect(found?.body).toBe('[{"code":"TA-1"}]');
    expect(found?.etag).toHaveLength(22);
  });

  it('finds nothing of tenant B for tenant A', async () => {
    expect(await repository.find(tenantA, 'bandit')).toBeUndefined();
  });

  it('returns beside it the frame of its run, and the ledger where there is none', async () => {
    expect((await repository.find(tenantA, 'patterns'))?.frame).toBeNull();
    await plantSnapshot(database.owner, tenantA.companyId, 'drift', { of: 'A, the ledger' });
    expect((await repository.find(tenantA, 'patterns'))?.frame).toBe('{"of":"A, the ledger"}');
    await plantSnapshot(database.owner, tenantA.companyId, 'frame', { of: 'A, the frame' });
    expect((await repository.find(tenantA, 'patterns'))?.frame).toBe('{"of":"A, the frame"}');
    expect((await repository.findFirst(tenantA, 'analysis/'))?.frame).toBe('{"of":"A, the frame"}');
    expect((await repository.find(tenantB, 'patterns'))?.frame).toBeNull();
  });

  it('returns the first analysis in ascending order of its key', async () => {
    const found = await repository.findFirst(tenantA, 'analysis/');
    expect(found?.body).toBe('{"of":"A first"}');
  });

  it("does not take tenant B's earlier key for tenant A's first", async () => {
    expect((await repository.findFirst(tenantB, 'analysis/'))?.body).toBe('{"of":"B"}');
    expect(await repository.findFirst(mintTenantScope(randomUUID()), 'analysis/')).toBeUndefined();
  });

  it('leaves no tenant behind on the connection', async () => {
    await repository.find(tenantA, 'patterns');
    const seen = await database.reader.statement<{ count: number }>(mintSystemScope(), {
      name: 'all_snapshots',
      text: 'SELECT count(*)::integer AS count FROM snapshots',
      values: [],
    });
    expect(seen).toEqual([{ count: 0 }]);
  });

  it('is held by the policies even where a statement forgets its WHERE', async () => {
    const seen = await database.reader.transaction(tenantA, ({ client }) =>
      client.query<{ company_id: string }>('SELECT DISTINCT company_id FROM snapshots'),
    );
    expect(seen.rows).toEqual([{ company_id: tenantA.companyId }]);
  });
});
