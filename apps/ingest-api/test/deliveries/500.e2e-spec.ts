import { startIngestApi } from '../ingest-api-process';
import { connectTool, smartlead } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  it('answers 500 where something is wrong with us, and says nothing of it', async () => {
    const api = await startIngestApi();
    const { deliver } = await connectTool(api, 'smartlead');
    await api.database.query('ALTER TABLE sources RENAME TO sources_away');
    const answer = await deliver(smartlead('EMAIL_SENT'));
    expect([answer.status, answer.body.error]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toMatch(/relation|postgres|42P01/i);
    await api.stop();
  });
});
