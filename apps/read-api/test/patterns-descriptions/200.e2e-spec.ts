import { waitUntil } from '@outcomes/testing';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /patterns/descriptions', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
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

  it.each(['', '?'])(
    'answers 200 compressed for who takes it, with a time of its own (%s)',
    async (query) => {
      const bodies: { data: unknown; timestamp: string }[] = [];
      let before = 0;
      for (const accepted of ['identity', 'gzip', 'gzip, br']) {
        const headers = { Authorization: `Bearer ${api.tenant.apiKey}`, 'Accept-Encoding': accepted };
        await waitUntil('another millisecond', () => Date.now() > before);
        before = Date.now();
        const answer = await fetch(`${api.baseUrl}/patterns/descriptions${query}`, { headers });
        bodies.push((await answer.json()) as (typeof bodies)[number]);
        // Mutation: the whole answer is remembered, with the time of the first.
        expect(Date.parse(bodies.at(-1)?.timestamp ?? '')).toBeGreaterThanOrEqual(before);
        expect(answer.headers.get('content-encoding')).toBe(accepted === 'identity' ? null : 'gzip');
        expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      }
      expect(bodies[1]?.data).toEqual(bodies[0]?.data);
    },
  );
});
