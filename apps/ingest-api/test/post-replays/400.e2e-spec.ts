import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

const SOURCE = `src_${'0'.repeat(22)}`;

describe('POST /ingest/replays', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    ['', 'source'],
    ['source=x', 'source'],
    [`source=${SOURCE}&source=${SOURCE}`, 'source'],
    [`source=${SOURCE}&since=yesterday`, 'since'],
    [`source=${SOURCE}&after=1`, 'after'],
    [`source=${SOURCE}&from=now`, 'from'],
  ])('answers 400 and names the parameter: %j', async (query, parameter) => {
    const answer = await api.request(`/ingest/replays?${query}`);
    expectError(answer, 400, 'INVALID_PARAMETER');
    expect(answer.body.parameter).toBe(parameter);
  });

  it('answers 400 to an actor that is none', async () => {
    const headers = { 'X-Actor-Type': 'robot', 'X-Actor-Id': 'r' };
    expectError(await api.request(`/ingest/replays?source=${SOURCE}`, { headers }), 400, 'INVALID_ACTOR');
  });
});
