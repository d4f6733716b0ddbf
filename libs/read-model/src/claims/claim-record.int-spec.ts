import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantSnapshot } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { ClaimRecords } from './claim-record.service';

const NO_CLAIMS = { total: 0, hints: 0, standing: [], claims: [] };

describe('the record of claims', () => {
  const company = mintTenantScope(randomUUID());
  const neighbour = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let records: ClaimRecords;

  const claim = (
    companyId: string,
    code: string,
    number: number,
    tier: string,
    since: string,
    recorded?: string,
  ) =>
    database.owner.query(
      `INSERT INTO claims (company_id, code, number, tier, is_up, since, reason, goes_with, e_value, odds_ratio,
         odds_ratio_low, odds_ratio_high, recorded_at, messages)
       VALUES ($1, $2, $3, $4, $5, $6, 'found', NULL, 30, 1.5, 1.2, 1.9, $7, 800)`,
      [companyId, code, number, tier, tier === 'none' ? null : true, since, recorded ?? null],
    );
  const weeks = (companyId: string, code: string, count: number, last: string, foldedLater: boolean) =>
    database.owner.query(
      `INSERT INTO evidence_weeks (company_id, code, week, folded_later, tier, log_e, log_limit, odds_ratio,
         odds_ratio_low, odds_ratio_high, messages)
       SELECT $1, $2, $3::date - 7 * n, $5, 'likely', n, 6.2, 1.5, 1.2, 1.9, 800 FROM generate_series(0, $4::int - 1) AS n`,
      [companyId, code, last, count, foldedLater],
    );

  beforeAll(async () => {
    database = await openReadingDatabase();
    records = new ClaimRecords(database.reader, new SnapshotRepository(database.reader));
    const { companyId } = company;
    await claim(companyId, 'TA-1', 1, 'directional', '2026-01-01T00:00:00Z');
    await claim(companyId, 'TA-1', 2, 'confirmed', '2026-01-09T00:00:00Z', '2026-01-09T02:00:00Z');
    await claim(companyId, 'TA-1', 3, 'none', '2026-01-20T00:00:00Z');
    await claim(companyId, 'SF-12', 1, 'likely', '2026-01-09T00:00:00Z');
    await claim(neighbour.companyId, 'TA-1', 1, 'likely', '2026-01-09T00:00:00Z');
  });
  afterAll(() => database.close());

  it('stands newest first, each row with what was claimed of its code before', async () => {
    const { total, hints, claims } = await records.of(company, undefined, true);
    expect([total, hints]).toEqual([4, 1]);
    expect(claims.map(({ code, number, tier, previousTier }) => [code, number, tier, previousTier])).toEqual([
      ['TA-1', 3, 'none', 'confirmed'],
      ['SF-12', 1, 'likely', null],
      ['TA-1', 2, 'confirmed', 'directional'],
      ['TA-1', 1, 'directional', null],
    ]);
    expect(claims[2]).toEqual({
      ...{ code: 'TA-1', number: 2, tier: 'confirmed', previousTier: 'directional', isMore: true },
      ...{ since: '2026-01-09T00:00:00.000Z', recordedAt: '2026-01-09T02:00:00.000Z' },
      ...{
        reason: 'found',
        goesWith: null,
        oddsRatio: 1.5,
        oddsRatioLow: 1.2,
        oddsRatioHigh: 1.9,
        messages: 800,
      },
    });
    expect(claims[0]).toMatchObject({ isMore: null, recordedAt: null });
  });

  it('is that of one code where it is named, and of one company', async () => {
    expect((await records.of(company, 'SF-12')).claims.map(({ code }) => code)).toEqual(['SF-12']);
    expect((await records.of(neighbour)).total).toBe(1);
    expect(await records.of(mintTenantScope(randomUUID()))).toEqual(NO_CLAIMS);
  });

  it('leaves out hints, of which nothing is claimed, unless they are asked for', async () => {
    const { total, hints, claims } = await records.of(company);
    expect([total, hints]).toEqual([3, 1]);
    // Mutation: what was claimed before is that of the row before in the list, not of the code.
    expect(claims.map(({ code, number, previousTier }) => [code, number, previousTier])).toEqual([
      ['TA-1', 3, 'confirmed'],
      ['SF-12', 1, null],
      ['TA-1', 2, 'directional'],
    ]);
  });

  it('has the oldest confirmation however many hints came after it', async () => {
    const hinted = mintTenantScope(randomUUID());
    await claim(hinted.companyId, 'TA-1', 1, 'confirmed', '2025-12-01T00:00:00Z');
    await database.owner.query(
      `INSERT INTO claims (company_id, code, number, tier, is_up, since, reason, e_value, odds_ratio, odds_ratio_low,
         odds_ratio_high)
       SELECT $1, 'SF-12', n, CASE n % 2 WHEN 0 THEN 'none' ELSE 'directional' END, CASE n % 2 WHEN 0 THEN NULL ELSE true END,
         '2026-01-01'::timestamptz + n * interval '1 hour', 'found', 3, 1.5, 1.2, 1.9
       FROM generate_series(1, 601) AS n`,
      [hinted.companyId],
    );
    const { total, hints, claims, standing } = await records.of(hinted);
    expect([total, hints, claims.map(({ code }) => code)]).toEqual([1, 601, ['TA-1']]);
    expect(standing).toEqual([
      { code: 'SF-12', tier: 'directional', since: '2026-01-26T01:00:00.000Z' },
      { code: 'TA-1', tier: 'confirmed', since: '2025-12-01T00:00:00.000Z' },
    ]);
    const everything = await records.of(hinted, undefined, true);
    expect([everything.total, everything.claims.length]).toEqual([602, 500]);
    expect((await records.of(hinted, 'TA-1', true)).claims).toHaveLength(1);
    expect(await records.of(hinted, 'SF-12')).toMatchObject({ total: 0, hints: 601, claims: [] });
  });

  it('lists the newest 500 rows, and says how many there are', async () => {
    const busy = mintTenantScope(randomUUID());
    await database.owner.query(
      `INSERT INTO claims (company_id, code, number, tier, is_up, since, reason, e_value, odds_ratio, odds_ratio_low,
         odds_ratio_high)
       SELECT $1, 'TA-1', n, 'likely', true, '2026-01-01'::timestamptz + n * interval '1 hour', 'found', 30, 1.5, 1.2, 1.9
       FROM generate_series(1, 501) AS n`,
      [busy.companyId],
    );
    const { total, claims } = await records.of(busy);
    expect([total, claims.length, claims[0]?.number, claims.at(-1)?.number]).toEqual([501, 500, 501, 2]);
  });

  it('has the evidence of the last ten years week by week, oldest first, the run of a week before what was folded later', async () => {
    const { companyId } = company;
    await weeks(companyId, 'TA-1', 521, '2026-01-05', false);
    await weeks(companyId, 'TA-1', 2, '2026-01-12', true);
    await weeks(neighbour.companyId, 'TA-1', 1, '2026-01-19', false);
    const path = await records.pathOf(company, 'TA-1');
    expect([path.code, path.weeks.length]).toEqual(['TA-1', 520]);
    expect(path.weeks.slice(-3).map(({ week, foldedLater }) => [week, foldedLater])).toEqual([
      ['2025-12-29', false],
      ['2026-01-05', false],
      ['2026-01-12', true],
    ]);
    expect(path.weeks.at(-2)).toEqual({
      ...{ week: '2026-01-05', foldedLater: false, tier: 'likely', logE: 0, logLimit: 6.2 },
      ...{ oddsRatio: 1.5, oddsRatioLow: 1.2, oddsRatioHigh: 1.9, messages: 800 },
    });
    await weeks(companyId, 'SF-12', 1, '2026-01-05', false);
    expect((await records.pathOf(company, 'SF-12')).weeks).toHaveLength(1);
  });

  it.each(['', 'TA', 'ta-1', 'TA-1\0', '\0TA-1'])('has none of what no code can be: %j', async (code) => {
    expect(await records.pathOf(company, code)).toEqual({ code, weeks: [] });
    expect(await records.of(company, code)).toEqual(NO_CLAIMS);
  });

  it('has the backtest of history that was brought, once it is folded', async () => {
    expect(await records.backtest(company)).toBeNull();
    await plantSnapshot(database.owner, company.companyId, 'backtest', { weeks: 12 });
    expect(await records.backtest(company)).toEqual({ weeks: 12 });
    expect(await records.backtest(neighbour)).toBeNull();
  });
});
