import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { shareIngestApi, type SharedIngestApi } from './ingest-api-process';

type Json = ReturnType<JSON['parse']>;
const description: Json = JSON.parse(readFileSync(join(__dirname, '../openapi.json'), 'utf8'));
const ajv = new Ajv2020({ strict: false });
formats(ajv);
ajv.addSchema({ $id: 'api', ...description });
const isDescribed = ajv.compile({ $ref: 'api#/components/schemas/OutcomeEvents' });
const examplesOf = (path: string, mediaType: string): Json[] =>
  Object.values(description.paths[path].post.requestBody.content[mediaType].examples);

describe('the description of an event', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('has examples that fit it, and that are accepted', async () => {
    const bodies = examplesOf('/ingest/events', 'application/json').map(({ value }) => value);
    expect(bodies).toHaveLength(3);
    for (const body of bodies) {
      expect([body, isDescribed(body)]).toEqual([body, true]);
      const { body: answer } = await api.postEvents(body, { as: await api.addTenant() });
      expect(answer).toMatchObject({ rejected: 0, duplicates: 0, errors: [] });
    }
    for (const { value } of examplesOf('/ingest/csv', 'text/csv')) {
      const { body: answer } = await api.postCsv(value, { as: await api.addTenant() });
      expect(answer).toMatchObject({ rejected: 0, duplicates: 0, errors: [] });
    }
  });

  it('takes exactly what the service takes of each combination of times, outcome, fact and message_ref', async () => {
    const values = {
      sent_at: [undefined, null, '2026-01-05T09:30:00Z'],
      outcome_at: [undefined, null, '2026-01-08T09:30:00Z'],
      outcome: [undefined, null, 'responded', 'opened'],
      fact: [undefined, null, 'sent', 'opened', 'responded'],
      message_ref: [undefined, null, 'm-1', ''],
    };
    let events: Record<string, unknown>[] = [{ channel: 'email', sequence_step: 0 }];
    for (const [field, choices] of Object.entries(values)) {
      events = events.flatMap((event) => choices.map((value) => ({ ...event, [field]: value })));
    }
    events.forEach((event, n) => (event.recipient_id = `p-${n}`));
    // As they travel: what is undefined is not there.
    const sent: Json[] = JSON.parse(JSON.stringify(events));
    const taken: string[] = [];
    const tenant = await api.addTenant();
    for (let from = 0; from < sent.length; from += 500) {
      const some = sent.slice(from, from + 500);
      const headers = { Prefer: 'return=representation' };
      const { body } = await api.postEvents({ events: some }, { as: tenant, headers });
      taken.push(...body.results.map(({ status }: { status: string }) => status));
    }
    const described = sent.map((event) => (isDescribed(event) ? 'accepted' : 'rejected'));
    expect(new Set(described)).toEqual(new Set(['accepted', 'rejected']));
    const differing = sent.filter((_, n) => described[n] !== taken[n]);
    expect(differing).toEqual([]);
  });

  it('says what each key of metadata with a meaning does', () => {
    const { anyOf } = description.components.schemas.OutcomeEvent.properties.metadata;
    const keys = Object.entries<Json>(anyOf[0].properties);
    expect(keys.map(([name]) => name).sort()).toEqual(
      ['campaign_id', 'sequence_id', 'opened', 'meeting_booked', 'variant_id', 'propensity']
        .concat(['first_name', 'company', 'complaint', 'bounce'])
        .sort(),
    );
    for (const [, { description: text }] of keys) expect(text).toMatch(/^(Text|Boolean|Number)\b.{20,}\.$/);
  });
});
