import { BANDIT } from '../documents';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/bandit', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantSnapshot(api.tenant.companyId, 'bandit', BANDIT);
  });
  afterAll(() => api.stop());

  it('answers 200 with the arms and what to know about them', async () => {
    const answer = await api.request('/intelligence/bandit?channel=email&position=vp&top_n=5');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({
      arm_count: 1,
      arms: [{ channel: 'email', position: 'vp', alpha: 5, beta: 95, data_source: 'migration' }],
      drift_state: 'insufficient_data',
      posteriors_trustworthy: false,
    });
    expect(answer.body.data.alerts).toEqual(
      expect.arrayContaining([
        'migration_arms_only',
        'borrowed_prior',
        'small_sample',
        'drift_not_evaluated',
      ]),
    );
  });
});
