import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool, outreach } from '../deliveries/connected-tool';

describe('POST /ingest/replays', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 200 and says what can be read now, of what was received since, and where to go on', async () => {
    const { sourceId, deliver } = await connectTool(api, 'outreach');
    const of = (id: number) => {
      const made = outreach('mailing.delivered', { deliveredAt: '2026-01-05T09:00:00Z' });
      return { ...made, data: { ...made.data, id } };
    };
    for (let from = 0; from < 600; from += 300)
      await deliver(Array.from({ length: 300 }, (_, at) => of(from + at)));
    await api.database.query(`UPDATE sources SET steps = '{"198394": 0}' WHERE source_id = $1`, [sourceId]);
    const replay = (more = '') => api.request(`/ingest/replays?source=${sourceId}${more}`);
    expect((await replay('&since=2999-01-01T00:00:00Z')).body).toMatchObject({ looked_at: 0, next: null });
    const first = await replay();
    expect([first.status, first.body]).toEqual([
      200,
      { looked_at: 500, released: 500, accepted: 500, duplicates: 0, next: expect.any(String) },
    ]);
    const second = await replay(`&after=${first.body.next}`);
    expect(second.body).toMatchObject({ looked_at: 100, accepted: 100, next: null });
    expect(await api.events()).toHaveLength(600);
  });

  it('leaves what still cannot be read, and what has been held for its time', async () => {
    const { sourceId, deliver } = await connectTool(api, 'outreach');
    await deliver(outreach('mailing.delivered', { deliveredAt: '2026-01-05T09:00:00Z' }, 5));
    const replay = () => api.request(`/ingest/replays?source=${sourceId}`);
    expect((await replay()).body).toMatchObject({ looked_at: 1, released: 0, accepted: 0 });
    await api.database.query(
      `UPDATE held_deliveries SET received_at = now() - interval '31 days' WHERE source_id = $1`,
      [sourceId],
    );
    expect((await replay()).body).toMatchObject({ looked_at: 0 });
  });
});
