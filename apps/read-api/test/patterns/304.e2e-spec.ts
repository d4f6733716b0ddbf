import { bearer, waitUntil } from '@outcomes/testing';
import { patternRecord } from '../documents';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /patterns', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantSnapshot(api.tenant.companyId, 'patterns', [patternRecord({ code: 'TA-1' })]);
  });
  afterAll(() => api.stop());

  const again = (etag: string | null) =>
    api.request('/patterns', { headers: { ...bearer(api.tenant), 'If-None-Match': etag ?? '' } });

  it('answers 304 without a body while the document stands, and gives the month its request back', async () => {
    const first = await api.request('/patterns');
    const second = await again(first.headers.get('etag'));
    expect([second.status, second.text]).toEqual([304, '']);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('x-quota-remaining')).toBe(first.headers.get('x-quota-remaining'));
    expect(Number(second.headers.get('ratelimit-remaining'))).toBe(
      Number(first.headers.get('ratelimit-remaining')) - 1,
    );
  });

  it('answers 200 once the document has changed', async () => {
    const first = await api.request('/patterns');
    await api.database.query('DELETE FROM snapshots WHERE company_id = $1', [api.tenant.companyId]);
    const changed = [patternRecord({ code: 'TA-2' })];
    await api.plantSnapshot(api.tenant.companyId, 'patterns', changed);
    const second = await waitUntil('the changed document', async () => {
      const answer = await again(first.headers.get('etag'));
      return answer.status === 200 && answer;
    });
    expect(second.body.data).toEqual(changed);
  });
});
