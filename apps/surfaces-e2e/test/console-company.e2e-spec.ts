import type {
  AdministrativeAct,
  ClaimRecord,
  CompanyUsage,
  OwnAccount,
  TakenBatches,
} from '@outcomes/contracts';
import { waitUntil, type Tenant } from '@outcomes/testing';
import { consoleOf, ConsoleVisitor, signedIn } from './console-visitor';
import { Installation } from './installation';

const CLAIMS = [
  ['TA-1', 1, 'likely', true, '2026-03-01', 'found', null],
  ['TA-1', 2, 'confirmed', true, '2026-04-01', 'stronger', null],
  ['TA-1', 3, 'none', null, '2026-05-01', 'goes_with', 'TA-2'],
  ['TA-2', 1, 'directional', false, '2026-04-15', 'found', null],
] as const;

describe('what a company knows of itself in the console', () => {
  let installation: Installation;
  let origin: string;
  let own: Tenant;
  let owner: Awaited<ReturnType<typeof signedIn>>;

  beforeAll(async () => {
    installation = await Installation.join('console');
    own = await installation.addTenant({ name: 'Own company', monthly: 500 });
    origin = consoleOf(installation);
    owner = await signedIn(installation, origin, own.companyId, 'owner');
    const friend = `friend.${own.companyId}@example.com`;
    await installation.cli('user', 'create', '--company', own.companyId, '--email', friend);
  }, 120_000);
  afterAll(() => installation.stop());

  const below = (path: string) => `/api/c/${own.companyId}${path}`;
  const read = async <Answer>(path: string) => (await owner.get(below(path))).body as Answer;

  it('lists every claim and retraction, newest first, with what was claimed before', async () => {
    for (const [code, number, tier, isUp, since, reason, goesWith] of CLAIMS)
      await installation.database.query(
        `INSERT INTO claims (company_id, code, number, tier, is_up, since, reason, goes_with, e_value, odds_ratio,
           odds_ratio_low, odds_ratio_high) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, 1, 1, 1)`,
        [own.companyId, code, number, tier, isUp, `${since}T00:00:00Z`, reason, goesWith],
      );
    const { total, claims } = await read<ClaimRecord>('/claims?hints=true');
    expect(total).toBe(4);
    // Mutation: the row before is looked for by date, so that the claim of another code is taken for it.
    expect(claims.map(({ code, number, tier, previousTier }) => [code, number, tier, previousTier])).toEqual([
      ['TA-1', 3, 'none', 'confirmed'],
      ['TA-2', 1, 'directional', null],
      ['TA-1', 2, 'confirmed', 'likely'],
      ['TA-1', 1, 'likely', null],
    ]);
    expect(claims[0]).toMatchObject({ reason: 'goes_with', goesWith: 'TA-2', isMore: null });
    for (const code of ['nothing', '%00', "';%20--"]) {
      expect(await owner.get(below(`/evidence/${code}`))).toMatchObject({ status: 200, body: { weeks: [] } });
      expect(await owner.get(below(`/claims/${code}`))).toMatchObject({ status: 200, body: { total: 0 } });
    }
  });

  it('lists hints where they are asked for, and with what was claimed of one pattern', async () => {
    const { total, hints, claims, standing } = await read<ClaimRecord>('/claims');
    expect([total, hints, claims.map(({ code }) => code)]).toEqual([3, 1, ['TA-1', 'TA-1', 'TA-1']]);
    expect(standing.map(({ code, tier }) => [code, tier])).toEqual([
      ['TA-1', 'none'],
      ['TA-2', 'directional'],
    ]);
    const one = await read<ClaimRecord>('/claims/TA-2');
    expect(one.claims.map(({ code, tier }) => [code, tier])).toEqual([['TA-2', 'directional']]);
  });

  it('says what its keys have used of their month, and spends nothing itself', async () => {
    const readApi = `http://127.0.0.1:${(await installation.start('read-api')).port}/v1`;
    const headers = { Authorization: `Bearer ${own.apiKey}` };
    for (let call = 0; call < 3; call += 1)
      expect((await fetch(`${readApi}/intelligence/drift`, { headers })).status).toBe(200);
    for (let look = 0; look < 5; look += 1) await owner.get(below('/intelligence/drift'));
    // The count is written down when the service ends at the latest.
    await installation.stopServices();
    const { keys, month } = await read<CompanyUsage>('/usage');
    expect(keys).toMatchObject([{ keyId: own.keyId, used: 3, monthlyQuota: 500, earlier: [] }]);
    expect(month).toBe(`${new Date().toISOString().slice(0, 7)}-01`);
  });

  it('changes its name and time zone, and writes down who did', async () => {
    const change = (body: object) => owner.ask('PUT', below('/settings'), body);
    for (const timeZone of ['Mars/Olympus', '+02:00', ''])
      expect(await change({ name: 'A name', timeZone })).toMatchObject({
        ...{ status: 400, body: { error: 'INVALID_PARAMETER', parameter: 'timeZone' } },
      });
    const wanted = { name: 'Another name', timeZone: 'Europe/Berlin' };
    expect(await change(wanted)).toMatchObject({ status: 200, body: wanted });
    expect(await read('/settings')).toEqual(wanted);
    const me = await owner.get('/api/me');
    expect(me.body.companies[0]).toMatchObject(wanted);
    const { acts } = await read<{ acts: AdministrativeAct[] }>('/acts');
    expect(acts[0]).toMatchObject({ action: 'company.change_settings', by: `user ${owner.email}` });
    expect(acts.map(({ action }) => action)).toContain('person.admit');
  });

  it('lists what came in, and deletes a recipient with what was derived', async () => {
    const event = {
      ...{ recipient_id: 'p-1', channel: 'email', sequence_step: 0, outcome: 'unsubscribed' },
      ...{ sent_at: '2026-03-01T09:00:00Z', outcome_at: '2026-03-02T09:00:00Z' },
    };
    const sent = await owner.ask('POST', below('/imports/events'), {
      events: [event, { ...event, recipient_id: 'p-2', outcome: 'responded' }],
    });
    expect(sent.status).toBe(202);
    const { total, batches } = await read<TakenBatches>('/data/batches');
    expect({ total, batches }).toMatchObject({ total: 1, batches: [{ events: 2, failedAttempts: 0 }] });
    expect(await read('/data')).toMatchObject({ newest_event: { outcome_at: '2026-03-02T09:00:00.000Z' } });
    const erase = (keepSuppression: boolean) =>
      owner.ask('POST', below('/erasures'), { recipientId: 'p-1', keepSuppression });
    expect(await erase(true)).toMatchObject({ status: 200, body: { deleted: 1, suppression: 'kept' } });
    const left = await installation.database.query(
      'SELECT recipient_id FROM outcome_events WHERE company_id = $1',
      [own.companyId],
    );
    expect(left).toEqual([{ recipient_id: 'p-2' }]);
  });

  it('gives an account another password, and ends every session but the one that did', async () => {
    const elsewhere = new ConsoleVisitor(origin);
    await elsewhere.signIn(owner);
    const next = 'another password of mine';
    const change = (current: string, wanted = next) =>
      owner.ask('PUT', '/api/account/password', { current, next: wanted });
    expect((await change('not my password')).status).toBe(401);
    expect((await change(owner.password, 'short')).status).toBe(400);
    // Neither has ended anything.
    expect((await elsewhere.get('/api/me')).status).toBe(200);
    const before = owner.cookie;
    expect((await change(owner.password)).status).toBe(200);
    expect(owner.cookie).not.toBe(before);
    expect((await elsewhere.get('/api/me')).status).toBe(401);
    const account = (await owner.get('/api/account')).body as OwnAccount;
    expect(account).toMatchObject({ email: owner.email, hasPassword: true, sessions: [{ isThis: true }] });
    expect((await elsewhere.signIn(owner)).status).toBe(401);
    expect((await elsewhere.signIn({ ...owner, password: next })).status).toBe(201);
    await waitUntil('both sessions to be listed', async () => {
      const { sessions } = (await owner.get('/api/account')).body as OwnAccount;
      return sessions.length === 2 && sessions.filter(({ isThis }) => isThis).length === 1;
    });
    const [logged] = await installation.database.query(
      `SELECT actor_type, subject FROM administration_log WHERE action = 'person.change_password'`,
    );
    expect(logged).toMatchObject({ actor_type: 'user' });
  });
});
