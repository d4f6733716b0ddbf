import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/campaigns/{campaignId}/health', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantTouch({ campaignId: 'spring', recipientId: 'anna' });
    await api.plantTouch({ campaignId: 'Autumn/2026', recipientId: 'bert@example.com', outcome: 3 });
  });
  afterAll(() => api.stop());

  it('answers 200 for an id with any character in it', async () => {
    const answer = await api.request('/intelligence/campaigns/Autumn%2F2026/health?window_days=60');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({
      scope: 'campaign',
      campaign_id: 'Autumn/2026',
      sample_size: 1,
      outcomes: { responded: 0, no_response: 0, bounced: 0, unsubscribed: 1 },
    });
  });

  it("answers 200 and campaign_not_found alike for another tenant's campaign and for none", async () => {
    const other = await api.addTenant();
    const foreign = await api.as(other, '/intelligence/campaigns/spring/health');
    expect(foreign.body.data.alerts).toContain('campaign_not_found');
    expect(foreign.body.data.similar_campaign_ids).toEqual([]);
  });
});
