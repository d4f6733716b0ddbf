import {
  AccessError,
  LimitError,
  OutcomesClient,
  RequestError,
  type OutcomeEvent,
  type OutcomesClientOptions,
} from '@outcomes/client';
import {
  FAULTS,
  faultyProxy,
  inForm,
  noteFigures,
  waitUntil,
  type FaultyProxy,
  type Tenant,
} from '@outcomes/testing';
import { Installation } from './installation';

/** Events that are sent through the proxy, each about a message of its own. */
const EVENTS = inForm(1_000, 20_000);
const BATCH = 50;

describe('the TypeScript client, against services that drop, delay and refuse', () => {
  let installation: Installation;
  let proxy: FaultyProxy;
  let ingestUrl: string;
  let readUrl: string;

  beforeAll(async () => {
    installation = await Installation.join('ingestion');
    ingestUrl = installation.urlOf('ingest-api');
    readUrl = `${installation.urlOf('read-api')}/v1`;
    // Five of nine requests meet something.
    proxy = await faultyProxy(ingestUrl, (n) => FAULTS[n % 9] ?? 'none');
  }, 120_000);

  afterAll(async () => {
    await proxy?.close();
    await installation?.stop();
  });

  const event = (n: number): OutcomeEvent => ({
    channel: 'email',
    sequence_step: 0,
    recipient_id: `person-${n}`,
    sent_at: '2026-01-05T09:30:00Z',
    outcome: n % 10 === 0 ? 'responded' : 'no_response',
    outcome_at: '2026-01-08T09:30:00Z',
    metadata: { campaign_id: `campaign-${n % 7}` },
  });

  /** Waits are taken down, not waited; an answer that does not come is waited for a second and a half. */
  const client = ({ apiKey }: Tenant, options: Partial<OutcomesClientOptions> = {}) => {
    const waits: number[] = [];
    const settings = { apiKey, ingestUrl: proxy.url, readUrl, attempts: 20, timeoutMs: 1_500 };
    const wait = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
    return { waits, outcomes: new OutcomesClient({ ...settings, wait, ...options }) };
  };

  const stored = ({ companyId }: Tenant) => {
    const sql = 'SELECT event_id FROM outcome_events WHERE company_id = $1';
    return installation.database.query<{ event_id: string }>(sql, [companyId]);
  };

  const sendAll = async (tenant: Tenant, options?: Partial<OutcomesClientOptions>) => {
    const { outcomes, waits } = client(tenant, options);
    const rejected: unknown[] = [];
    const queue = outcomes.events({
      batchSize: BATCH,
      capacity: 4 * BATCH,
      onRejected: (one) => rejected.push(one),
    });
    const ids: string[] = [];
    for (let n = 0; n < EVENTS; n += 1) ids.push(await queue.add(event(n)));
    await queue.close({ timeoutMs: 600_000 });
    expect(rejected).toEqual([]);
    return { ids, waits };
  };

  it('has every event stored and counted once', async () => {
    const tenant = await installation.addTenant({ name: 'Unlucky' });
    const { ids, waits } = await sendAll(tenant);
    const rows = await stored(tenant);
    expect(rows.map(({ event_id }) => event_id).sort()).toEqual([...ids].sort());
    // Refusals were waited out for as long as they said.
    expect(waits.filter((wait) => wait >= 1_000 && wait < 2_000).length).toBeGreaterThan(0);
    for (const fault of FAULTS) expect([fault, proxy.met[fault]]).not.toEqual([fault, 0]);
    const { outcomes } = client(tenant);
    await waitUntil(
      'everything to be counted',
      async () => (await outcomes.status()).batches_pending === 0,
      120_000,
    );
    const sql = 'SELECT count(*)::int AS n FROM touches WHERE company_id = $1';
    expect(await installation.database.query(sql, [tenant.companyId])).toEqual([{ n: EVENTS }]);
    noteFigures(`${EVENTS} events, requests by what befell them: ${JSON.stringify(proxy.met)}`);
  }, 600_000);

  it('would count some twice, did it name them anew for each attempt', async () => {
    const tenant = await installation.addTenant({ name: 'Mutant' });
    const renaming: typeof fetch = (url, init) => {
      const body = (init?.body as string).replaceAll(
        /"event_id":"[^"]+"/g,
        () => `"event_id":"${crypto.randomUUID()}"`,
      );
      return fetch(url, { ...init, body });
    };
    await sendAll(tenant, { fetch: renaming });
    expect((await stored(tenant)).length).toBeGreaterThan(EVENTS);
  }, 600_000);

  it('tells refusals apart, and does not repeat what would be refused again', async () => {
    const tenant = await installation.addTenant({ name: 'Narrow', burst: 1 });
    const direct = { ingestUrl };
    const nobody = client({ ...tenant, apiKey: 'svc_wrong' }, direct);
    await expect(nobody.outcomes.status()).rejects.toThrow(AccessError);
    const { outcomes, waits } = client(tenant, direct);
    const wrong = [{ recipient_id: 1 }] as unknown as readonly OutcomeEvent[];
    const { errors } = await outcomes.postEvents(wrong);
    expect(errors.map(({ code }) => code)).toContain('REQUIRED');
    // The window is over for longer than the client waits.
    const refusal = await outcomes.status().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LimitError);
    expect((refusal as LimitError).is('RATE_LIMITED')).toBe(true);
    expect((refusal as LimitError).retryAfterSeconds).toBeGreaterThan(60);
    expect([...nobody.waits, ...waits]).toEqual([]);
    const roomy = client(await installation.addTenant({ name: 'Roomy' }), direct);
    await expect(roomy.outcomes.deleteEvent('no-uuid')).rejects.toThrow(RequestError);
  });

  it('keeps events that are refused over a header, and says which', async () => {
    const tenant = await installation.addTenant({ name: 'Nameless' });
    const { outcomes } = client(tenant, { ingestUrl, headers: { 'X-Actor-Id': 'crm-sync' } });
    const rejected: unknown[] = [];
    const queue = outcomes.events({ onRejected: (one) => rejected.push(one) });
    await queue.add(event(0));
    await expect(queue.close()).rejects.toMatchObject({ name: 'RequestError', code: 'INVALID_ACTOR' });
    expect([queue.size, rejected]).toEqual([1, []]);
  });

  it('reads every page once, of lists that go on in a field and in a link', async () => {
    const tenant = await installation.addTenant({ name: 'Reader' });
    const { outcomes } = client(tenant, { ingestUrl });
    await outcomes.postEvents(Array.from({ length: 100 }, (_nothing, n) => event(n)));
    await installation.cli('analyze', '--company', tenant.companyId, '--wait');
    const campaigns: string[] = [];
    for await (const { data } of outcomes.pages('campaigns', { window_days: 365, limit: 2 })) {
      campaigns.push(...data.campaigns.map(({ campaign_id }) => campaign_id));
    }
    expect(campaigns).toEqual(Array.from({ length: 7 }, (_nothing, n) => `campaign-${n}`));
    const profiles: number[] = [];
    for await (const { data } of outcomes.pages('profiles', { limit: 3 })) profiles.push(data.length);
    expect(profiles).toEqual([3, 3, 3, 1]);
    const { data } = await outcomes.read('contact', { contactId: 'person-0' });
    expect([data.known, data.history.outcomes.responded]).toEqual([true, 1]);
    await expect(outcomes.deleteRecipient({ recipient_id: 'person-0' })).resolves.toMatchObject({
      deleted: 1,
    });
  }, 180_000);
});
