import { CHANNELS, DOCUMENTS, type BanditDocument, type DriftDocument } from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';
import { channelWorld } from '@outcomes/statistics/testing';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import {
  createCompany,
  FIRST_DAY,
  openAnalysis,
  storeProcessedBatch,
  type AnalysisParts,
} from '../../test/company-fixture';
import { cellsOf, storeCells, type SentCell } from '../../test/sent-cells';
import { dayOf, isoDay } from '../cohorts/days';

/** As the demonstration has it: 250 messages a day, 90 days, and on day 60 the replies fall by .75 on the logit. */
const CHANGE_DAY = 60;
const DEMONSTRATION_DAYS = 90;
const YEAR = 365;
const SENDS_PER_DAY = [175, 75];

const cells: readonly SentCell[] = SENDS_PER_DAY.flatMap((sendsPerDay, channel) => {
  const changes = [{ day: CHANGE_DAY, logOdds: -0.75 }];
  const { counts } = channelWorld(
    { days: CHANGE_DAY + YEAR + 40, sendsPerDay, campaigns: 4, changes },
    seededRng(1 + channel),
  );
  return cellsOf(channel, counts);
});

describe('a change and the year after it', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;
  let scope: TenantScope;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
    scope = await createCompany(database);
  });
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });

  /** Messages up to a day are counted and analysed. */
  async function live(from: number, to: number): Promise<{ drift: DriftDocument; bandit: BanditDocument }> {
    const own = cells.filter(({ day }) => day >= FIRST_DAY + from && day < FIRST_DAY + to);
    await storeCells(database, scope, own);
    await storeProcessedBatch(database, scope, `${isoDay(FIRST_DAY + to)}T02:00:00Z`);
    await analysis.service.run(scope, { runKey: isoDay(FIRST_DAY + to) });
    const document = async <Content>(name: string) =>
      JSON.parse((await analysis.runs.document(scope, name)) ?? 'null') as Content;
    return { drift: await document(DOCUMENTS.drift), bandit: await document(DOCUMENTS.bandit) };
  }

  it('is told with its day and whom it concerns, and stays on record and in force', async () => {
    const early = await live(0, DEMONSTRATION_DAYS);
    const told = early.drift.channels.map(({ changes }) => changes);
    const [[change]] = told as [[DriftDocument['channels'][number]['changes'][number]]];
    expect(change).toMatchObject({
      channel: 'email',
      direction: 'down',
      scope: { kind: 'channel', value: null },
    });
    expect(Math.abs(dayOf(change.since) - FIRST_DAY - CHANGE_DAY)).toBeLessThanOrEqual(5);
    expect(change.after.ci_high ?? 1).toBeLessThan(change.before.ci_low ?? 0);

    const late = await live(DEMONSTRATION_DAYS, CHANGE_DAY + YEAR + 40);
    for (const { channel, changes, data_from } of late.drift.channels) {
      // What was told stays as it was told, byte for byte, a year later.
      const before = told[CHANNELS.indexOf(channel)] ?? [];
      expect(changes.slice(0, before.length)).toEqual(before);
      const planted = changes.filter(({ since }) => Math.abs(dayOf(since) - FIRST_DAY - CHANGE_DAY) <= 15);
      expect(planted).toHaveLength(1);
      expect(planted[0]).toMatchObject({ direction: 'down', scope: { kind: 'channel' } });
      expect(data_from).toBe(changes.at(-1)?.since);
      const arms = late.bandit.arms.filter((arm) => arm.channel === channel);
      expect(arms).toHaveLength(6);
      for (const arm of arms) expect(arm.data_from).toBe(data_from);
    }
  }, 60_000);
});
