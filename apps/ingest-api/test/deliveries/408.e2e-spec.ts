import { answerTo, expectError, shareIngestApi, stalledUpload } from '../ingest-api-process';
import { connectTool, SECRET } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  it('answers 408 to a body that does not arrive', async () => {
    const api = await shareIngestApi('impatient');
    const { sourceId } = await connectTool(api, 'lemlist');
    const upload = stalledUpload(api, 1_000, { path: `/ingest/sources/${sourceId}/${SECRET}` });
    expectError(await answerTo(upload), 408, 'REQUEST_TIMEOUT');
    upload.destroy();
    await api.stop();
  });
});
