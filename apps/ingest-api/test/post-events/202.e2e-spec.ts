import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { anEvent, startIngestApi, type IngestApiProcess } from '../ingest-api-process';

describe('POST /ingest/events', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 202 to a list of events, once they are stored', async () => {
    const tenant = await api.addTenant();
    const events = [anEvent(), anEvent({ recipient_id: 'prospect-2', tone: 'casual' })];
    const answer = await api.postEvents({ events }, { as: tenant });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      accepted: 1,
      rejected: 1,
      duplicates: 0,
      errors: [
        {
          index: 1,
          field: 'tone',
          code: 'NOT_ALLOWED',
          message: 'Send one of: direct, conversational, professional, empathetic, questioning.',
        },
      ],
    });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    for (const name of ['limit', 'remaining', 'reset', 'policy']) {
      expect(answer.headers.get(`ratelimit-${name}`)).toBeTruthy();
    }
    expect(await api.events(tenant)).toHaveLength(1);
  });

  it('answers 202 to a single event, a wrong one included', async () => {
    const tenant = await api.addTenant();
    expect(await api.postEvents(anEvent(), { as: tenant })).toMatchObject({
      status: 202,
      body: { accepted: 1 },
    });
    const wrong = await api.postEvents({ channel: 'email' }, { as: tenant });
    expect(wrong).toMatchObject({ status: 202, body: { accepted: 0, rejected: 1 } });
    expect(wrong.body.errors).toHaveLength(5);
    expect(await api.postEvents({ events: [] }, { as: tenant })).toMatchObject({
      status: 202,
      body: { accepted: 0, rejected: 0, duplicates: 0, errors: [] },
    });
  });

  it('changes nothing when the same events come again', async () => {
    const tenant = await api.addTenant();
    const events = [anEvent(), anEvent({ event_id: randomUUID(), sequence_step: 1 })];
    await api.postEvents({ events }, { as: tenant });
    const before = await api.events(tenant);
    expect(await api.postEvents({ events }, { as: tenant })).toMatchObject({
      status: 202,
      body: { accepted: 2, rejected: 0, duplicates: 2 },
    });
    expect(await api.events(tenant)).toEqual(before);
  });

  it('lists what became of each event where the caller prefers it', async () => {
    const event_id = randomUUID();
    const answer = await api.postEvents(
      { events: [anEvent({ event_id }), anEvent({ event_id }), {}] },
      { as: await api.addTenant(), headers: { Prefer: 'respond-async, return=representation' } },
    );
    expect(answer.headers.get('preference-applied')).toBe('return=representation');
    expect(answer.body.results).toEqual([
      { index: 0, event_id, status: 'accepted' },
      { index: 1, event_id, status: 'duplicate' },
      { index: 2, event_id: null, status: 'rejected' },
    ]);
  });

  it('takes a compressed body, and any way to write the media type', async () => {
    const body = gzipSync(JSON.stringify(anEvent()));
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'Application/JSON; charset="UTF-8"' };
    expect(await api.postEvents({}, { body, headers, as: await api.addTenant() })).toMatchObject({
      status: 202,
      body: { accepted: 1 },
    });
  });

  it('takes 500 events, the largest that the specification allows', async () => {
    const events = Array.from({ length: 500 }, (_, i) =>
      anEvent({ recipient_id: `p${i}`, body: 'x'.repeat(10_000), metadata: { note: 'y'.repeat(2_000) } }),
    );
    expect(await api.postEvents({ events }, { as: await api.addTenant() })).toMatchObject({
      status: 202,
      body: { accepted: 500 },
    });
  });

  it('says nothing of addresses, bodies and subjects in its log', async () => {
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
});
