import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/campaigns/health', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantTouch({ campaignId: 'spring', recipientId: 'anna' });
    await api.plantTouch({ campaignId: 'autumn', recipientId: 'bert', outcome: 2 });
  });
  afterAll(() => api.stop());

  it('answers 200 with every campaign that sent in the window, and with one where it is named', async () => {
    const all = await api.request('/intelligence/campaigns/health?window_days=365');
    expectEnvelope(all);
    const ids = all.body.data.campaigns.map((row: { campaign_id: string }) => row.campaign_id);
    expect(ids.sort()).toEqual(['autumn', 'spring']);
    expect(all.body.data).toMatchObject({ scope: 'company', campaign_id: null, campaign_count: 2 });
    const one = await api.request('/intelligence/campaigns/health?window_days=365&campaign_id=spring');
    expect(one.body.data).toMatchObject({ scope: 'campaign', campaign_id: 'spring', campaigns: [] });
  });

  it("answers 200 without another tenant's campaigns", async () => {
    const answer = await api.as(await api.addTenant(), '/intelligence/campaigns/health?window_days=365');
    expect(answer.body.data).toMatchObject({ campaigns: [], campaign_count: 0 });
  });
});
