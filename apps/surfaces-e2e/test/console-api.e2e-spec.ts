import { randomUUID } from 'node:crypto';
import { ANSWERED_BY, type AnsweredName } from '@outcomes/read-model';
import { questionNamed } from '@outcomes/contracts';
import { redisContents, waitUntil, type Tenant } from '@outcomes/testing';
import { plantCanaries } from './canaries';
import { ConsoleVisitor, signedIn, startConsole } from './console-visitor';
import { Installation } from './installation';

const ANSWERS = (Object.keys(ANSWERED_BY) as AnsweredName[]).flatMap((name) =>
  questionNamed(name).rest.map(({ path }) => path.replaceAll(/\{\w+\}/g, 'OwnCanary_campaign_1')),
);
const READS = [
  ...ANSWERS,
  '/patterns',
  '/patterns/contact-insights',
  '/patterns/recipients',
  '/patterns/chunks',
];
/** What the read API has no address for. */
const OWN_READS = [
  '/claims',
  '/claims?hints=true',
  '/claims/TA-1',
  '/evidence/TA-1',
  '/daily',
  '/backtest',
].concat(['/data', '/data/batches']);
/** What a decision was made from, and whether it comes out again. */
const OF_A_DECISION = ['frozen', 'replay'];
const GUARDED = [
  ['POST', '/imports/events', { events: [] }],
  ['GET', '/imports/status'],
  ['POST', '/erasures', { recipientId: 'nobody', keepSuppression: true }],
  ['GET', '/usage'],
  ['GET', '/acts'],
  ['GET', '/settings'],
  ['PUT', '/settings', { name: 'Renamed', timeZone: 'UTC' }],
  ['GET', '/keys'],
  ['POST', '/keys', { name: 'mine' }],
  ['DELETE', '/keys/0123456789abcdef'],
  ['GET', '/people'],
  ['POST', '/people', { email: 'friend@example.com', role: 'member' }],
  ['PUT', `/people/${randomUUID()}`, { role: 'member' }],
  ['DELETE', `/people/${randomUUID()}`],
  ['DELETE', `/people/invitations/${randomUUID()}`],
] as const;

describe('the API of the console', () => {
  let installation: Installation;
  let [origin, readApi] = ['', ''];
  let [own, other] = [] as unknown as [Tenant, Tenant];
  let owner: Awaited<ReturnType<typeof signedIn>>;
  let ownReads: readonly string[] = [];

  /** Addresses below a company, of a decision of one. */
  const ofDecision = async ({ companyId }: Tenant) => {
    const [decision] = await installation.database.query<{ id: string }>(
      'SELECT decision_id AS id FROM workflow_decisions WHERE company_id = $1 LIMIT 1',
      [companyId],
    );
    return OF_A_DECISION.map((part) => `/decisions/${decision?.id}/${part}`);
  };

  beforeAll(async () => {
    installation = await Installation.create();
    [own, other] = [
      await installation.addTenant({ name: 'Own' }),
      await installation.addTenant({ name: 'Other' }),
    ];
    await plantCanaries(installation.database, own.companyId, 'OwnCanary', other.companyId);
    await plantCanaries(installation.database, other.companyId, 'OtherCanary', own.companyId);
    // Keys of the canaries are expired; those that a test makes are to be the only active ones.
    await installation.database.query(`UPDATE api_keys SET revoked_at = now() WHERE key_id LIKE '%Canary%'`);
    origin = await startConsole(installation);
    readApi = `http://127.0.0.1:${(await installation.start('read-api')).port}/v1`;
    owner = await signedIn(installation, origin, own.companyId, 'owner');
    ownReads = [...OWN_READS, ...(await ofDecision(own))];
  }, 120_000);
  afterAll(() => installation.stop());

  const below = (path: string, companyId = own.companyId) => `/api/c/${companyId}${path}`;
  const fresh = (role: string) => signedIn(installation, origin, own.companyId, role);

  it('gives a cookie that scripts, other hosts and other sites do not get', async () => {
    const answer = await new ConsoleVisitor(origin).signIn(owner);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; Max-Age=604800; Secure; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('lets nobody in who is not signed in', async () => {
    const stranger = new ConsoleVisitor(origin);
    stranger.cookie = `__Host-session=${'x'.repeat(43)}`;
    for (const path of [
      '/api/me',
      '/api/account',
      ...[...READS, ...ownReads, '/keys'].map((path) => below(path)),
    ]) {
      expect({ path, ...(await stranger.get(path)) }).toMatchObject({
        path,
        status: 401,
        body: { error: 'NOT_SIGNED_IN' },
      });
    }
  });

  it('answers what the read API answers', async () => {
    const headers = { Authorization: `Bearer ${own.apiKey}` };
    const plain = (said: object) => ({ ...said, as_of: '', timestamp: '', requestId: '' });
    for (const path of READS) {
      const served = await fetch(`${readApi}${path}`, { headers });
      const said = (await served.json()) as { data?: object };
      const { status, body } = await owner.get(below(path));
      expect([path, status]).toEqual([path, served.status]);
      expect([path, plain(body as object)]).toEqual([path, plain(said.data ?? said)]);
    }
  });

  it('takes changes from its own pages alone', async () => {
    const body = { name: 'planted by another page' };
    const places: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: '' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
    ];
    for (const place of places) {
      const { status, body: said } = await owner.ask('POST', below('/keys'), body, place);
      expect([place, status, said.error]).toEqual([place, 403, 'CROSS_SITE_REQUEST']);
    }
    // What a form of another site can send without being asked.
    const form = await owner.ask('POST', below('/keys'), body, { 'Content-Type': 'text/plain' });
    expect(form.status).toBe(415);
    const { body: listed } = await owner.get(below('/keys'));
    expect(JSON.stringify(listed)).not.toContain('planted by another page');
  });

  it('refuses a member what is for owners and organization admins, and says who holds it', async () => {
    const [member, admin] = [await fresh('member'), await fresh('organization_admin')];
    for (const [method, path, body] of GUARDED) {
      const answer = await member.ask(method, below(path), body);
      expect({ method, path, ...answer }).toMatchObject({
        ...{ method, path, status: 403 },
        body: { error: 'MISSING_PERMISSION', holders: ['owner', 'organization_admin'] },
      });
      expect((await admin.ask(method, below(path), body)).status).not.toBe(403);
    }
    for (const path of ['/intelligence/drift', ...ownReads])
      expect([path, (await member.get(below(path))).status]).toEqual([path, 200]);
  });

  it('says nothing of another company, and the same as of one that there is not', async () => {
    const nobody = randomUUID();
    const reads = [...READS, ...ownReads].map((read) => ['GET', read] as const);
    for (const [method, path, body] of [...reads, ...GUARDED]) {
      const foreign = await owner.ask(method, below(path, other.companyId), body);
      const missing = await owner.ask(method, below(path, nobody), body);
      expect({ path, status: foreign.status }).toEqual({ path, status: 404 });
      expect(foreign.text).not.toContain('OtherCanary');
      const plain = ({ body: said }: typeof foreign) => ({ ...said, requestId: '', timestamp: '' });
      expect(plain(foreign)).toEqual(plain(missing));
    }
    // Mutation: a decision is found by its id alone.
    for (const path of await ofDecision(other)) {
      const foreign = await owner.get(below(path));
      expect([path, foreign.status, foreign.body.error]).toEqual([path, 404, 'DECISION_NOT_FOUND']);
      expect(foreign.text).not.toContain('OtherCanary');
    }
    const { body } = await owner.get('/api/me');
    expect(body.companies.map(({ companyId }: { companyId: string }) => companyId)).toEqual([own.companyId]);
  });

  describe('keys', () => {
    const use = (apiKey: string) =>
      fetch(`${readApi}/health`, { headers: { Authorization: `Bearer ${apiKey}` } });

    it('are made, shown once, used, and refused within a second after they were revoked', async () => {
      const before = (await owner.get(below('/keys'))).body;
      expect(before).toMatchObject({ tenantId: own.companyId, mostActiveKeys: 3 });
      const made = await owner.ask('POST', below('/keys'), { name: 'my agent', purpose: 'agent' });
      expect(made).toMatchObject({ status: 201, body: { apiKey: expect.stringMatching(/^svc_/) } });
      const { apiKey, keyId } = made.body as Record<'apiKey' | 'keyId', string>;
      expect((await use(apiKey)).status).toBe(200);
      const listed = await owner.get(below('/keys'));
      expect(listed.body.keys[0]).toMatchObject({
        keyId,
        name: 'my agent',
        purpose: 'agent',
        state: 'active',
      });
      expect(listed.text).not.toContain(apiKey.slice(20, 52));
      const revoked = performance.now();
      expect((await owner.ask('DELETE', below(`/keys/${keyId}`))).status).toBe(200);
      await waitUntil('the key to be refused', async () => (await use(apiKey)).status === 401, 1_000);
      expect(performance.now() - revoked).toBeLessThan(1_000);
    });

    it('are three at most, and only of the own company', async () => {
      const company = await installation.addTenant({ name: 'Three' });
      const visitor = await signedIn(installation, origin, company.companyId, 'owner');
      const create = () => visitor.ask('POST', below('/keys', company.companyId), { name: 'one more' });
      const statuses = [(await create()).status, (await create()).status, (await create()).status];
      expect(statuses).toEqual([201, 201, 409]);
      // Mutation: a key is found by its id alone, and anybody revokes anybody's.
      const foreign = await visitor.ask('DELETE', below(`/keys/${own.keyId}`, company.companyId));
      expect(foreign).toMatchObject({ status: 404, body: { error: 'KEY_NOT_FOUND' } });
      expect((await use(own.apiKey)).status).toBe(200);
    });

    it('want a sign-in of the last quarter of an hour', async () => {
      const admin = await fresh('organization_admin').catch(() => undefined);
      const visitor = admin ?? owner;
      await installation.database.query(
        `UPDATE user_sessions SET signed_in_at = signed_in_at - interval '16 minutes'`,
      );
      for (const [method, path, body] of GUARDED.filter(
        ([method, path]) => /^\/(keys|erasures)/.test(path) && method !== 'GET',
      )) {
        expect(await visitor.ask(method, below(path), body)).toMatchObject({
          ...{ status: 403, body: { error: 'RECENT_SIGN_IN_REQUIRED' } },
        });
      }
      expect((await visitor.get(below('/keys'))).status).toBe(200);
      await owner.signIn(owner);
    });
  });

  it('lets nobody give a role that does more than read by a session that was left open', async () => {
    const company = await installation.addTenant({ name: 'Left open' });
    const visitor = await signedIn(installation, origin, company.companyId, 'owner');
    const people = below('/people', company.companyId);
    const invited = (role: string) => visitor.ask('POST', people, { email: `${role}@example.com`, role });
    expect((await invited('owner')).status).toBe(201);
    await installation.database.query(
      `UPDATE user_sessions SET signed_in_at = signed_in_at - interval '16 minutes' WHERE user_id =
         (SELECT user_id FROM users WHERE email = $1)`,
      [visitor.email],
    );
    const tooOld = { status: 403, body: { error: 'RECENT_SIGN_IN_REQUIRED' } };
    const changed = (role: string) => visitor.ask('PUT', `${people}/${randomUUID()}`, { role });
    for (const role of ['owner', 'organization_admin']) {
      // Mutation: whoever finds a browser lets himself in, and signs in anew.
      expect(await invited(role)).toMatchObject(tooOld);
      expect(await changed(role)).toMatchObject(tooOld);
    }
    expect((await invited('member')).status).toBe(201);
    expect((await changed('member')).body.error).toBe('PERSON_NOT_FOUND');
  });

  it('keeps nothing under a cookie that was planted, and ends a session when told', async () => {
    const visitor = new ConsoleVisitor(origin);
    visitor.cookie = owner.cookie;
    const planted = visitor.cookie;
    await visitor.signIn(owner);
    expect(visitor.cookie).not.toBe(planted);
    expect((await owner.get('/api/me')).status).toBe(401);
    const { cookie } = visitor;
    await visitor.ask('DELETE', '/api/session');
    visitor.cookie = cookie;
    expect((await visitor.get('/api/me')).status).toBe(401);
    owner.cookie = undefined;
    await owner.signIn(owner);
  });

  it('opens an invitation once, for a person who then enters with its role', async () => {
    const invited = await owner.ask('POST', below('/people'), { email: 'new@example.com', role: 'member' });
    const { token } = invited.body as { token: string };
    const [guest, thief] = [new ConsoleVisitor(origin), new ConsoleVisitor(origin)];
    const accept = { token, password: 'a password of mine' };
    expect((await guest.ask('POST', '/api/invitations/accept', accept)).status).toBe(200);
    expect((await thief.ask('POST', '/api/invitations/accept', accept)).status).toBe(404);
    expect((await guest.get('/api/me')).body).toMatchObject({
      ...{ user: { email: 'new@example.com' }, companies: [{ companyId: own.companyId, role: 'member' }] },
    });
    expect((await guest.get(below('/keys'))).status).toBe(403);
  });

  it('says with every answer what a browser may do with it', async () => {
    const page = await owner.get('/c/anything');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? '';
    for (const path of ['/', '/c/x/findings', script, '/api/me', '/api/nothing', '/assets/nothing.js']) {
      const { headers, status } = await owner.get(path);
      expect([path, status]).toEqual([path, path.includes('nothing') ? 404 : 200]);
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"])
        expect(policy).toContain(rule);
      expect(policy).not.toMatch(/unsafe|data:|https?:|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      if (path.startsWith('/api/')) expect(headers.get('cache-control')).toBe('no-store');
    }
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|<style|style=/);
  });

  it('reads on while Redis is away', async () => {
    const alone = await startConsole(installation, { REDIS_URL: 'redis://127.0.0.1:1' });
    const visitor = new ConsoleVisitor(alone);
    // Signed in elsewhere, so that nothing but reading can wait.
    visitor.cookie = owner.cookie;
    expect((await visitor.get(below('/intelligence/drift'))).status).toBe(200);
    for (const path of [...READS, ...ownReads]) {
      const [there, here] = [await visitor.get(below(path)), await owner.get(below(path))];
      expect([path, there.status]).toEqual([path, here.status]);
    }
    visitor.cookie = undefined;
    expect((await visitor.signIn(owner)).status).toBe(201);
    expect((await visitor.get(below('/intelligence/bandit'))).status).toBe(200);
  });

  it('writes no password, cookie, key or invitation into logs or Redis', async () => {
    const { body } = await owner.ask('POST', below('/people'), {
      email: 'secret@example.com',
      role: 'member',
    });
    const texts = [installation.output(), await redisContents(installation.redisPrefix)].join('\n');
    const cookie = owner.cookie?.split('=')[1] ?? 'none';
    for (const secret of [
      owner.password,
      cookie,
      body.token as string,
      'a password of mine',
      'secret@example.com',
    ])
      expect(texts).not.toContain(secret);
  });
});
