import { randomBytes } from 'node:crypto';
import { waitUntil } from '@outcomes/testing';
import { ConsoleVisitor, signedIn, startConsole } from './console-visitor';
import { Installation } from './installation';

const LIMIT = 12;

describe('the window of an address at the console', () => {
  let installation: Installation;
  let origin: string;
  let companyId: string;

  beforeAll(async () => {
    installation = await Installation.create();
  }, 120_000);
  beforeEach(async () => {
    ({ companyId } = await installation.addTenant());
    // Windows are shared through Redis, and each test has the one of this address to itself.
    origin = await startConsole(installation, {
      ADDRESS_BURST_LIMIT: String(LIMIT),
      REDIS_PREFIX: `${installation.redisPrefix}-${randomBytes(4).toString('hex')}`,
    });
  }, 60_000);
  afterAll(() => installation.stop());

  const withMadeUpCookie = () => {
    const stranger = new ConsoleVisitor(origin);
    stranger.cookie = `__Host-session=${randomBytes(32).toString('base64url')}`;
    return stranger.get('/api/me');
  };

  it('bounds how often made-up cookies are looked up, and keeps no session out', async () => {
    const [known, moved] = [
      await signedIn(installation, origin, companyId, 'owner'),
      await signedIn(installation, origin, companyId, 'member'),
    ];
    expect((await known.get('/api/me')).status).toBe(200);
    const refused = async () => (await withMadeUpCookie()).status === 429;
    await waitUntil('the window to be used up', refused);
    const { database } = installation;
    await database.query('BEGIN');
    await database.query('LOCK TABLE user_sessions IN ACCESS EXCLUSIVE MODE');
    // Whatever is looked up now waits for the table.
    const waiting = new Set(Array.from({ length: 2 * LIMIT }, () => withMadeUpCookie()));
    const answers: Awaited<ReturnType<typeof withMadeUpCookie>>[] = [];
    for (const answer of waiting)
      void answer.then((said) => {
        answers.push(said);
        waiting.delete(answer);
      });
    // Mutation: the cookie is looked up before the address is asked about, and all of them wait.
    await waitUntil('the others to be refused', () => answers.length >= LIMIT);
    await database.query('COMMIT');
    await Promise.all(waiting);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    for (const { headers } of answers) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await known.get('/api/me')).status).toBe(200);
    // Never seen at this console since it started, were it another pod.
    await waitUntil('it to be looked up', async () => (await moved.get('/api/me')).status === 200);
  });

  it('is used up by attempts to sign in and to open invitations, with a session too', async () => {
    const member = await signedIn(installation, origin, companyId, 'member');
    const tried: number[] = [];
    for (let n = 0; n < 2 * LIMIT; n += 1) {
      const token = randomBytes(32).toString('base64url');
      tried.push((await member.ask('POST', '/api/invitations/read', { token })).status);
    }
    // Mutation: a session buys as many attempts as its owner likes.
    expect(tried.filter((status) => status === 404).length).toBeLessThanOrEqual(LIMIT);
    const refused = await member.signIn({ email: 'somebody@example.com', password: 'a password to try' });
    expect(refused).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Whoever is signed in reads on, and can sign out.
    expect((await member.get('/api/me')).status).toBe(200);
    expect((await member.ask('DELETE', '/api/session')).status).toBe(200);
    expect((await member.get('/api/me')).status).toBe(429);
  });
});
