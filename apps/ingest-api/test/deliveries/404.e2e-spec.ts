import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool, SECRET, smartlead } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 404 alike to a source that is unknown, malformed, revoked, or addressed in the other way', async () => {
    const { sourceId, deliver } = await connectTool(api, 'smartlead');
    const { sourceId: gone, deliver: deliverGone } = await connectTool(api, 'woodpecker');
    await api.database.query('UPDATE sources SET revoked_at = now() WHERE source_id = $1', [gone]);
    const answers = [
      await deliver(smartlead('EMAIL_SENT'), { path: `/ingest/sources/src_${'x'.repeat(22)}/${SECRET}` }),
      await deliver(smartlead('EMAIL_SENT'), { path: `/ingest/sources/src_x/${SECRET}` }),
      await deliver(smartlead('EMAIL_SENT'), { path: `/ingest/sources/${sourceId}` }),
      await deliverGone([{}]),
    ];
    const [first, ...others] = answers.map(({ status, body }) => {
      const { requestId, timestamp, ...said } = body as Record<string, unknown>;
      expect([requestId, timestamp]).toEqual([expect.any(String), expect.any(String)]);
      return [status, said];
    });
    expect(first).toMatchObject([404, { error: 'NOT_FOUND' }]);
    for (const other of others) expect(other).toEqual(first);
  });

  it("stores nothing for another company than the source's", async () => {
    const [owner, other] = [await api.addTenant(), await api.addTenant()];
    const { sourceId, deliver } = await connectTool(api, 'smartlead', owner);
    await deliver(smartlead('EMAIL_SENT'), { headers: { 'X-Tenant-Id': other.companyId } });
    expect([(await api.events(owner)).length, (await api.events(other)).length]).toEqual([1, 0]);
    const replay = await api.request(`/ingest/replays?source=${sourceId}`, { as: other });
    expect([replay.status, replay.body.error]).toEqual([404, 'SOURCE_NOT_FOUND']);
  });
});
