import { CHANNELS, DOCUMENTS, type BacktestDocument } from '@outcomes/contracts';
import { generateEvidence, type EvidenceWorld } from '@outcomes/statistics/testing';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import {
  createCompany,
  openAnalysis,
  storeProcessedBatch,
  type AnalysisParts,
} from '../../test/company-fixture';
import { storeHistory } from '../../test/sent-messages';
import { FIRST_SEND_DAY, messagesOf, type SentMessage } from '../../test/generated-messages';
import { dayOf, isoDay } from '../cohorts/days';

const EFFECT_ENDS = 98;
/** One phrase has an effect, for the first fourteen weeks; of everything else the messages differ without one. */
const WORLD: EvidenceWorld = {
  ...{ copy: 'mixed', campaignSd: 0.5, textSd: 0.5, days: 182, sendsPerDay: 120, campaigns: 12 },
  ...{ effects: { 'phrase1.0': 1.2 }, until: EFFECT_ENDS },
};
const PLANTED = 'KP-1';
const SENT = messagesOf(generateEvidence(WORLD, 11));
const NOW = '2030-01-01T00:00:00Z';

describe('history that is brought at once', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;
  let company: TenantScope;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
    company = await createCompany(database);
    await imported(SENT, 'first');
  }, 120_000);
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });

  const imported = async (messages: readonly SentMessage[], runKey: string) => {
    await storeHistory(database, company, messages);
    await storeProcessedBatch(database, company, NOW);
    await analysis.service.run(company, { runKey });
    await analysis.backtests.idle();
  };
  const backtest = async () =>
    JSON.parse((await analysis.runs.document(company, DOCUMENTS.backtest)) ?? 'null') as BacktestDocument;
  const rows = (sql: string) => database.query<Record<string, unknown>>(sql, [company.companyId]);

  it('is folded week by week: the planted effect is claimed while it lasts, and taken back', async () => {
    const { reason, from, through, weeks, claims } = await backtest();
    expect(reason).toBeNull();
    expect(weeks).toBe((dayOf(through ?? '') - dayOf(from ?? '')) / 7 + 1);
    const confirmed = claims.filter(({ tier }) => tier === 'confirmed');
    expect(new Set(confirmed.map(({ code }) => code))).toEqual(new Set([PLANTED]));
    const first = confirmed.at(-1);
    const [since, ended] = [first?.since, claims.find(({ code }) => code === PLANTED)].map((one) =>
      dayOf((typeof one === 'string' ? one : one?.since)?.slice(0, 10) ?? ''),
    ) as [number, number];
    // Mutation: every week sees the whole history, so that the effect is never claimed, or from the first week on.
    expect(since).toBeGreaterThan(FIRST_SEND_DAY + 27);
    expect(since).toBeLessThan(FIRST_SEND_DAY + EFFECT_ENDS);
    expect(first).toMatchObject({ isMore: true });
    expect(first?.oddsRatioLow).toBeGreaterThan(1);
    expect(first?.messages).toBeGreaterThan(100);
    expect(claims.find(({ code }) => code === PLANTED)).toMatchObject({ tier: 'none', reason: 'changed' });
    expect(ended).toBeGreaterThan(FIRST_SEND_DAY + EFFECT_ENDS);
  });

  it('finds in each week what a run would have found from the counts alone', async () => {
    const { through, from } = await backtest();
    for (const monday of [dayOf(from ?? '') + 28, dayOf(through ?? '')]) {
      const scratch = await analysis.evidence.read(company, monday + 6);
      const found = scratch?.assessments.find(({ code }) => code === PLANTED);
      const [week] = await rows(
        `SELECT odds_ratio, messages, tier FROM evidence_weeks
         WHERE company_id = $1 AND code = '${PLANTED}' AND week = '${isoDay(monday)}' AND folded_later`,
      );
      expect(week).toEqual({
        ...{ odds_ratio: Math.exp(found?.logOr ?? 0), messages: found?.n, tier: found?.tier ?? 'none' },
      });
    }
  });

  it('leaves alone what the run itself has written down', async () => {
    const [own] = await rows(
      `SELECT count(*)::int AS codes, min(week)::text AS week FROM evidence_weeks
       WHERE company_id = $1 AND NOT folded_later`,
    );
    expect(own).toMatchObject({ week: '2029-12-31' });
    expect(own?.codes).toBeGreaterThan(5);
    const claims = await rows('SELECT code FROM claims WHERE company_id = $1');
    expect(claims.filter(({ code }) => code === PLANTED)).toEqual([]);
  });

  it('holds stated rates against what came of messages that they did not know', async () => {
    const { forecasts, scores } = await backtest();
    const channels = Map.groupBy(forecasts, ({ channel }) => channel);
    expect(channels.size).toBeGreaterThan(0);
    for (const [channel, made] of channels) {
      const days = [...new Set(made.map(({ madeOn }) => dayOf(madeOn)))];
      expect(days.length).toBeGreaterThan(2);
      for (const [at, day] of days.entries()) {
        if (at > 0) expect(day - (days[at - 1] ?? 0)).toBe(30);
        const sent = SENT.filter(
          (one) => CHANNELS[one.channel] === channel && one.day > day && one.day <= day + 30,
        );
        const own = made.filter(({ madeOn }) => dayOf(madeOn) === day);
        // Every message of the thirty days, and no other.
        expect(own.reduce((sum, { n }) => sum + n, 0)).toBe(sent.length);
        expect(own.reduce((sum, { y }) => sum + y, 0)).toBe(sent.filter(({ isReply }) => isReply).length);
      }
    }
    const expected = forecasts.reduce((sum, { n, predicted }) => sum + n * predicted, 0);
    expect(scores.expectedReplies).toBeCloseTo(expected, 0);
    expect(scores.covered).toBeLessThanOrEqual(scores.groups);
    expect(scores.bins.reduce((sum, { n }) => sum + n, 0)).toBe(scores.messages);
  });

  it('is folded again where more history comes, and not without', async () => {
    const before = (await backtest()).made_at;
    await analysis.service.run(company, { runKey: 'again' });
    await analysis.backtests.idle();
    expect((await backtest()).made_at).toBe(before);
    const half = SENT.filter(({ day }) => day < FIRST_SEND_DAY + 60);
    await imported(half, 'erasure-1');
    const after = await backtest();
    expect(after.made_at).not.toBe(before);
    const [left] = await rows(
      'SELECT max(week)::text AS week FROM evidence_weeks WHERE company_id = $1 AND folded_later',
    );
    // Mutation: weeks of messages that are gone stay.
    expect(dayOf(String(left?.week))).toBeLessThan(FIRST_SEND_DAY + 60 + 30);
  }, 60_000);
});
