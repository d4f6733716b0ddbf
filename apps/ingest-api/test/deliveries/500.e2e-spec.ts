import { sharedService } from '@outcomes/testing';
import { checkedRequest } from '../ingest-api-process';
import { SECRET, smartlead } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  it('answers 500 where something is wrong with us, and says nothing of it', async () => {
    const path = `/ingest/sources/src_${'0'.repeat(22)}/${SECRET}`;
    const answer = await checkedRequest(sharedService('ingest-api', 'broken').baseUrl, path, {
      headers: { 'Content-Type': 'text/plain' },
      body: JSON.stringify(smartlead('EMAIL_SENT')),
    });
    expect([answer.status, answer.body.error]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toMatch(/relation|postgres|42P01/i);
  });
});
