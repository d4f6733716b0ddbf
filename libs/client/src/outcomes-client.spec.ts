import { OutcomesClient } from './outcomes-client.ts';

describe('the client', () => {
  it.each([
    ['localhost:3002'],
    ['ingest.example.com'],
    ['/ingest'],
    ['ftp://ingest.example.com'],
    ['http://'],
    ['http://name:secret@ingest.example.com'],
    [''],
  ])('is not made for %j, at which no request would ever arrive, and names the setting', (url) => {
    expect(() => new OutcomesClient({ apiKey: 'svc_key', ingestUrl: url })).toThrow(/^ingestUrl must be/);
    expect(() => new OutcomesClient({ apiKey: 'svc_key', readUrl: url })).toThrow(/^readUrl must be/);
  });

  it.each([
    ['http://localhost:3002'],
    ['HTTPS://ingest.example.com/'],
    ['http://[::1]:3002/behind/a/gateway'],
    [undefined],
  ])('is made for %j', (url) => {
    const made = new OutcomesClient({ apiKey: 'svc_key', ...(url !== undefined && { ingestUrl: url }) });
    expect(made).toBeInstanceOf(OutcomesClient);
  });
});
