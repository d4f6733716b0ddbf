import { anEvent, expectError, startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { ENDPOINTS } from './endpoints';

describe('every endpoint', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });
  afterAll(() => api.stop());

  it.each(ENDPOINTS)(
    'answers 429 when the window is used up, with Retry-After: $name',
    async ({ path, parts }) => {
      const tenant = await api.addTenant({ burstLimit: 2 });
      const call = () => api.request(path, { ...parts, as: tenant });
      const codes = [(await call()).body.error, (await call()).body.error];
      expect(codes).not.toContain('RATE_LIMITED');
      const refused = await call();
      expectError(refused, 429, 'RATE_LIMITED');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  it('stores nothing of what it refuses', async () => {
    const tenant = await api.addTenant({ burstLimit: 1 });
    for (const recipient_id of ['first', 'second'])
      await api.postEvents(anEvent({ recipient_id }), { as: tenant });
    expect((await api.events(tenant)).map((event) => event.recipient_id)).toEqual(['first']);
  });
});
