import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { anEvent, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('POST /ingest/events', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
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

  it('takes facts of a message in any order, by its time of sending or by its message_ref', async () => {
    const tenant = await api.addTenant();
    const about = (parts: object) => ({
      ...{ channel: 'email', sequence_step: 0, recipient_id: 'prospect-1', message_ref: 'm-1' },
      ...parts,
    });
    const events = [
      about({ fact: 'meeting_booked', outcome_at: '2026-01-09T08:15:00Z' }),
      about({ outcome: 'responded', outcome_at: '2026-01-08T14:00:00Z' }),
      about({ fact: 'opened', outcome_at: '2026-01-05T11:02:00Z', outcome_at_is: 'not_after' }),
      about({ fact: 'sent', sent_at: '2026-01-05T09:30:00Z' }),
    ];
    expect(await api.postEvents({ events }, { as: tenant })).toMatchObject({ body: { accepted: 4 } });
    const again = await api.postEvents({ events: events.toReversed() }, { as: tenant });
    expect(again.body).toMatchObject({ accepted: 4, duplicates: 4 });
    const rows = await api.events(tenant);
    // printf '["","m-1"]' | sha256sum | cut -c 1-32
    const message_ref = Buffer.from('df04d1209623a66f5f30dfefc2132f78', 'hex');
    const waits = { sent_at: null, touch_id: null, message_ref };
    const told = rows.toSorted((a, b) => Number(a.outcome) - Number(b.outcome));
    expect(told).toMatchObject([
      { ...waits, outcome: 1, outcome_at_is: 0 },
      { outcome: 4, sent_at: new Date('2026-01-05T09:30:00Z'), outcome_at: new Date('2026-01-05T09:30:00Z') },
      { ...waits, outcome: 5, outcome_at_is: 2 },
      { ...waits, outcome: 8, outcome_at: new Date('2026-01-09T08:15:00Z') },
    ]);
    expect(told[1]).toMatchObject({ message_ref, touch_id: expect.any(String) });
  });

  it('names what is missing of an outcome and of a fact', async () => {
    const events = [
      anEvent({ sent_at: null }),
      anEvent({ outcome: null, fact: 'opened', outcome_at: null }),
      anEvent({ fact: 'opened' }),
      anEvent({ outcome: null, fact: 'sent', sent_at: null }),
    ];
    const answer = await api.postEvents({ events }, { as: await api.addTenant() });
    const told = answer.body.errors.map((error: Record<string, string>) => `${error.field} ${error.code}`);
    expect(told).toEqual([
      'sent_at REQUIRED',
      'outcome_at REQUIRED',
      'outcome FACT_AND_OUTCOME',
      'sent_at REQUIRED',
    ]);
  });

  it('refuses other content under an event_id that is known, and the first version stands', async () => {
    const tenant = await api.addTenant();
    const event = anEvent({ event_id: randomUUID() });
    await api.postEvents(event, { as: tenant });
    const before = await api.events(tenant);
    const events = [{ ...event, outcome: 'responded' }, event, anEvent({ recipient_id: 'prospect-2' })];
    const answer = await api.postEvents(
      { events },
      { as: tenant, headers: { Prefer: 'return=representation' } },
    );
    expect(answer).toMatchObject({
      status: 202,
      body: {
        ...{ accepted: 2, rejected: 1, duplicates: 1 },
        errors: [{ index: 0, field: 'event_id', code: 'EVENT_ID_CONFLICT' }],
        results: [
          { index: 0, event_id: event.event_id, status: 'rejected' },
          { index: 1, event_id: event.event_id, status: 'duplicate' },
          { index: 2, status: 'accepted' },
        ],
      },
    });
    expect(await api.events(tenant)).toEqual([...before, expect.anything()]);
  });

  it('keeps the opt-out of a rejected event, and says by which id it can be deleted', async () => {
    const tenant = await api.addTenant();
    const optOut = anEvent({ outcome: 'unsubscribed', tone: 'casual' });
    const answer = await api.postEvents({ events: [anEvent(), optOut] }, { as: tenant });
    expect(answer.body).toMatchObject({
      ...{ accepted: 1, rejected: 1, errors: [{ index: 1, field: 'tone' }] },
      taken_anyway: [{ index: 1, outcome: 'unsubscribed' }],
    });
    const { taken_anyway } = answer.body as { taken_anyway: { event_id: string }[] };
    const ids = (await api.events(tenant)).map((event) => (event as { event_id: string }).event_id);
    expect(ids).toContain(taken_anyway[0]?.event_id);
  });

  it('takes null for absent', async () => {
    const tenant = await api.addTenant();
    const nulls = { tone: null, metadata: null, event_id: null, fact: null, body: null, message_ref: null };
    const events = [anEvent(), anEvent(nulls)];
    expect((await api.postEvents({ events }, { as: tenant })).body).toMatchObject({
      accepted: 2,
      duplicates: 1,
    });
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
});
