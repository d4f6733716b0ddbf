import { anEvent, startIngestApi, type IngestApiProcess } from '../ingest-api-process';

describe('the log of requests', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });

  it('has a line for every request, also where the service is stopped at once', async () => {
    const ids = Array.from({ length: 25 }, (_, n) => `request-${n}`);
    await Promise.all(
      ids.map((id) => api.postEvents(anEvent({ recipient_id: id }), { headers: { 'X-Request-Id': id } })),
    );
    await api.stop();
    const lines = api
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Set(lines.map(({ requestId }) => requestId))).toEqual(new Set(ids));
    expect(lines[0]).toMatchObject({
      service: 'ingest-api',
      method: 'POST',
      route: '/ingest/events',
      status: 202,
      aborted: false,
    });
  });
});
