import { analysisRecord, RATE, TONE_ANALYSIS } from '../documents';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

const week = <Cell>(cell: Cell) => Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => cell));
const TIMING_MATRIX = {
  weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  hours: Array.from({ length: 24 }, (_, hour) => hour),
  messages: week(1),
  replies: week(0),
  reply_rate: week(null),
  total_messages: 168,
};
const SEGMENT = {
  id: 'segment-0',
  name: 'Industry: retail',
  size: 12,
  dominant_position: 'unknown',
  key_insights: ['Tone: more likely than other recipients to answer "direct" (odds ratio 2.0).'],
  optimal_patterns: { tone: { level: 'direct', label: 'direct', code: 'TA-1', odds_ratio: 2, z: 4 } },
  confidence_level: 'high',
  stability: 0.9,
};
const POSITION = { position: 'vp', messages: 100, replies: 5, reply_rate: RATE, profiled: 4 };
const LLM = {
  basis: 'Written by a language model.',
  model: 'm',
  messages_read: 40,
  answered_messages_read: 4,
  themes: [{ name: 'Time', observation: 'Said.' }],
  strengths: ['Short.'],
  weaknesses: [],
};
const withAnalyses = (key: string, analyses: object) => {
  const record = analysisRecord(key);
  return { ...record, data: { ...record.data, analyses } };
};

describe('GET /patterns/chunks/{metricName}', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantSnapshot(api.tenant.companyId, 'analysis/tone_analysis', TONE_ANALYSIS);
  });
  afterAll(() => api.stop());

  it('answers 200 with the stored record', async () => {
    const answer = await api.request('/patterns/chunks/tone');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual(TONE_ANALYSIS);
  });

  it.each([
    ['general_analysis', analysisRecord('general_analysis').data.analyses],
    ['timing_matrix', { timing_matrix: TIMING_MATRIX }],
  ])('answers 200 with %s, a row that the catalogue does not list', async (name, analyses) => {
    const stored = withAnalyses(name, analyses);
    await api.plantSnapshot(api.tenant.companyId, `analysis/${name}`, stored);
    const answer = await api.request(`/patterns/chunks/${name}`);
    expectEnvelope(answer);
    expect(answer.body.data).toEqual(stored);
    const catalogue = await api.request('/patterns/chunks');
    expect(catalogue.text).not.toContain(name);
  });

  it.each([
    ['recipient_profiling', { segments: [SEGMENT], positions: [POSITION] }],
    ['llm', { llm: LLM }],
  ])('answers 200 with what %s holds besides dimensions, as it is described', async (name, analyses) => {
    const stored = withAnalyses(`${name}_analysis`, analyses);
    await api.plantSnapshot(api.tenant.companyId, `analysis/${name}_analysis`, stored);
    const answer = await api.request(`/patterns/chunks/${name}`);
    expectEnvelope(answer);
    expect(answer.body.data).toEqual(stored);
  });
});
