import { NO_ANALYSIS_YET } from '@outcomes/contracts';
import { analysisRecord } from '../documents';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /patterns/analysis', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with an empty object where there is no analysis', async () => {
    const answer = await api.request('/patterns/analysis');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual({});
    expect(answer.body.message).toBe(NO_ANALYSIS_YET);
  });

  it('answers 200 with the first record in ascending order of its key', async () => {
    for (const analysisKey of ['tone_analysis', 'general_analysis', 'timing_matrix']) {
      await api.plantSnapshot(api.tenant.companyId, `analysis/${analysisKey}`, analysisRecord(analysisKey));
    }
    const answer = await api.request('/patterns/analysis');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual(analysisRecord('general_analysis'));
  });
});
