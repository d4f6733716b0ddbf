import { randomUUID } from 'node:crypto';
import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('another method', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    ['GET', '/ingest/events', 'DELETE, POST'],
    ['PUT', '/ingest/events', 'DELETE, POST'],
    ['DELETE', '/ingest/csv', 'POST'],
    ['POST', '/ingest/status', 'GET, HEAD'],
    ['GET', '/ingest/analysis', 'POST'],
    ['POST', `/ingest/events/${randomUUID()}`, 'DELETE'],
  ])('is answered with 405 and the methods that there are: %s %s', async (method, path, allow) => {
    const answer = await api.request(path, { method });
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe(allow);
  });
});
