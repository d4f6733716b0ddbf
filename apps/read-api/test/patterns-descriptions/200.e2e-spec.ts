import { expectEnvelope } from '../envelope';
import { startReadApi, type ReadApiProcess } from '../read-api-process';

describe('GET /patterns/descriptions', () => {
  let api: ReadApiProcess;
  beforeAll(async () => {
    api = await startReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with the analytics envelope inside the own one, 51 codes in it', async () => {
    const answer = await api.request('/patterns/descriptions');
    expectEnvelope(answer);
    expect(Object.keys(answer.body.data)).toEqual(['success', 'data']);
    expect(answer.body.data.success).toBe(true);
    const entries: Record<string, unknown>[] = Object.values(answer.body.data.data);
    expect(entries).toHaveLength(51);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        description: expect.arrayContaining([expect.any(String)]),
        category: expect.arrayContaining([expect.any(String)]),
        analysis: expect.arrayContaining([expect.any(String)]),
        type: expect.any(String),
      });
    }
  });
});
