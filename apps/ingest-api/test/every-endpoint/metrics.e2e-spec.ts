import { randomUUID } from 'node:crypto';
import { podsPerService } from '@outcomes/testing';
import { anEvent, startIngestApi, type IngestApiProcess } from '../ingest-api-process';

describe('what operators see of ingestion', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    // What Postgres itself gives up on is no back-pressure, and is counted elsewhere: here it only waits.
    api = await startIngestApi({ environment: { DATABASE_STATEMENT_TIMEOUT_MS: '30000' } });
  });
  afterAll(() => api.stop());

  /** Value of the series that has these labels, beside that of the service. */
  const value = (text: string, name: string, labels = '') => {
    const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(labels));
    return Number(line?.split(' ')[1]);
  };

  it('counts events, requests and commits, and names neither company nor caller', async () => {
    const events = [1, 2, 3].map((n) => anEvent({ event_id: randomUUID(), recipient_id: `canary-${n}` }));
    await api.postEvents({ events: [...events, { channel: 'pigeon' }] });
    await api.postEvents({ events });
    await api.postCsv('nonsense\n1\n');
    await api.request('/ingest/events?recipient_id=canary-1', { method: 'DELETE' });
    await api.request(`/ingest/events/${randomUUID()}`, { method: 'DELETE' });
    const text = await api.metrics();
    const ingested = (result: string) => value(text, 'outcomes_ingest_events_total', `result="${result}"`);
    expect([ingested('accepted'), ingested('duplicate'), ingested('rejected')]).toEqual([3, 3, 1]);
    const requests = (kind: string, result: string) =>
      value(text, 'outcomes_ingest_requests_total', `kind="${kind}",result="${result}"`);
    expect([requests('json', 'done'), requests('csv', 'refused')]).toEqual([2, 1]);
    expect([requests('delete', 'done'), requests('delete', 'refused')]).toEqual([1, 1]);
    expect(value(text, 'outcomes_ingest_commit_seconds_count')).toBe(2);
    expect(value(text, 'outcomes_ingest_group_requests_sum')).toBe(2);
    expect(value(text, 'http_body_bytes')).toBe(0);
    expect(value(text, 'outcomes_ingest_held_events')).toBe(0);
    const ours = text.split('\n').filter((line) => line.startsWith('outcomes_'));
    expect(ours.join('\n')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|canary/);
  });

  it('shows what is held and what was sent away while Postgres is slow; memory stays bounded', async () => {
    const tenant = await api.addTenant({ burst: 100_000 });
    const batch = (request: number) => ({
      events: Array.from({ length: 500 }, (_, n) => anEvent({ recipient_id: `r-${request}-${n}` })),
    });
    const release = await holdUpInserts(api);
    let done = 0;
    const answers = Array.from({ length: 60 * podsPerService() }, (_, request) =>
      api.postEvents(batch(request), { as: tenant }).finally(() => (done += 1)),
    );
    let most = 0;
    const look = async () =>
      (most = Math.max(most, value(await api.metrics(), 'outcomes_ingest_held_events')));
    while (done < 20) await look();
    // What is not sent away is held until Postgres goes on, however late the looks before were answered.
    await look();
    await release();
    const settled = await Promise.all(answers);
    const refused = settled.filter(({ status }) => status === 503);
    expect(settled.filter(({ status }) => status !== 503 && status !== 202)).toEqual([]);
    // 20,000 events may wait in each pod; mutation: without the bound all 30,000 do.
    expect(refused.length).toBeGreaterThanOrEqual(20);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(20_000);
    for (const answer of refused) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const text = await api.metrics();
    const sentAway = (reason: string) =>
      value(text, 'outcomes_ingest_backpressure_total', `reason="${reason}"`);
    // Which of them it was depends on how slow the machine is.
    expect(sentAway('queue') + sentAway('time') + sentAway('turn')).toBe(refused.length);
    expect(value(text, 'outcomes_ingest_held_events')).toBe(0);
    expect((await api.events(tenant)).length).toBe(
      settled.filter(({ status }) => status === 202).length * 500,
    );
  });
});

/** Nothing can be inserted until the function that comes back is called. */
async function holdUpInserts({ database }: IngestApiProcess): Promise<() => Promise<unknown>> {
  await database.query(`CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END $$`);
  await database.query(`CREATE TRIGGER hold_up BEFORE INSERT ON outcome_events
    FOR EACH STATEMENT EXECUTE FUNCTION wait_for_test()`);
  await database.query('SELECT pg_advisory_lock(77)');
  return () => database.query('SELECT pg_advisory_unlock(77)');
}
