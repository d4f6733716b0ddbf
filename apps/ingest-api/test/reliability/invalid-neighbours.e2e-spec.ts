import { randomUUID } from 'node:crypto';
import type { Tenant } from '@outcomes/testing';
import fc from 'fast-check';
import { anEvent, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

/** What Postgres would refuse, and so would have the statement of the whole batch fail. */
const INVALID: readonly object[] = [
  { recipient_id: 'a\0b' },
  { sent_at: '2026-02-30' },
  { word_count: 2 ** 31 },
  { metadata: { note: '\ud800' } },
  { event_id: 'none' },
];

describe('invalid events', () => {
  let api: SharedIngestApi;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await shareIngestApi();
    tenant = await api.addTenant({ burst: 100_000 });
  });
  afterAll(() => api.stop());

  it('do no harm to the valid ones beside them, wherever they stand', async () => {
    const places = fc.array(fc.option(fc.constantFrom(...INVALID), { nil: undefined }), {
      minLength: 500,
      maxLength: 500,
    });
    const stored = new Set<unknown>();
    for (const faults of fc.sample(places, { seed: 7, numRuns: 4 })) {
      const events = faults.map((fault) => ({ ...anEvent({ event_id: randomUUID() }), ...fault }));
      const valid = events.filter((_, at) => faults[at] === undefined);
      const { status, body } = await api.postEvents({ events }, { as: tenant });
      expect([status, body.accepted, body.rejected]).toEqual([202, valid.length, 500 - valid.length]);
      expect(body.errors.map(({ index }: { index: number }) => index)).toEqual(
        faults.flatMap((fault, at) => (fault === undefined ? [] : [at])),
      );
      for (const event of valid) stored.add(event.event_id);
    }
    expect(new Set((await api.events(tenant)).map((row) => row.event_id))).toEqual(stored);
  });
});
