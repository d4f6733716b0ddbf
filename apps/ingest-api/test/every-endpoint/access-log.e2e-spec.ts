import { randomUUID } from 'node:crypto';
import { waitUntil } from '@outcomes/testing';
import { connectTool, SECRETS_KEY, smartlead } from '../deliveries/connected-tool';
import { anEvent, startIngestApi, type IngestApiProcess } from '../ingest-api-process';

describe('the log of requests', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });

  it('has a line for every request, also where the service is stopped at once', async () => {
    const ids = Array.from({ length: 25 }, (_, n) => `request-${n}`);
    await Promise.all(
      ids.map((id) => api.postEvents(anEvent({ recipient_id: id }), { headers: { 'X-Request-Id': id } })),
    );
    await api.stop();
    const lines = api
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Set(lines.map(({ requestId }) => requestId))).toEqual(new Set(ids));
    expect(lines[0]).toMatchObject({
      service: 'ingest-api',
      method: 'POST',
      route: '/ingest/events',
      status: 202,
      aborted: false,
    });
  });
});

describe('the log', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({ environment: { SOURCE_SECRETS_KEY: SECRETS_KEY } });
  });
  afterAll(() => api.stop());

  it('says nothing of addresses, bodies and subjects of events', async () => {
    const secret = `canary${randomUUID()}`;
    const event = anEvent({
      recipient_email: `${secret}@x.org`,
      body: secret,
      subject: secret,
      tone: secret,
      [secret]: 1,
    });
    await api.postEvents(event);
    await api.postEvents(anEvent({ recipient_email: `${secret}@x.org`, body: secret, subject: secret }));
    expect(api.output()).not.toContain(secret);
  });

  it('says nothing of addresses and tokens of deliveries, nor of their source', async () => {
    const { sourceId, deliver } = await connectTool(api, 'lemlist');
    await deliver({ type: 'emailsSent', leadEmail: 'secret.person@example.com' });
    await deliver('{', { secret: 'A'.repeat(32) });
    const other = await connectTool(api, 'smartlead');
    await other.deliver(smartlead('EMAIL_SENT'));
    await waitUntil('the lines', () => api.output().includes('/ingest/sources/:source/:token'));
    expect(api.output()).not.toMatch(/secret\.person|ada@|A{32}|0123456789abcdefghij/);
    expect(api.output()).not.toContain(sourceId);
  });
});
