import { sharedService } from '@outcomes/testing';
import { checkedRequest, expectError } from '../ingest-api-process';
import { SECRET } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  it('answers 503 while the database is away', async () => {
    const path = `/ingest/sources/src_${'0'.repeat(22)}/${SECRET}`;
    const answer = await checkedRequest(sharedService('ingest-api', 'away').baseUrl, path, { body: '{}' });
    expectError(answer, 503, 'SERVICE_UNAVAILABLE');
    expect(answer.text).not.toMatch(/postgres|ECONN|127\.0\.0\.1/i);
  });
});
