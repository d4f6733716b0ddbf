import {
  analysisDocument,
  type AnalysisRecord,
  type CalibrationDocument,
  DAY_MS,
  DIMENSIONS,
  DOCUMENTS,
  levelIndex,
  PATTERN_CATALOGUE,
  type PatternRecord,
  type VariantDocument,
} from '@outcomes/contracts';
import { generateEvidence, type EvidenceWorld } from '@outcomes/statistics/testing';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import {
  createCompany,
  openAnalysis,
  storeProcessedBatch,
  type AnalysisParts,
} from '../test/company-fixture';
import { storeHistory } from '../test/sent-messages';
import { FIRST_SEND_DAY, messagesOf, type SentMessage } from '../test/generated-messages';
import { isMatured } from '../test/strata-of';

const EFFECT_ENDS = 98;
/**
 * Campaigns and texts that differ by themselves. Tone and subject are chosen once per campaign, readability, social proof
 * and approach once per text, phrases message by message; of all of these one phrase has an effect, and only at first.
 */
const WORLD: EvidenceWorld = {
  ...{ copy: 'mixed', campaignSd: 0.5, textSd: 0.5, days: 182, sendsPerDay: 120, campaigns: 12 },
  ...{ effects: { 'phrase1.0': 1.2 }, until: EFFECT_ENDS },
};
const PLANTED = 'KP-1';
const SENT = messagesOf(generateEvidence(WORLD, 11));
const AT_FIRST = SENT.filter(({ day }) => day < FIRST_SEND_DAY + EFFECT_ENDS);

const dayAfter = (messages: readonly SentMessage[]) =>
  new Date((Math.max(...messages.map(({ day }) => day)) + 1) * DAY_MS).toISOString();

describe('what is served of a planted company', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;
  let company: TenantScope;
  let runs = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
    company = await createCompany(database);
  }, 60_000);
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });

  const analyse = async (messages: readonly SentMessage[], runKey?: string) => {
    await storeHistory(database, company, messages);
    runs += 1;
    await storeProcessedBatch(database, company, dayAfter(messages));
    await analysis.service.run(company, { runKey: runKey ?? `run-${runs}` });
    return document<PatternRecord[]>(DOCUMENTS.patterns);
  };
  const document = async <Content>(name: string): Promise<Content> =>
    JSON.parse((await analysis.runs.document(company, name)) ?? 'null') as Content;
  const claimsIn = (records: readonly PatternRecord[]) =>
    records.filter(({ tier }) => (tier ?? 0) > 0).map(({ code }) => code);
  const find = (records: readonly PatternRecord[], code: string) =>
    records.find((record) => record.code === code);

  it('is found, or silent with its reason, and never false', async () => {
    const records = await analyse(AT_FIRST);
    expect(claimsIn(records)).toEqual([PLANTED]);
    const planted = find(records, PLANTED);
    expect(planted).toMatchObject({ tier: 3, evidence_tier: 'confirmed', positive: true });
    expect(planted?.first_confirmed_at).toBe(dayAfter(AT_FIRST));
    expect(planted?.evidence?.odds_ratio_low).toBeGreaterThan(1);
    expect(planted?.evidence?.odds_ratio_low).toBeLessThan(Math.exp(1.2));
    expect(planted?.evidence?.odds_ratio_high).toBeGreaterThan(Math.exp(1.2));
    expect(planted?.evidence?.n_texts_with).toBeGreaterThan(20);

    // What differs between campaigns alone is told apart from nothing.
    const tone = find(records, 'TA-1');
    expect(tone).toMatchObject({ tier: 0, type: 'undecided', reason: 'varies_between_campaigns' });
    expect(tone?.message).toContain('Send both inside one campaign');
    expect(tone?.evidence).toMatchObject({ n_campaigns: 0, compared_share: 0, sends_to_decide: null });
    expect(tone?.evidence?.trial_sends).toBeGreaterThan(1_000);
    // Without an effect, message by message: undecided, and for how long.
    expect(find(records, 'KP-4')).toMatchObject({ tier: 0, reason: 'undecided' });
    expect(find(records, 'SS-1')).toMatchObject({ tier: 0, reason: 'survivors' });

    const sentLevels = new Set(
      AT_FIRST.filter((one) => isMatured(one, Infinity)).flatMap(({ levels }) => levels),
    );
    for (const { code, dimension, level } of PATTERN_CATALOGUE) {
      const record = find(records, code);
      expect([code, record !== undefined]).toEqual([code, sentLevels.has(levelIndex(dimension, level))]);
      if (record) expect([code, record.reason === undefined]).toEqual([code, code === PLANTED]);
    }
    const observed = records.filter(({ code }) => code.includes('-OBS-'));
    expect(observed).toHaveLength(DIMENSIONS.length - 1);
  }, 120_000);

  it('is written down for the week, with the limit that it had to reach', async () => {
    const planted = find(await document<PatternRecord[]>(DOCUMENTS.patterns), PLANTED)?.evidence;
    const weeks = await database.query<Record<string, number | string | boolean>>(
      'SELECT * FROM evidence_weeks WHERE company_id = $1 AND NOT folded_later ORDER BY log_e DESC',
      [company.companyId],
    );
    const [strongest] = weeks;
    expect(strongest).toMatchObject({ code: PLANTED, tier: 'confirmed', folded_later: false });
    expect(strongest?.odds_ratio).toBeCloseTo(planted?.odds_ratio ?? 0, 5);
    expect(strongest?.odds_ratio_low).toBeCloseTo(planted?.odds_ratio_low ?? 0, 5);
    expect(strongest?.messages).toBe(planted?.with_rate.n);
    const beyond = weeks.filter(({ log_e, log_limit }) => Number(log_e) >= Number(log_limit));
    expect(beyond.map(({ code }) => code)).toEqual([PLANTED]);
    const [claim] = await database.query<{ messages: number }>(
      `SELECT messages FROM claims WHERE company_id = $1 AND code = $2 AND tier = 'confirmed'`,
      [company.companyId, PLANTED],
    );
    expect(claim?.messages).toBe(strongest?.messages);
  });

  it('says the same in every document', async () => {
    const records = await document<PatternRecord[]>(DOCUMENTS.patterns);
    const { data } = await document<AnalysisRecord>(analysisDocument('key_phrases_analysis'));
    for (const own of data.recommendations) expect(find(records, own.code)).toMatchObject(own);
    expect(data.recommendations.map(({ code }) => code)).toContain(PLANTED);
    const calibration = await document<CalibrationDocument>(DOCUMENTS.calibration);
    expect(calibration.patterns).toMatchObject({ ever_confirmed: 1, retracted: 0 });
    const { variants } = await document<VariantDocument>(DOCUMENTS.variants);
    const newest = Math.max(...AT_FIRST.map(({ day }) => day)) + 1;
    expect(variants.reduce((sum, { n }) => sum + n, 0)).toBe(
      AT_FIRST.filter((message) => isMatured(message, newest)).length,
    );
    expect(new Set(variants.map(({ basis }) => basis))).toEqual(new Set(['observational']));
  });

  it('is what decisions are backed by', async () => {
    const backing = await database.query<{ codes: string[] }>(
      `SELECT DISTINCT result::jsonb -> 'patternCodes' AS codes FROM workflow_decisions
       WHERE company_id = $1 AND result::jsonb ->> 'action' <> 'stop'`,
      [company.companyId],
    );
    expect(backing).toEqual([{ codes: [PLANTED] }]);
  });

  it('calls variants that were drawn by lot so', async () => {
    const drawn = AT_FIRST[0]?.campaignId ?? null;
    await database.query('UPDATE touches SET propensity = .5 WHERE company_id = $1 AND campaign_id = $2', [
      company.companyId,
      drawn,
    ]);
    await analysis.service.run(company, { runKey: 'drawn' });
    const { variants } = await document<VariantDocument>(DOCUMENTS.variants);
    const campaigns = Map.groupBy(variants, ({ basis }) => basis);
    expect(new Set(campaigns.get('randomized')?.map(({ campaign_id }) => campaign_id))).toEqual(
      new Set([drawn]),
    );
    expect(campaigns.get('observational')?.length).toBeGreaterThan(2);
  });

  it('stays as it is while the counts are being rebuilt', async () => {
    const before = await document(DOCUMENTS.patterns);
    await database.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [company.companyId]);
    await analysis.service.run(company, { runKey: 'rebuilding' });
    expect(await document(DOCUMENTS.patterns)).toEqual(before);
    const { data } = await document<AnalysisRecord>(analysisDocument('key_phrases_analysis'));
    expect(data.recommendations.map(({ code }) => code)).toContain(PLANTED);
    await database.query('DELETE FROM touch_rebuilds WHERE company_id = $1', [company.companyId]);
  });

  it('is taken back once the effect is gone', async () => {
    const records = await analyse(SENT);
    expect(claimsIn(records)).toEqual([]);
    const ended = find(records, PLANTED);
    expect(ended).toMatchObject({
      ...{ type: 'retraction', tier: 0, reason: 'changed' },
      ...{ first_confirmed_at: dayAfter(AT_FIRST), retracted_at: dayAfter(SENT) },
    });
    expect(ended?.message).toContain('evidence counts anew');
    expect(Date.parse(ended?.evidence?.counted_since ?? '')).toBeGreaterThan(
      (FIRST_SEND_DAY + EFFECT_ENDS - 30) * DAY_MS,
    );
    const { patterns } = await document<CalibrationDocument>(DOCUMENTS.calibration);
    expect(patterns).toMatchObject({ ever_confirmed: 1, retracted: 1 });
  }, 120_000);

  it('names an erasure where that is what ended a claim', async () => {
    company = await createCompany(database);
    expect(claimsIn(await analyse(AT_FIRST))).toEqual([PLANTED]);
    const records = await analyse(AT_FIRST.slice(0, 200), 'erasure-1');
    expect(find(records, PLANTED)).toMatchObject({ type: 'retraction', reason: 'erased' });
  }, 120_000);
});
