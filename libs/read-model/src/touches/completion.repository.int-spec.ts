import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { CompletionRepository } from './completion.repository';

describe('CompletionRepository', () => {
  const tenantA = mintTenantScope(randomUUID());
  const tenantB = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let repository: CompletionRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    repository = new CompletionRepository(database.reader);
    for (const name of ['alpha', 'alpine', 'beta']) {
      await plantTouch(database.owner, { companyId: tenantA.companyId, campaignId: name, recipientId: name });
      await plantTouch(database.owner, { companyId: tenantA.companyId, campaignId: name, recipientId: name });
    }
    await plantTouch(database.owner, {
      companyId: tenantB.companyId,
      campaignId: 'alpaca',
      recipientId: 'alpaca',
    });
  });
  afterAll(() => database.close());

  it.each(['campaign', 'contact'] as const)(
    'finds each %s once, in order, by its beginning',
    async (kind) => {
      expect(await repository.find(tenantA, kind, 'al', 10)).toEqual(['alpha', 'alpine']);
      expect(await repository.find(tenantA, kind, '', 2)).toEqual(['alpha', 'alpine']);
      expect(await repository.find(tenantA, kind, 'al%', 10)).toEqual([]);
      expect(await repository.find(tenantA, kind, 'al\0', 10)).toEqual([]);
    },
  );

  it('finds nothing of tenant B for tenant A', async () => {
    expect(await repository.find(tenantA, 'campaign', 'alpaca', 10)).toEqual([]);
    expect(await repository.find(tenantB, 'contact', 'al', 10)).toEqual(['alpaca']);
  });
});
