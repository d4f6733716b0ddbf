import { ENDPOINTS } from '../endpoints';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('the intelligence group', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it.each(ENDPOINTS.filter((path) => path.startsWith('/intelligence')))(
    'answers 200 to a newcomer with the common fields: %s',
    async (path) => {
      const answer = await api.request(path);
      expectEnvelope(answer);
      expect(answer.body.data).toMatchObject({
        schema_version: '1.0.0',
        tenant_id: api.tenant.companyId,
        scope: expect.stringMatching(/^(company|campaign|contact)$/),
        summary: expect.stringMatching(/\S/),
        alerts: expect.arrayContaining(['no_data_ingested_yet']),
        as_of: expect.stringMatching(/Z$/),
        data_as_of: null,
      });
    },
  );

  it('gives the same ETag to the same findings a moment later', async () => {
    const first = await api.request('/intelligence/bandit');
    const second = await api.request('/intelligence/bandit');
    expect(second.body.data.as_of).not.toBe(first.body.data.as_of);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });
});
