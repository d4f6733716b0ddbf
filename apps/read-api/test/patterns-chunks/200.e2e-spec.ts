import { METRICS, NO_ANALYSIS_YET } from '@outcomes/contracts';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /patterns/chunks', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with all eleven metrics, also where none has data', async () => {
    const answer = await api.request('/patterns/chunks');
    expectEnvelope(answer);
    expect(answer.body.data.summary).toEqual({
      total: 11,
      available: 0,
      lastUpdated: null,
      totalSampleSize: 0,
    });
    expect(answer.body.data.chunks.map((chunk: { metricName: string }) => chunk.metricName)).toEqual(
      METRICS.map((metric) => metric.metricName),
    );
    expect(answer.body.data.chunks[0]).toEqual({
      metricName: 'tone',
      title: 'Tone',
      analysisKey: 'tone_analysis',
      hasData: false,
      lastUpdated: null,
      recordCount: 0,
      sampleSize: 0,
      reason: NO_ANALYSIS_YET,
    });
  });
});
