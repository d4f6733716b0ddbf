import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/contacts/{contactId}', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantTouch({ campaignId: 'spring', recipientId: 'anna' });
    await api.plantTouch({ campaignId: 'Autumn/2026', recipientId: 'bert@example.com', outcome: 3 });
  });
  afterAll(() => api.stop());

  it('answers 200 for an e-mail address that is the id, blocked after an unsubscribe', async () => {
    const answer = await api.request('/intelligence/contacts/bert%40example.com');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({
      contact_id: 'bert@example.com',
      known: true,
      can_contact: false,
      block_reasons: ['unsubscribed'],
      next_best_action: { action: 'stop', channel: null },
    });
    expect(answer.body.data.alerts).toContain('contact_unsubscribed');
  });

  it("answers 200 and contact_unknown for another tenant's contact", async () => {
    const answer = await api.as(await api.addTenant(), '/intelligence/contacts/anna');
    expect(answer.body.data).toMatchObject({ known: false, history: { events: 0 } });
    expect(answer.body.data.alerts).toContain('contact_unknown');
  });
});
