import { LEVEL_COUNT, levelIndex, levelIndexesOf, METRICS, type DriftDocument } from '@outcomes/contracts';
import { findingsOf } from '../../test/channel-findings';
import { plannedRows, tableOf } from '../../test/company-fixture';
import { assessmentsWith, claimOf } from '../../test/evidence-fixture';
import type { CohortTable } from '../cohorts/cohort-table';
import { dayOf, isoDay, weekdayOf } from '../cohorts/days';
import { driftDocument } from '../drift/drift-document';
import { banditDocument } from '../arms/bandit-document';
import { armSumsOf } from '../arms/arm-counts';
import { countsByLevel } from '../rates/level-counts';
import { settledShareOf } from '../rates/settled-share';
import { llmRecord } from '../llm/llm-record';
import { countText, escapeHtml, levelText, percentText, positionText } from './phrasing';
import { rounded } from './rounding';
import { runFrame } from './run-frame';
import { runDocuments, type DocumentInputs } from './run-documents';
import { serialise, type SerialisedDocument } from './serialise';

const dataAsOf = new Date('2026-06-01T01:00:00Z');
async function inputsOf(table: CohortTable, updated = '2026-06-01T02:00:00.000Z'): Promise<DocumentInputs> {
  const settledShare = settledShareOf(table);
  const channels = await findingsOf(table);
  const { observedUntil } = table;
  return {
    companyId: 'c',
    table,
    settledShare,
    found: {
      assessments: assessmentsWith([claimOf('TA-1', 'confirmed')]),
      variants: { data_as_of: dataAsOf.toISOString(), variants: [] },
    },
    standing: [],
    recipients: {
      responders: [{ position: 'vp', people: 4, confident: 4, responses: 4, confidence: 1 }],
      byIndustry: [],
      ...{ industryCounts: [], positionCounts: [] },
    },
    bandit: banditDocument(armSumsOf(table), channels, { dataAsOf, observedUntil }),
    drift: driftDocument(table, channels, dataAsOf),
    claims: new Map(),
    updated,
    analysedAt: updated,
  };
}

describe('the documents of a run', () => {
  const rows = plannedRows({ days: 60, sendsPerDay: 60, effects: { 'tone.direct': 0.9 } });
  const totals = rows.reduce(
    (sum, row) => ({ touches: sum.touches + row.touches, replies: sum.replies + row.replies }),
    { touches: 0, replies: 0 },
  );
  let documents: Map<string, SerialisedDocument>;
  beforeAll(async () => {
    documents = new Map(runDocuments(await inputsOf(tableOf(rows))).map((made) => [made.document, made]));
  });
  const contentOf = (name: string) => JSON.parse(documents.get(name)?.body ?? 'null');

  it('count each message once in the totals, however many analyses it is in', () => {
    const summary = {
      total_messages: totals.touches,
      total_opens: totals.replies,
      total_replies: totals.replies,
      total_meetings: 0,
    };
    expect(contentOf('analysis/general_analysis').data.summary).toEqual(summary);
    const insights = contentOf('contact_insights');
    expect(insights).toMatchObject({ ...summary, analyses_included: insights.by_analysis.length });
    expect(insights.by_analysis[0]).toEqual({ analysisKey: 'general_analysis', ...summary });
    expect(insights.by_analysis).toHaveLength(11); // general, nine metrics with dimensions, recipient profiling
  });

  it('carry on what a language model said, as a chunk with data', async () => {
    const llm = llmRecord(
      'c',
      {
        themes: [{ name: 'Time', observation: 'Said.' }],
        strengths: [],
        weaknesses: [],
        suggestions: ['Ask.'],
      },
      [
        { text: 'x', answered: true },
        { text: 'y', answered: false },
      ],
      { model: 'm', updated: '2026-05-31T02:00:00.000Z' },
    );
    const carried = new Map(
      runDocuments({ ...(await inputsOf(tableOf(rows))), llm }).map((made) => [
        made.document,
        JSON.parse(made.body),
      ]),
    );
    expect(carried.get('analysis/llm_analysis')).toEqual(llm);
    expect(
      carried.get('chunks').chunks.find(({ metricName }: { metricName: string }) => metricName === 'llm'),
    ).toMatchObject({ hasData: true, recordCount: 1, sampleSize: 2 });
    expect(carried.get('chunks').summary.available).toBe(11);
    expect(JSON.stringify(carried.get('chunks'))).not.toContain('reason');
  });

  it('list the eleven chunks, with data where there is some and none for the llm chunk', () => {
    const { chunks, summary } = contentOf('chunks');
    expect(chunks.map(({ metricName }: { metricName: string }) => metricName)).toEqual(
      METRICS.map(({ metricName }) => metricName),
    );
    expect(summary).toMatchObject({ total: 11, available: 10, lastUpdated: '2026-06-01T02:00:00.000Z' });
    const llm = chunks.find(({ metricName }: { metricName: string }) => metricName === 'llm');
    expect(llm).toEqual({
      metricName: 'llm',
      title: 'LLM analysis',
      analysisKey: 'llm_analysis',
      hasData: false,
      lastUpdated: null,
      recordCount: 0,
      sampleSize: 0,
      reason: expect.stringContaining('the operator configures one'),
    });
    expect(
      chunks.filter(
        ({ hasData, reason }: { hasData: boolean; reason?: string }) => hasData === (reason === undefined),
      ),
    ).toHaveLength(11);
    for (const { hasData, analysisKey } of chunks) {
      expect(documents.has(`analysis/${analysisKey}`)).toBe(hasData);
    }
  });

  it('analyse a metric level by level and carry its recommendations without company and time', () => {
    const { data, metadata, companyId, analysisKey } = contentOf('analysis/tone_analysis');
    expect({ companyId, analysisKey, metadata }).toEqual({
      companyId: 'c',
      analysisKey: 'tone_analysis',
      metadata: { metric: 'tone', version: '2.0', updated: '2026-06-01T02:00:00.000Z' },
    });
    expect(data.analyses.tone.total_messages).toBe(totals.touches);
    expect(data.analyses.tone.levels).toHaveLength(5);
    expect(data.analyses.tone.levels[0]).toMatchObject({
      level: 'direct',
      label: 'Direct tone',
      code: 'TA-1',
    });
    expect(data.analyses.tone.total_replies).toBe(totals.replies);
    for (const { messages, share } of data.analyses.tone.levels)
      expect(share).toBeCloseTo(messages / totals.touches, 5);
    expect(data).not.toHaveProperty('summary');
    const [recommendation] = data.recommendations;
    expect(recommendation).toMatchObject({ code: 'TA-1', positive: true });
    expect(recommendation).not.toHaveProperty('companyId');
    expect(recommendation).not.toHaveProperty('updated');
  });

  it('recommend in a record what is about its own dimensions, and keep channel and step to the whole', () => {
    const records = METRICS.map(({ metricName }) => contentOf(`analysis/${metricName}_analysis`)).filter(
      Boolean,
    );
    const recommending = [...records, contentOf('analysis/general_analysis')].filter(({ data }) =>
      data.recommendations.some(({ type }: { type?: string }) => type === 'recommendation'),
    );
    expect(recommending.map(({ analysisKey }) => analysisKey)).toEqual(['tone_analysis']);
    const { data, metadata } = contentOf('analysis/general_analysis');
    expect(Object.keys(data.analyses)).toEqual(['channel', 'sequence_step']);
    expect(metadata.metric).toBe('general');
    expect(contentOf('analysis/timing_matrix')).toMatchObject({
      analysisKey: 'timing_matrix',
      data: { recommendations: [] },
      metadata: { metric: 'timing_matrix', version: '2.0' },
    });
    const profiling = contentOf('analysis/recipient_profiling_analysis');
    expect(profiling.data.insights).toEqual(contentOf('recipients').insights);
    expect(profiling.data.recommendations).toEqual([]);
  });

  it('measure a chunk by its groups and messages, and all chunks together', () => {
    const { chunks, summary } = contentOf('chunks');
    const byName = new Map<string, { sampleSize: number; recordCount: number }>(
      chunks.map((chunk: { metricName: string }) => [chunk.metricName, chunk]),
    );
    for (const { metricName, dimensions } of METRICS) {
      const record = contentOf(`analysis/${metricName}_analysis`);
      if (record === null || dimensions.length === 0) continue;
      const analyses = dimensions.flatMap((name) => record.data.analyses[name] ?? []);
      const groups = analyses.flatMap(({ levels }) =>
        levels.filter((level: { messages: number }) => level.messages > 0),
      );
      const most = (field: string) => Math.max(...analyses.map((analysis) => analysis[field]));
      expect(byName.get(metricName)).toMatchObject({
        ...{ recordCount: groups.length, sampleSize: most('total_messages') },
      });
      expect(
        contentOf('contact_insights').by_analysis.find(
          ({ analysisKey }: { analysisKey: string }) => analysisKey === record.analysisKey,
        ),
      ).toMatchObject({ total_messages: most('total_messages'), total_replies: most('total_replies') });
    }
    expect(byName.get('recipient_profiling')).toMatchObject({ recordCount: 4, sampleSize: totals.touches });
    expect(summary.totalSampleSize).toBe([...byName.values()].reduce((sum, one) => sum + one.sampleSize, 0));
  });

  it.each(['first', 'last'] as const)(
    'measure a chunk by all messages that it judges, where its %s dimension judges fewer',
    async (which) => {
      const metric = METRICS.find(({ dimensions }) => dimensions.length > 1);
      const fewer = levelIndexesOf(metric?.dimensions.at(which === 'first' ? 0 : -1) ?? 'tone');
      const without = (counts: readonly number[]) =>
        counts.map((n, level) => (fewer.includes(level) ? 0 : n));
      const partly = rows.map((row, i) =>
        i % 2 === 0
          ? row
          : { ...row, levelTouches: without(row.levelTouches), levelReplies: without(row.levelReplies) },
      );
      const made = new Map(
        runDocuments(await inputsOf(tableOf(partly))).map(({ document, body }) => [document, body]),
      );
      const { chunks } = JSON.parse(made.get('chunks') ?? 'null');
      expect(
        chunks.find(({ metricName }: { metricName: string }) => metricName === metric?.metricName),
      ).toMatchObject({ sampleSize: totals.touches });
      const { by_analysis } = JSON.parse(made.get('contact_insights') ?? 'null');
      expect(
        by_analysis.find(
          ({ analysisKey }: { analysisKey: string }) => analysisKey === `${metric?.metricName}_analysis`,
        ),
      ).toMatchObject({ total_messages: totals.touches, total_replies: totals.replies });
    },
  );

  it('are, of a company without messages, empty and few', async () => {
    const inputs = await inputsOf(tableOf([]));
    const recipients = { ...inputs.recipients, responders: [] };
    const made = new Map(
      runDocuments({ ...inputs, recipients, found: null, llm: { metadata: {} } as never }).map((one) => [
        one.document,
        JSON.parse(one.body),
      ]),
    );
    expect([...made.keys()].filter((name) => name.startsWith('analysis/'))).toEqual([]);
    expect([made.has('patterns'), made.has('variants')]).toEqual([false, false]);
    expect(made.get('chunks').summary).toEqual({
      total: 11,
      available: 0,
      lastUpdated: null,
      totalSampleSize: 0,
    });
    for (const { hasData, lastUpdated, reason } of made.get('chunks').chunks)
      expect([hasData, lastUpdated, reason.includes('POST /ingest/events')]).toEqual([false, null, true]);
    expect(made.get('contact_insights')).toEqual({
      ...{ total_messages: 0, total_opens: 0, total_replies: 0, total_meetings: 0 },
      ...{ analyses_included: 0, by_analysis: [] },
    });
  });

  it('leave the patterns that stand where nothing can be found about messages', async () => {
    const made = runDocuments({ ...(await inputsOf(tableOf(rows))), found: null }).map(
      ({ document }) => document,
    );
    expect([...documents.keys()].filter((name) => !made.includes(name))).toEqual(['patterns', 'variants']);
  });

  it('put every message with an hour into the weekday-by-hour table', () => {
    const { timing_matrix: matrix } = contentOf('analysis/timing_matrix').data.analyses;
    expect(matrix.total_messages).toBe(totals.touches);
    expect(matrix.messages).toHaveLength(7);
    const mondays = rows
      .filter(({ day }) => weekdayOf(day) === 0)
      .reduce((sum, { touches }) => sum + touches, 0);
    expect(matrix.messages[0][9]).toBe(mondays);
    expect(matrix.messages[0][8]).toBe(0);
    expect(matrix.reply_rate[0][8]).toBeNull();
    expect(matrix.hours).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    for (const [weekday, name] of matrix.weekdays.entries()) {
      const own = rows.filter(({ day }) => weekdayOf(day) === weekday);
      const [sent, replies] = [own.map((row) => row.touches), own.map((row) => row.replies)].map((counts) =>
        counts.reduce((sum, count) => sum + count, 0),
      ) as [number, number];
      const atNine = (cells: number[][]) => cells[weekday]?.[9];
      expect([name, atNine(matrix.messages), atNine(matrix.replies)]).toEqual([name, sent, replies]);
      expect(atNine(matrix.reply_rate)).toBeCloseTo(replies / sent, 6);
    }
  });

  it('never hold a number that is none', () => {
    for (const { body } of documents.values()) expect(body).not.toMatch(/NaN|Infinity/);
  });

  it('are the same bytes for the same inputs, and the same etags at another time', async () => {
    const again = runDocuments(await inputsOf(tableOf(rows)));
    expect(again).toEqual([...documents.values()]);
    const later = runDocuments(await inputsOf(tableOf(rows), '2026-06-02T02:00:00.000Z'));
    expect(later.map(({ etag }) => etag)).toEqual(again.map(({ etag }) => etag));
    expect(later.map(({ body }) => body)).not.toEqual(again.map(({ body }) => body));
  });

  it('change their etags when a single reply more has come', async () => {
    const [first, ...others] = rows;
    if (first === undefined) throw new Error('no rows');
    const tone = levelIndex('tone', 'direct');
    const levelReplies = first.levelReplies.with(tone, (first.levelReplies[tone] ?? 0) + 1);
    const levelTouches = first.levelTouches.with(tone, (first.levelTouches[tone] ?? 0) + 1);
    const touches = first.touches + 1;
    const changed = tableOf([
      { ...first, touches, replies: first.replies + 1, levelTouches, levelReplies },
      ...others,
    ]);
    const etagOf = async (table: CohortTable) =>
      runDocuments(await inputsOf(table)).find(({ document }) => document === 'analysis/general_analysis')
        ?.etag;
    expect(await etagOf(changed)).not.toBe(await etagOf(tableOf(rows)));
  });
});

describe('arms', () => {
  it('are told with what they rest on: days since the last change, and how long they remember', async () => {
    const calm = plannedRows({ days: 150, sendsPerDay: 150 });
    const first = calm[0]?.day ?? 0;
    const changed = calm.map((row) =>
      row.day < first + 80 || row.channel !== 0
        ? row
        : { ...row, replies: Math.min(row.touches, row.replies * 3 + 1) },
    );
    const armsOf = async (rows: typeof calm) => {
      const table = tableOf(rows);
      const { observedUntil } = table;
      return banditDocument(armSumsOf(table), await findingsOf(table), { dataAsOf, observedUntil }).arms;
    };
    for (const arm of await armsOf(calm)) expect(dayOf(arm.data_from)).toBe(first);
    for (const arm of await armsOf(changed)) {
      const isEmail = arm.channel === 'email';
      expect(Math.abs(dayOf(arm.data_from) - (isEmail ? first + 80 : first))).toBeLessThan(3);
      expect(arm.memory_days).toBeLessThan(isEmail ? 40 : 90);
      expect(arm.observations).toBeGreaterThan(arm.effective_n);
    }
  });

  it('publish a mean and a variance that are exactly those of alpha and beta', async () => {
    const table = tableOf(plannedRows({ days: 40, sendsPerDay: 50 }));
    const { observedUntil } = table;
    const { arms } = banditDocument(armSumsOf(table), await findingsOf(table), { dataAsOf, observedUntil });
    expect(arms.length).toBe(8);
    for (const { alpha, beta, posterior_mean, posterior_variance, ci_low, ci_high } of arms) {
      const size = alpha + beta;
      expect(posterior_mean).toBe(alpha / size);
      expect(posterior_variance).toBeCloseTo((alpha * beta) / (size * size * (size + 1)), 14);
      expect(ci_low).toBeLessThan(posterior_mean);
      expect(ci_high).toBeGreaterThan(posterior_mean);
    }
    expect(arms.reduce((sum, arm) => sum + arm.probability_best, 0)).toBeCloseTo(1, 4);
  });
});

describe('what documents are written with', () => {
  it('knows days', () => {
    expect(isoDay(20_458)).toBe('2026-01-05');
    expect(dayOf('2026-01-05')).toBe(20_458);
    expect(weekdayOf(20_458)).toBe(0);
    expect(weekdayOf(20_457)).toBe(6);
  });

  it('escapes markup and writes numbers for people', () => {
    expect(escapeHtml(`<b a="1">'&`)).toBe('&lt;b a=&quot;1&quot;&gt;&#39;&amp;');
    expect([12, 1_234, 1_234_567].map(countText)).toEqual(['12', '1,234', '1,234,567']);
    expect([0.0337, 0.25, 0.0996, 0].map(percentText)).toEqual(['3.4%', '25%', '10%', '0.0%']);
  });

  it('rounds to six significant digits and lets no infinity out', () => {
    expect([1 / 3, 123_456_789, -0.000_123_456_78, Infinity].map((value) => rounded(value))).toEqual([
      0.333333, 123_457_000, -0.000123457, 1e300,
    ]);
    expect(rounded(Number.NaN)).toBeNull();
  });

  it('names levels and positions as people do', () => {
    expect([levelText('early_follow_up'), positionText('c_suite'), positionText('vp')]).toEqual([
      ...['early follow up', 'C-suite', 'VP'],
    ]);
    expect(positionText('individual_contributor')).toBe('individual contributor');
  });

  it('tells beside an answer the newest change of each channel, and which sources are silent', () => {
    const drift = {
      ...{ data_as_of: 'then', newest_outcome_at: 'before', engine_version: '1' },
      channels: [
        { channel: 'email', changes: [{ since: 'a' }, { since: 'b' }, { since: 'c' }] },
        { channel: 'linkedin', changes: [] },
      ],
    } as unknown as DriftDocument;
    const frame = {
      ...{ analysed_at: 'now', data_as_of: 'then', newest_outcome_at: 'before' },
      channels: [
        { channel: 'email', changes: [{ since: 'c' }] },
        { channel: 'linkedin', changes: [] },
      ],
    };
    expect(runFrame(drift, 'now')).toEqual(frame);
    const silent_sources = [{ source: 's', tool: 'smartlead', last_delivery_at: 'ever' }];
    expect(runFrame({ ...drift, silent_sources }, 'now')).toEqual({ ...frame, silent_sources });
    expect(runFrame(drift, 'now')).not.toHaveProperty('silent_sources');
    expect(runFrame({ ...drift, no_silence: true }, 'now')).toEqual({ ...frame, no_silence: true });
  });

  it('hashes content without the times of writing', () => {
    const etag = (content: unknown) => serialise('d', content).etag;
    expect(etag({ a: 1, updated: 'x', inner: [{ lastUpdated: 'x' }] })).toBe(
      etag({ a: 1, updated: 'y', inner: [{ lastUpdated: 'y' }] }),
    );
    expect(etag({ a: 1 })).not.toBe(etag({ a: 2 }));
    expect(etag({ data_as_of: 'x' })).not.toBe(etag({ data_as_of: 'y' }));
  });

  it('holds all counts of all rows, in growing tables too', () => {
    const rows = plannedRows({ days: 10, sendsPerDay: 60 });
    const table = tableOf(rows);
    expect(table.size).toBe(rows.length);
    expect(table.size).toBeGreaterThan(64);
    const sums = Array.from({ length: LEVEL_COUNT }, (_, level) =>
      rows.reduce((sum, row) => sum + (row.levelTouches[level] ?? 0), 0),
    );
    expect(countsByLevel(table, () => 1).map(({ messages }) => messages)).toEqual(sums);
  });
});
