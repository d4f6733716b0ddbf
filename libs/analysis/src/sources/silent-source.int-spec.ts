import {
  type BanditDocument,
  DAY_MS,
  DOCUMENTS,
  type DriftDocument,
  type RunFrame,
} from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';
import { channelWorld } from '@outcomes/statistics/testing';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import {
  createCompany,
  FIRST_DAY,
  openAnalysis,
  storeProcessedBatch,
  type AnalysisParts,
} from '../../test/company-fixture';
import { cellsOf, storeCells, type SentCell } from '../../test/sent-cells';
import { isoDay } from '../cohorts/days';

/** 200 messages a day for 130 days; the webhook that told of replies dies on day 90, and nobody notices. */
const [DAYS, DIES_ON] = [130, 90];
const DIED_AT = new Date((FIRST_DAY + DIES_ON) * DAY_MS + 10 * 3_600_000);
const sent = cellsOf(0, channelWorld({ days: DAYS, sendsPerDay: 200, campaigns: 4 }, seededRng(5)).counts);
/** Half of the replies come within a week, so of the last week's messages half were never told of. */
const told = sent.map((cell): SentCell => {
  const age = FIRST_DAY + DIES_ON - cell.day;
  const replies = age <= 0 ? 0 : age < 7 ? cell.replies >> 1 : cell.replies;
  return { ...cell, replies, replyDelays: [replies], lastOutcomeAt: new Date((cell.day + 1) * DAY_MS) };
});

describe('a webhook that has died', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
  });
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });

  const company = async (cells: readonly SentCell[] = told, isConnected = true) => {
    const scope = await createCompany(database);
    await storeCells(database, scope, cells);
    await storeProcessedBatch(database, scope, `${isoDay(FIRST_DAY + DAYS)}T02:00:00Z`);
    if (!isConnected) return scope;
    await database.query(
      `INSERT INTO sources (company_id, source_id, tool, created_at, last_delivery_at)
       VALUES ($1, 'src_dead', 'smartlead', $2, $3)`,
      [scope.companyId, isoDay(FIRST_DAY), DIED_AT],
    );
    await database.query(
      `INSERT INTO source_days (company_id, source_id, day, deliveries)
       SELECT $1, 'src_dead', $2::date + n, 12 FROM generate_series(0, $3::int) AS n`,
      [scope.companyId, isoDay(FIRST_DAY), DIES_ON],
    );
    return scope;
  };
  const analysed = async (scope: Awaited<ReturnType<typeof company>>, runKey: string) => {
    await analysis.service.run(scope, { runKey });
    const document = async <Content>(name: string) =>
      JSON.parse((await analysis.runs.document(scope, name)) ?? 'null') as Content;
    return {
      drift: await document<DriftDocument>(DOCUMENTS.drift),
      bandit: await document<BanditDocument>(DOCUMENTS.bandit),
      frame: await document<RunFrame>(DOCUMENTS.frame),
    };
  };
  /** Means of the arms, by what they are of others. */
  const sharesOf = ({ bandit }: { bandit: BanditDocument }, others: { bandit: BanditDocument }) => {
    const means = new Map(others.bandit.arms.map((arm) => [arm.position, arm.posterior_mean]));
    return bandit.arms.map(({ position, posterior_mean }) => posterior_mean / (means.get(position) ?? NaN));
  };
  const changesOf = ({ drift }: { drift: DriftDocument }) => drift.channels.flatMap(({ changes }) => changes);
  const means = ({ bandit }: { bandit: BanditDocument }) =>
    bandit.arms.map(({ posterior_mean }) => posterior_mean);

  it('is told of, and is no drift; what the numbers rest on was sent two weeks before', async () => {
    const found = await analysed(await company(), 'dead');
    expect(found.frame.silent_sources).toEqual([
      { source: 'src_dead', tool: 'smartlead', last_delivery_at: DIED_AT.toISOString() },
    ]);
    expect(found.drift.silent_sources).toEqual(found.frame.silent_sources);
    expect(changesOf(found)).toEqual([]);
    // The same as of a company that has sent nothing later, and was observed up to then.
    const lastOutcomeAt = DIED_AT;
    const before = sent
      .filter(({ day }) => day <= FIRST_DAY + DIES_ON - 14)
      .map((cell): SentCell => (cell.day === FIRST_DAY ? { ...cell, lastOutcomeAt } : cell));
    const whole = await analysed(await company(before), 'whole');
    const settled = ({ drift }: { drift: DriftDocument }) => drift.channels.map((one) => one.settled_replies);
    expect(settled(found)).toEqual(settled(whole));
    // How much campaigns turn over is read off the days that count, and shifts what the means lean on a little.
    for (const share of sharesOf(found, whole)) expect(Math.abs(share - 1)).toBeLessThan(0.01);
  });

  it('lets those messages count that were sent up to two weeks before its last delivery, to the day', async () => {
    const scope = await company();
    const now = new Date((FIRST_DAY + DAYS) * DAY_MS);
    const { table, notes } = await analysis.cohorts.read(scope, now);
    const sentUntil = FIRST_DAY + DIES_ON - 14;
    expect([table.observedUntil, table.sentUntil, table.newestDay]).toEqual([
      ...[FIRST_DAY + DIES_ON, sentUntil, sentUntil],
    ]);
    const messages = (until: number) =>
      told.reduce((sum, { day, touches }) => sum + (day <= until ? touches : 0), 0);
    expect(table.totals.touches).toBe(messages(sentUntil));
    // What does not count is not gone.
    expect(notes.emptied).toEqual([]);
    const whole = await analysis.cohorts.read(await company(told, false), now);
    expect(whole.table.gap).toBeUndefined();
    expect(whole.table.totals.touches).toBe(messages(FIRST_DAY + DAYS));
  });

  // Mutation: nobody knows of the source, or it owes nothing any more.
  it.each([
    ['is drift where nobody knows that it was there', false],
    ['is drift where it was revoked', true],
  ])('%s', async (_name, isConnected) => {
    const scope = await company(told, isConnected);
    await database.query('UPDATE sources SET revoked_at = now() WHERE company_id = $1', [scope.companyId]);
    const found = await analysed(scope, 'unknown');
    expect(found.frame.silent_sources).toBeUndefined();
    const directions = changesOf(found).map(({ direction }) => direction);
    expect(new Set(directions)).toEqual(new Set(['down']));
    const truth = await analysed(await company(sent, false), 'truth');
    for (const share of sharesOf(found, truth)) expect(share).toBeLessThan(0.5);
  });

  it('is over when it delivers again, with nothing forgotten', async () => {
    const scope = await company(sent);
    await analysed(scope, 'silent');
    await database.query('UPDATE sources SET last_delivery_at = $2 WHERE company_id = $1', [
      ...[scope.companyId, '2026-06-01T01:00:00Z'],
    ]);
    const again = await analysed(scope, 'again');
    expect(again.frame.silent_sources).toBeUndefined();
    expect(means(again)).toEqual(means(await analysed(await company(sent, false), 'never')));
  });
});
