import { INSIGHTS } from '../documents';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /patterns/contact-insights', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with zeros before the first analysis', async () => {
    const answer = await api.request('/patterns/contact-insights');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual({
      total_messages: 0,
      total_opens: 0,
      total_replies: 0,
      total_meetings: 0,
      analyses_included: 0,
      by_analysis: [],
    });
  });

  it('answers 200 with the stored totals', async () => {
    await api.plantSnapshot(api.tenant.companyId, 'contact_insights', INSIGHTS);
    expect((await api.request('/patterns/contact-insights')).body.data).toEqual(INSIGHTS);
  });
});
