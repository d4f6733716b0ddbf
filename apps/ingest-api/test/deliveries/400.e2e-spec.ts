import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool, SECRET } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    ['{', 'INVALID_JSON'],
    ['', 'INVALID_JSON'],
    ['[]', 'INVALID_REQUEST'],
    ['[1]', 'INVALID_REQUEST'],
    ['"text"', 'INVALID_REQUEST'],
  ])('answers 400 to what is no delivery: %j', async (body, error) => {
    const { deliver } = await connectTool(api, 'lemlist');
    const answer = await deliver(body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  it('answers 400 to what is not in UTF-8, and to what is no gzip', async () => {
    const { sourceId } = await connectTool(api, 'lemlist');
    const of = (headers: Record<string, string>, body: Uint8Array<ArrayBuffer>) =>
      api.request(`/ingest/sources/${sourceId}/${SECRET}`, { headers, body: Buffer.from(body), as: null });
    expectError(await of({}, new Uint8Array([0x22, 0xff, 0x22])), 400, 'INVALID_ENCODING');
    expectError(await of({ 'Content-Encoding': 'gzip' }, new Uint8Array([1, 2, 3])), 400, 'INVALID_ENCODING');
  });
});
