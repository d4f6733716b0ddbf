import { randomUUID } from 'node:crypto';
import { DOCUMENTS, type ArmRecord, type BanditDocument } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import {
  createCompany,
  openAnalysis,
  plannedRows,
  storeRows,
  type AnalysisParts,
} from '../../test/company-fixture';
import { LentPriorRepository } from './lent-prior.repository';

const LITTLE = plannedRows({ days: 1, sendsPerDay: 12 });
const MUCH = plannedRows({ days: 40, sendsPerDay: 60 });

describe('the prior of all companies', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;
  let company: TenantScope;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
  });
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });
  beforeEach(async () => {
    await database.query('DELETE FROM lent_priors');
    company = await createCompany(database);
  });

  const lenders = async (count: number, mean: number, weight = 1_000) => {
    for (let n = 0; n < count; n += 1) {
      const { companyId } = await createCompany(database);
      await database.query(
        'INSERT INTO lent_priors (company_id, mean, concentration, weight, updated_at) VALUES ($1, $2, 40, $3, now())',
        [companyId, mean, weight],
      );
    }
  };
  const optOut = (companyId?: string) =>
    database.query(
      'UPDATE companies SET borrows_platform_prior = false WHERE company_id = coalesce($1, company_id)',
      [companyId ?? null],
    );
  const bandit = async (rows = LITTLE, scope = company): Promise<BanditDocument> => {
    await storeRows(database, scope, rows);
    await analysis.service.run(scope, { runKey: randomUUID() });
    return JSON.parse((await analysis.runs.document(scope, DOCUMENTS.bandit)) ?? 'null') as BanditDocument;
  };
  const lent = async ({ companyId }: TenantScope) =>
    database.query<{ mean: number; weight: number }>(
      'SELECT mean, weight FROM lent_priors WHERE company_id = $1',
      [companyId],
    );

  it('is what twenty companies have in common, and moves a company that has little data', async () => {
    await lenders(19, 0.25);
    const market = await bandit();
    expect(market.prior.source).toBe('market');
    await lenders(1, 0.25);
    const other = await createCompany(database);
    const platform = await bandit(LITTLE, other);
    expect(platform.prior.source).toBe('platform');
    expect(platform.prior.mean).toBeGreaterThan(market.prior.mean * 1.3);
    // The share of own data says that these arms rest on what was borrowed: an answer with them carries the alert.
    expect(platform.arms.every(({ own_data_share }) => own_data_share < 0.5)).toBe(true);
    // What the prior expects is said, and of each arm what its mean would be had nobody lent: that of the other company.
    // A quarter, in steps of .1 on the logit: -1.1.
    expect(platform.prior.expected_rate).toBeCloseTo(0.24974, 5);
    expect(market.prior.expected_rate).toBe(0.0474259);
    const nameOf = ({ channel, position }: ArmRecord) => `${channel}/${position}`;
    const unlent = new Map(market.arms.map((arm) => [nameOf(arm), arm.posterior_mean]));
    for (const arm of platform.arms) {
      expect(arm.market_mean).toBeCloseTo(unlent.get(nameOf(arm)) ?? Number.NaN, 5);
      expect(arm.posterior_mean).toBeGreaterThan(arm.market_mean * 1.2);
    }
    for (const arm of market.arms) expect(arm.market_mean).toBeCloseTo(arm.posterior_mean, 5);
  });

  it('lets go where a company has data of its own', async () => {
    await lenders(25, 0.4);
    const { arms, prior } = await bandit(MUCH);
    expect(prior.source).toBe('platform');
    const rich = arms.filter(({ own_data_share }) => own_data_share > 0.9);
    expect(rich.length).toBeGreaterThan(0);
    for (const { posterior_mean, market_mean, replies, observations } of rich) {
      // Borrowed was 40 %; the planned company has 8 %.
      expect(Math.abs(posterior_mean - replies / observations)).toBeLessThan(0.03);
      expect(Math.abs(posterior_mean - market_mean)).toBeLessThan(0.01);
    }
  });

  it('takes two numbers of a company, no counts of groups, once it has enough data', async () => {
    await bandit(LITTLE);
    expect(await lent(company)).toEqual([]);
    const other = await createCompany(database);
    const { prior } = await bandit(MUCH, other);
    const [row] = await lent(other);
    expect(row?.mean).toBeCloseTo(prior.mean, 6);
    expect(row?.weight).toBeGreaterThan(1_000);
  });

  it('never gives a company its own numbers back: nineteen others and itself are not enough', async () => {
    await lenders(19, 0.25);
    await bandit(MUCH);
    expect(await lent(company)).toHaveLength(1);
    await storeRows(database, company, plannedRows({ days: 1, sendsPerDay: 12, firstDay: 20_600 }));
    await analysis.service.run(company, { runKey: randomUUID() });
    const document = await analysis.runs.document(company, DOCUMENTS.bandit);
    expect((JSON.parse(document ?? 'null') as BanditDocument).prior.source).toBe('market');
  });

  it('lets nobody weigh more than a tenth, and one company move nobody', async () => {
    await lenders(30, 0.05);
    const before = await bandit(LITTLE, await createCompany(database));
    await lenders(1, 0.06, 1e9);
    const after = await bandit(LITTLE, await createCompany(database));
    expect(after.prior).toEqual(before.prior);
    await database.query('DELETE FROM lent_priors WHERE weight < 1e9');
    const alone = await bandit(LITTLE, await createCompany(database));
    expect(alone.prior.source).toBe('market');
  });

  it('neither takes from nor gives to a company that opted out, from that moment', async () => {
    await lenders(25, 0.25);
    await bandit(MUCH);
    expect(await lent(company)).toHaveLength(1);
    await optOut(company.companyId);
    await analysis.service.run(company, { runKey: randomUUID() });
    expect(await lent(company)).toEqual([]);
    expect((await bandit(LITTLE, company).catch(() => undefined))?.prior.source ?? 'market').toBe('market');
    const other = await createCompany(database);
    await optOut();
    await database.query('UPDATE companies SET borrows_platform_prior = true WHERE company_id = $1', [
      other.companyId,
    ]);
    expect((await bandit(LITTLE, other)).prior.source).toBe('market');
  });

  it('is nothing to a company that was deleted meanwhile', async () => {
    const priors = new LentPriorRepository(analysis.tenants);
    expect(await priors.takesPart(company)).toBe(true);
    await database.query('DELETE FROM companies WHERE company_id = $1', [company.companyId]);
    expect(await priors.takesPart(company)).toBe(false);
  });

  it('shows a tenant transaction no other company, whatever it asks', async () => {
    await lenders(3, 0.25);
    const seen = await analysis.tenants.transaction(
      company,
      async ({ client }) => (await client.query('SELECT * FROM lent_priors')).rowCount,
    );
    expect(seen).toBe(0);
  });
});
