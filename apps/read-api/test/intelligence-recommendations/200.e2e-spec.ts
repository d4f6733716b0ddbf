import { patternRecord } from '../documents';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/recommendations', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantSnapshot(api.tenant.companyId, 'patterns', [
      patternRecord({
        code: 'TA-1',
        title: '<b>Direct</b>',
        positive: true,
        tier: 3,
        evidence_tier: 'confirmed',
      }),
      patternRecord({ code: 'RD-OBS-1', tier: 0 }),
    ]);
  });
  afterAll(() => api.stop());

  it('answers 200 with what has evidence, in plain text', async () => {
    const answer = await api.request('/intelligence/recommendations?campaign_id=spring');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({
      requested_campaign_id: 'spring',
      recommendation_count: 1,
      recommendations: [{ code: 'TA-1', title: 'Direct', evidence_tier: 'confirmed' }],
    });
    expect(answer.body.data.alerts).toContain('recommendations_are_company_scoped_not_per_campaign');
  });
});
