import type { Answer } from '@outcomes/testing';
import { TONE_ANALYSIS } from '../documents';
import { expectError } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /patterns/chunks/{metricName}', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantSnapshot(api.tenant.companyId, 'analysis/tone_analysis', TONE_ANALYSIS);
  });
  afterAll(() => api.stop());

  it.each(['no-such-metric', 'general', 'constructor', '__proto__', 'tone_analysis', 'TONE'])(
    'answers 404 METRIC_NOT_FOUND for %s',
    async (name) => {
      expectError(await api.request(`/patterns/chunks/${name}`), 404, 'METRIC_NOT_FOUND');
    },
  );

  it('answers 404 METRIC_HAS_NO_DATA for a metric without data, and takes nothing from the month', async () => {
    const answer = await api.request('/patterns/chunks/llm');
    expectError(answer, 404, 'METRIC_HAS_NO_DATA');
    expect(answer.headers.get('x-quota-remaining')).toBe('1000');
  });

  it('answers alike for data that only another tenant has and for data that nobody has', async () => {
    const other = await api.addTenant();
    const anonymous = ({ body }: Answer) => ({ ...body, requestId: '', timestamp: '' });
    const foreign = await api.as(other, '/patterns/chunks/tone');
    const missing = await api.as(other, '/patterns/chunks/readability');
    expect(anonymous(foreign)).toEqual(anonymous(missing));
  });
});
