import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/contacts/{contactId}/decisions', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 about that contact', async () => {
    const answer = await api.request('/intelligence/contacts/anna/decisions');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({ scope: 'contact', decision_count: 0, decisions: [] });
  });
});
