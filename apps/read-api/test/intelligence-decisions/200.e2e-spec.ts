import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/decisions', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with an empty list, and says that there is none', async () => {
    const answer = await api.request(
      '/intelligence/decisions?contact_id=anna&since=2026-01-01T00:00:00Z&limit=50',
    );
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({ decision_count: 0, decisions: [], next_cursor: null });
    expect(answer.body.data.alerts).toContain('no_workflow_decisions_available');
  });
});
