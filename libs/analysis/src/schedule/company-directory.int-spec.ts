import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { createCompany, openAnalysis, type AnalysisParts } from '../../test/company-fixture';
import { CompanyDirectory } from './company-directory.service';
import { companiesBehind } from './company.repository';

describe('whom the worker works for', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;
  let directory: CompanyDirectory;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
    directory = new CompanyDirectory(analysis.tenants);
  });
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });

  const createCompanies = (count: number) =>
    database.query(
      `INSERT INTO companies (company_id, name, created_at)
       SELECT gen_random_uuid(), 'Test', '2026-01-01T00:00:00Z' FROM generate_series(1, $1::int)`,
      [count],
    );
  const ids = async () => {
    const rows = await database.query<{ company_id: string }>(
      'SELECT company_id FROM companies ORDER BY company_id',
    );
    return rows.map(({ company_id }) => company_id);
  };

  it('is every company once, in pages of a thousand, and nobody where there is none', async () => {
    const pages = async () => {
      const found: (readonly string[])[] = [];
      for await (const page of directory.pages()) found.push(page);
      return found;
    };
    expect(await pages()).toEqual([]);
    await createCompanies(1_000);
    expect(await pages()).toEqual([await ids()]);
    await createCompanies(1);
    const all = await ids();
    expect(await pages()).toEqual([all.slice(0, 1_000), all.slice(1_000)]);
    expect(await companiesBehind(analysis.tenants, all[2] as string, 3)).toEqual(all.slice(3, 6));
  });

  it('is a company that exists, and no other', async () => {
    const { companyId } = await createCompany(database);
    expect((await directory.scopeOf(companyId))?.companyId).toBe(companyId);
    expect(await directory.scopeOf(randomUUID())).toBeUndefined();
    // Of the installation there is a scope, and no company.
    const installation = directory.installationScope().companyId;
    expect(installation).toBe('00000000-0000-0000-0000-000000000000');
    expect(await directory.scopeOf(installation)).toBeUndefined();
  });
});
