import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/calibration', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with nothing scored before anything has settled, and says so', async () => {
    const answer = await api.request('/intelligence/calibration');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({ predictions: 0, reliability_bins: [], by_run: [] });
    expect(answer.body.data.alerts).toContain('no_calibration_available');
  });
});
