import { CHANNELS, DOCUMENTS, type BanditDocument, type DriftDocument } from '@outcomes/contracts';
import { CampaignDayCounts, campaignKeyOf, migrateDatabase } from '@outcomes/persistence';
import { seededRng } from '@outcomes/statistics';
import { channelWorld } from '@outcomes/statistics/testing';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import {
  createCompany,
  FIRST_DAY,
  openAnalysis,
  storeProcessedBatch,
  storeRows,
  type AnalysisParts,
  type PlannedRow,
} from '../../test/company-fixture';
import { dayOf, isoDay } from '../cohorts/days';

/** As the demonstration has it: 250 messages a day, 90 days, and on day 60 the replies fall by .75 on the logit. */
const CHANGE_DAY = 60;
const DEMONSTRATION_DAYS = 90;
const YEAR = 365;
const SENDS_PER_DAY = [175, 75];

interface SentCell extends PlannedRow {
  readonly campaign: string;
}

const cells: readonly SentCell[] = SENDS_PER_DAY.flatMap((sendsPerDay, channel) => {
  const changes = [{ day: CHANGE_DAY, logOdds: -0.75 }];
  const { counts } = channelWorld(
    { days: CHANGE_DAY + YEAR + 40, sendsPerDay, campaigns: 4, changes },
    seededRng(1 + channel),
  );
  return Array.from({ length: counts.size }, (_, row) =>
    cellOf(channel, {
      day: FIRST_DAY + (counts.day[row] ?? 0),
      step: counts.step[row] ?? 0,
      position: 1 + (counts.position[row] ?? 0),
      touches: counts.n[row] ?? 0,
      replies: counts.y[row] ?? 0,
      campaign: `campaign ${counts.campaign[row]}`,
    }),
  );
});

describe('a change and the year after it', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;
  let scope: TenantScope;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
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
    await storeRows(database, scope, summed(own));
    for (const ofDay of Map.groupBy(own, ({ day, channel }) => `${channel} ${day}`).values()) {
      const counts = new CampaignDayCounts();
      for (const { campaign, step, position, touches, replies } of ofDay)
        counts.add(campaignKeyOf(campaign), step, position, touches, replies);
      const [{ channel, day }] = ofDay as [SentCell];
      await database.query(
        'INSERT INTO campaign_days (company_id, channel, sent_day, counts) VALUES ($1, $2, $3, $4)',
        [scope.companyId, channel, isoDay(day), counts.encode()],
      );
    }
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

function cellOf(
  channel: number,
  cell: Pick<SentCell, 'day' | 'step' | 'position' | 'touches' | 'replies' | 'campaign'>,
): SentCell {
  return {
    ...cell,
    channel,
    bounces: 0,
    unsubscribes: 0,
    opens: 0,
    meetings: 0,
    streamed: 0,
    lastOutcomeAt: new Date((cell.day + 1) * 86_400_000),
    levelTouches: [],
    levelReplies: [],
    levelRandomized: [],
    hourTouches: [],
    hourReplies: [],
    replyDelays: [cell.replies],
  };
}

/** One row per day, channel, step and position: cohorts know no campaigns. */
function summed(of: readonly SentCell[]): PlannedRow[] {
  const groups = Map.groupBy(
    of,
    ({ day, channel, step, position }) => `${day} ${channel} ${step} ${position}`,
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [SentCell];
    const total = (value: (cell: SentCell) => number) => group.reduce((sum, cell) => sum + value(cell), 0);
    const replies = total((cell) => cell.replies);
    return { ...first, touches: total((cell) => cell.touches), replies, replyDelays: [replies] };
  });
}
