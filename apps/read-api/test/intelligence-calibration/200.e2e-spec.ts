import { expectEnvelope } from '../envelope';
import { startReadApi, type ReadApiProcess } from '../read-api-process';

describe('GET /intelligence/calibration', () => {
  let api: ReadApiProcess;
  beforeAll(async () => {
    api = await startReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with nothing scored before anything has settled, and says so', async () => {
    const answer = await api.request('/intelligence/calibration');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({ predictions: 0, reliability_bins: [], by_run: [] });
    expect(answer.body.data.alerts).toContain('no_calibration_available');
  });
});
