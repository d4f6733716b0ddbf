import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { Tenant } from '@outcomes/testing';
import { anEvent, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

/** Without a query node:http calls the handler, with one Nest does, by the same pipeline. Nobody may notice. */
const PATHS = { fast: '/ingest/events', controller: '/ingest/events?' };

describe('POST /ingest/events called from node:http and by Nest', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  const post = async (way: 'fast' | 'controller', body: string, headers: Record<string, string>) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = httpRequest(`${api.baseUrl}${PATHS[way]}`, { method: 'POST', headers });
      sent.once('response', resolve).once('error', reject).end(body);
    });
    const { requestId, timestamp, ...rest } = JSON.parse(await textOf(response));
    const told = { requestId: typeof requestId, timestamp: typeof timestamp };
    // These are counted or drawn anew for each request.
    const own = ['date', 'x-request-id', 'content-length'];
    const counted = ['ratelimit-remaining', 'ratelimit-reset', 'x-quota-reset', 'retry-after'];
    const fields = Object.entries(response.headers).filter(([name]) => !own.includes(name));
    const headersSent = Object.fromEntries(
      fields.map((field) => (counted.includes(field[0]) ? [field[0], ''] : field)),
    );
    return { status: response.statusCode, body: { ...rest, ...told }, headers: headersSent };
  };
  const json = (tenant: Tenant) => ({
    Authorization: `Bearer ${tenant.apiKey}`,
    'Content-Type': 'application/json',
  });

  const named = JSON.stringify(anEvent({ event_id: '11111111-1111-4111-8111-111111111111' }));

  const CASES: [string, number, string, (tenant: Tenant) => Record<string, string>][] = [
    ['an event', 202, JSON.stringify(anEvent()), json],
    ['what became of it', 202, named, (t) => ({ ...json(t), Prefer: 'return=representation' })],
    ['an event that is wrong', 202, JSON.stringify(anEvent({ outcome: 'perhaps' })), json],
    ['what is no JSON', 400, '{"events":[', json],
    ['no key', 401, '{}', () => ({ 'Content-Type': 'application/json' })],
    ['another media type', 415, '{}', (tenant) => ({ ...json(tenant), 'Content-Type': 'text/plain' })],
    [
      'a body that is encoded twice',
      415,
      '{}',
      (tenant) => ({ ...json(tenant), 'Content-Encoding': 'gzip, gzip' }),
    ],
    [
      'another tenant',
      403,
      '{}',
      (t) => ({ ...json(t), 'X-Tenant-Id': '00000000-0000-4000-8000-000000000000' }),
    ],
  ];

  // Mutation: a header, a check or a count that one of the two ways leaves out.
  it.each(CASES)('answers alike to %s', async (_what, status, body, headersOf) => {
    const [first, second] = [await api.addTenant(), await api.addTenant()];
    const fast = await post('fast', body, headersOf(first));
    expect(fast.status).toBe(status);
    expect(await post('controller', body, headersOf(second))).toEqual(fast);
  });

  it('counts alike', async () => {
    const tenant = await api.addTenant();
    const left = async (way: 'fast' | 'controller') => {
      const answer = await api.request(PATHS[way], {
        ...{ method: 'POST', as: tenant, body: JSON.stringify(anEvent()) },
        headers: { 'Content-Type': 'application/json' },
      });
      return Number(answer.headers.get('ratelimit-remaining'));
    };
    const before = await left('fast');
    expect([await left('controller'), await left('fast')]).toEqual([before - 1, before - 2]);
  });
});
