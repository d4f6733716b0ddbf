import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/campaigns', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantTouch({ campaignId: 'spring', recipientId: 'anna' });
    await api.plantTouch({ campaignId: 'Autumn/2026', recipientId: 'bert@example.com', outcome: 3 });
  });
  afterAll(() => api.stop());

  it('answers 200 page by page, each campaign once', async () => {
    const first = await api.request('/intelligence/campaigns?limit=1');
    expectEnvelope(first);
    expect(first.body.data).toMatchObject({ campaign_count: 2, campaigns: [{ sample_size: 1 }] });
    const cursor = encodeURIComponent(first.body.data.next_cursor);
    const second = await api.request(`/intelligence/campaigns?limit=1&cursor=${cursor}`);
    expect(second.body.data.next_cursor).toBeNull();
    const ids = [...first.body.data.campaigns, ...second.body.data.campaigns].map(
      (row: { campaign_id: string }) => row.campaign_id,
    );
    expect(ids.sort()).toEqual(['Autumn/2026', 'spring']);
  });

  it("answers 200 without another tenant's campaigns", async () => {
    const answer = await api.as(await api.addTenant(), '/intelligence/campaigns');
    expect(answer.body.data.campaigns).toEqual([]);
  });
});
