import { anEvent, expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('POST /ingest/events', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    'text/plain',
    'text/csv',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    '',
  ])('answers 415 to the media type %j', async (type) => {
    const answer = await api.postEvents(anEvent(), { headers: { 'Content-Type': type } });
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(answer.body.message).toContain('application/json');
  });

  it.each(['compress', 'gzip, gzip'])('answers 415 to the encoding %s, and names it', async (coding) => {
    const answer = await api.postEvents(anEvent(), { headers: { 'Content-Encoding': coding } });
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(answer.body.message).toContain('Content-Encoding');
  });
});
