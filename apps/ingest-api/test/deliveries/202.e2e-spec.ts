import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { waitUntil } from '@outcomes/testing';
import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool, smartlead } from './connected-tool';

const sha = (text: string) => hash('sha256', text);

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('stores what is told, once, however often and however differently it is told', async () => {
    const tenant = await api.addTenant();
    const { deliver } = await connectTool(api, 'smartlead', tenant);
    const first = await deliver(smartlead('EMAIL_SENT'));
    expect([first.status, first.body]).toEqual([
      202,
      { accepted: 1, duplicates: 0, ignored: 0, waiting: 0, rejected: 0, errors: [] },
    ]);
    const opens = ['2026-01-05T10:00:00Z', '2026-01-05T11:00:00Z'].map((event_timestamp) =>
      smartlead('EMAIL_OPEN', { event_timestamp }),
    );
    await deliver(opens[0]);
    expect((await deliver([smartlead('EMAIL_SENT'), opens[1]])).body).toMatchObject({
      accepted: 2,
      duplicates: 2,
    });
    expect((await deliver(smartlead('LEAD_CATEGORY_UPDATED'))).body).toMatchObject({
      accepted: 0,
      ignored: 1,
    });
    const events = await api.events(tenant);
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      recipient_id: `em_${sha('ada@example.com').slice(0, 32)}`,
      recipient_hash: sha('ada@example.com').slice(0, 16),
    });
  });

  it('takes an array, gzip, any content type and a query', async () => {
    const tenant = await api.addTenant();
    const { sourceId, deliver } = await connectTool(api, 'instantly', tenant);
    const sent = { event_type: 'email_sent', workspace: 'w', campaign_id: 'c', campaign_name: 'n', step: 1 };
    const record = {
      ...sent,
      timestamp: '2026-01-05T09:00:00.000Z',
      lead_email: 'ben@example.com',
      email_account: 'us@example.org',
    };
    const plain = await deliver([record], { path: `/ingest/sources/${sourceId}?from=tool` });
    expect(plain.body).toMatchObject({ accepted: 1 });
    const packed = await fetch(`${api.baseUrl}/ingest/sources/${sourceId}`, {
      method: 'POST',
      headers: { 'Content-Encoding': 'gzip', 'x-outcomes-secret': '0123456789abcdefghijABCDEFGHIJ01' },
      body: new Uint8Array(gzipSync(JSON.stringify(record))),
    });
    expect([packed.status, ((await packed.json()) as { duplicates: number }).duplicates]).toEqual([202, 1]);
  });

  it('tells of each source what came, up to a second late', async () => {
    const tenant = await api.addTenant({ burst: 1_000 });
    const { sourceId, deliver } = await connectTool(api, 'smartlead', tenant);
    await deliver([smartlead('EMAIL_SENT'), smartlead('EMAIL_SENT'), smartlead('NEW')]);
    const overview = await waitUntil('the counts', async () => {
      const { body } = await api.request('/ingest/sources', { method: 'GET', as: tenant });
      return body.sources[0].last_delivery_at !== null && body.sources[0];
    });
    expect(overview).toMatchObject({
      ...{ source: sourceId, tool: 'smartlead', state: 'active' },
      types: [
        { type: 'EMAIL_SENT', records: 2 },
        { type: 'NEW', records: 1 },
      ],
      held: [{ reason: 'unknown_type', records: 1 }],
    });
    expect(Date.parse(overview.last_delivery_at) - Date.parse(overview.observed_until)).toBe(900_000);
    const other = await api.request('/ingest/sources', { method: 'GET', as: await api.addTenant() });
    expect(other.body).toEqual({ sources: [] });
  });
});
