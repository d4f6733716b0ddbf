import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantCohort } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { settledDays } from '../runs/settled-days';
import { CohortRepository } from './cohort.repository';

describe('CohortRepository', () => {
  const tenantA = mintTenantScope(randomUUID());
  const tenantB = mintTenantScope(randomUUID());
  // Mature until 2026-01-18 (email) and 2026-01-11 (linkedin).
  const mature = settledDays(undefined, '2026-02-01');
  let database: ReadingDatabase;
  let repository: CohortRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    repository = new CohortRepository(database.reader);
    const own = { companyId: tenantA.companyId, touches: 10, replies: 1 };
    for (const cohort of [
      { ...own, day: '2026-01-02' },
      { ...own, day: '2026-01-12' },
      { ...own, day: '2026-01-18', replies: 2 },
      { ...own, day: '2026-01-19', replies: 5 },
      { ...own, day: '2026-01-12', channel: 'linkedin' as const },
      { companyId: tenantB.companyId, day: '2026-01-12', touches: 99, replies: 99 },
    ]) {
      await plantCohort(database.owner, cohort);
    }
  });
  afterAll(() => database.close());

  it('sums what is settled from a day on, per stratum', async () => {
    expect(await repository.settled(tenantA, '2026-01-10', mature)).toEqual([
      { channel: 'email', stepBucket: 0, position: 'vp', messages: 20, replies: 3 },
    ]);
  });

  it('counts of a channel only what was sent since its replies last changed', async () => {
    const changed = mature.map((days) =>
      days.channel === 'email' ? { ...days, since: '2026-01-18' } : days,
    );
    expect(await repository.settled(tenantA, '2026-01-01', changed)).toEqual([
      { channel: 'email', stepBucket: 0, position: 'vp', messages: 10, replies: 2 },
    ]);
  });

  it('weighs messages by the replies that can have come, where many come late', async () => {
    // Of 2026-01-18, which is the last that has settled, and of six days before it, of which the list says nothing.
    const late = mature.map((days) => (days.channel === 'email' ? { ...days, arrived: [0.4, 0.5] } : days));
    const cells = await repository.settled(tenantA, '2026-01-10', late);
    expect(cells.sort((a, b) => a.replies - b.replies)).toMatchObject([
      { messages: 10, due: 10, replies: 1 },
      { messages: 10, due: 4, replies: 2 },
    ]);
    const periods = await repository.periods(tenantA, 7, late);
    const recent = periods.filter((cell) => cell.recent).sort((a, b) => a.replies - b.replies);
    expect(recent).toMatchObject([
      { from: '2026-01-12', to: '2026-01-12', messages: 10, due: 10 },
      { from: '2026-01-18', to: '2026-01-18', messages: 10, due: 4 },
    ]);
  });

  it("adds nothing of tenant B's to tenant A's sums", async () => {
    const cells = await repository.settled(tenantB, '2026-01-01', mature);
    expect(cells.map((cell) => cell.messages)).toEqual([99]);
    expect(await repository.settled(mintTenantScope(randomUUID()), '2026-01-01', mature)).toEqual([]);
  });

  it('splits settled days into a recent period and the one before it', async () => {
    const periods = await repository.periods(tenantA, 7, mature);
    expect(periods.sort((a, b) => Number(a.recent) - Number(b.recent))).toEqual([
      { channel: 'email', recent: false, from: '2026-01-02', to: '2026-01-02', messages: 10, replies: 1 },
      { channel: 'email', recent: true, from: '2026-01-12', to: '2026-01-18', messages: 20, replies: 3 },
    ]);
  });

  it("knows no period of tenant B's for tenant A", async () => {
    const periods = await repository.periods(tenantB, 7, mature);
    expect(periods).toEqual([expect.objectContaining({ messages: 99 })]);
  });
});
