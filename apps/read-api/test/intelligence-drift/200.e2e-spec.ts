import { DRIFT } from '../documents';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/drift', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantSnapshot(api.tenant.companyId, 'drift', DRIFT);
  });
  afterAll(() => api.stop());

  it('answers 200 with the tests and what to do', async () => {
    const answer = await api.request('/intelligence/drift?window_days=30');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({
      drift_state: 'rate',
      posteriors_trustworthy: true,
      tests: [{ channel: 'email', state: 'rate', metric: 'reply_rate', direction: 'down' }],
      changes: [{ channel: 'email', direction: 'down', scope: { kind: 'position', value: 'vp' } }],
      recommended_action: expect.stringMatching(/^Look at messages by email to position vp/),
    });
    expect(answer.body.data.alerts).toEqual(
      expect.arrayContaining(['drift_detected', 'audience_mix_changed']),
    );
  });
});
