import { TONE_ANALYSIS } from '../documents';
import { expectEnvelope } from '../envelope';
import { startReadApi, type ReadApiProcess } from '../read-api-process';

describe('GET /patterns/chunks/{metricName}', () => {
  let api: ReadApiProcess;
  beforeAll(async () => {
    api = await startReadApi();
    await api.plantSnapshot(api.tenant.companyId, 'analysis/tone_analysis', TONE_ANALYSIS);
  });
  afterAll(() => api.stop());

  it('answers 200 with the stored record', async () => {
    const answer = await api.request('/patterns/chunks/tone');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual(TONE_ANALYSIS);
  });
});
