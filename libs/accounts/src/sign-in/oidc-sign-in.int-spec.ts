import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { accountsFixture, refusalOf, type AccountsFixture } from '../../test/accounts-fixture';
import { OidcSignIn, People, Sessions, type InvitedUser } from '..';

const REDIRECT = 'http://localhost:3000/api/oidc/callback';

describe('sign-in at an OpenID Connect provider', () => {
  let provider: ChildProcess;
  let fixture: AccountsFixture;
  let [signIn, sessions, people] = [] as unknown as [OidcSignIn, Sessions, People];
  let companyId: string;

  beforeAll(async () => {
    provider = spawn(process.execPath, [join(__dirname, '../../test/identity-provider.mjs'), REDIRECT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(provider.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    fixture = await accountsFixture({
      issuer: new URL(`http://localhost:${port.toString().trim()}`),
      ...{ clientId: 'console', clientSecret: 'a client secret', redirectUri: new URL(REDIRECT) },
    });
    const of = <T>(type: new (...given: never[]) => T) => fixture.console.get(type, { strict: false });
    [signIn, sessions, people] = [of(OidcSignIn), of(Sessions), of(People)];
    companyId = await fixture.newCompany();
  });
  afterAll(async () => {
    provider.kill();
    await fixture.stop();
  });

  /** What a browser does: follows the provider until it is sent back. @returns the query that it comes back with */
  const throughProvider = async (location: URL, subject: string): Promise<string> => {
    const cookies = new Map<string, string>();
    location.searchParams.set('login_hint', subject);
    for (let at = location; ;) {
      if (at.href.startsWith(REDIRECT)) return at.search;
      const answer = await fetch(at, {
        redirect: 'manual',
        headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
      at = new URL(answer.headers.get('location') ?? 'missing:', at);
    }
  };
  const invite = (email: string) => people.invite(mintTenantScope(companyId), 'owner', email, 'member');
  const arrived = async (subject: string, invitation?: string) => {
    const { location, cookie } = await signIn.begin(invitation);
    return { cookie, query: await throughProvider(location, subject) };
  };

  it('lets in who was invited at a verified address, and finds the account again by its subject', async () => {
    const { token } = await invite('ada@example.com');
    const { query, cookie } = await arrived('ada', token);
    const session = await sessions.find(await signIn.finish(query, cookie));
    expect(session).toMatchObject({ email: 'ada@example.com', memberships: [{ companyId, role: 'member' }] });
    const again = await arrived('ada');
    expect(await sessions.find(await signIn.finish(again.query, again.cookie))).toMatchObject({
      userId: session?.userId,
    });
  });

  it.each([
    ['a stranger', 'stranger', undefined],
    ['an invitation of another address', 'other', 'bob@example.com'],
    ['an address that the provider has not verified', 'carol unverified', 'carol@example.com'],
    ['an address that the provider fails to tell', 'mia untold', 'mia@example.com'],
  ])('refuses %s', async (_what, subject, invited) => {
    const token = invited === undefined ? undefined : (await invite(invited)).token;
    const { query, cookie } = await arrived(subject, token);
    expect(await refusalOf(signIn.finish(query, cookie))).toBe(
      subject === 'other' ? 'INVITATION_NOT_FOUND' : 'IDENTITY_REFUSED',
    );
  });

  it('gives nobody the account of an address: another subject with it is another person', async () => {
    const { email } = await fixture.newUser(companyId, { email: 'dora@example.com' });
    const { query, cookie } = await arrived('dora');
    // Mutation: accounts are found by address, and whoever gets it at the provider gets them.
    expect(await refusalOf(signIn.finish(query, cookie))).toBe('IDENTITY_REFUSED');
    expect(email).toBe('dora@example.com');
  });

  describe('takes an invitation for an account', () => {
    const finished = async (subject: string, invitation?: string) => {
      const { query, cookie } = await arrived(subject, invitation);
      return sessions.find(await signIn.finish(query, cookie));
    };
    const refused = async (subject: string, invitation?: string) => {
      const { query, cookie } = await arrived(subject, invitation);
      return refusalOf(signIn.finish(query, cookie));
    };
    const operator = { by: { type: 'operator', id: 'ada' } } as const;
    const invitedBy = (user: InvitedUser, company = companyId) =>
      fixture.administration.inviteUser(mintTenantScope(company), user, operator);
    const linksOf = (userId = '') =>
      fixture.database.query(
        `SELECT actor_id AS by, details FROM administration_log
         WHERE action = 'person.link_identity' AND subject = $1 ORDER BY entry_no`,
        [userId],
      );

    it('that an operator sent to the first owner', async () => {
      const company = await fixture.newCompany();
      const { token, ...sent } = await invitedBy({ email: 'Fay@example.com' }, company);
      expect(sent).toMatchObject({ email: 'fay@example.com', role: 'owner' });
      expect(await finished('fay', token)).toMatchObject({
        memberships: [{ companyId: company, role: 'owner' }],
      });
      const logged = await fixture.database.query(
        `SELECT action, actor_type || ' ' || actor_id AS by, details FROM administration_log
         WHERE company_id = $1 ORDER BY entry_no`,
        [company],
      );
      expect(logged).toMatchObject([
        { action: 'person.invite', by: 'operator ada', details: { role: 'owner' } },
        { action: 'person.join', details: { role: 'owner' } },
      ]);
    });

    it('that was made here before, with its role, and ends what it was signed in by', async () => {
      const user = await fixture.newUser(companyId, { email: 'gil@example.com', role: 'member' });
      const earlier = await sessions.start({ userId: user.userId });
      expect(await refused('gil')).toBe('IDENTITY_REFUSED');
      const { token, role } = await invitedBy({ email: user.email });
      expect(role).toBe('member');
      expect(await refused('gil unverified', token)).toBe('IDENTITY_REFUSED');
      expect(await finished('gil', token)).toMatchObject({
        userId: user.userId,
        memberships: [{ companyId, role: 'member' }],
      });
      expect(await sessions.find(earlier)).toBeUndefined();
      const stored = await fixture.database.query('SELECT password, subject FROM users WHERE user_id = $1', [
        user.userId,
      ]);
      expect(stored).toEqual([{ password: null, subject: 'gil' }]);
      expect(await linksOf(user.userId)).toEqual([{ by: user.userId, details: { replaced: false } }]);
      expect(await finished('gil')).toMatchObject({ userId: user.userId });
    });

    it('of another identity only where the operator said so', async () => {
      const hal = await finished('hal', (await invite('hal@example.com')).token);
      const elsewhere = await fixture.newCompany();
      const { token } = await people.invite(mintTenantScope(elsewhere), 'owner', 'hal@example.com', 'owner');
      // Mutation: whoever gets the address at the provider gets the account with any invitation.
      expect(await refused('hal second', token)).toBe('ACCOUNT_EXISTS');
      expect(await refusalOf(invitedBy({ email: 'hal@example.com' }))).toBe('ALREADY_MEMBER');
      const relinking = await invitedBy({ email: 'hal@example.com', relinks: true });
      expect(await finished('hal second', relinking.token)).toMatchObject({ userId: hal?.userId });
      expect(await linksOf(hal?.userId)).toEqual([{ by: hal?.userId, details: { replaced: true } }]);
      expect(await refused('hal')).toBe('IDENTITY_REFUSED');
      // It was refused and not used: whom the account belongs to now takes it.
      expect(await finished('hal second', token)).toMatchObject({
        memberships: [
          { companyId, role: 'member' },
          { companyId: elsewhere, role: 'owner' },
        ],
      });
    });

    it('that the provider knows already, if the address is its own', async () => {
      const ida = await finished('ida', (await invite('ida@example.com')).token);
      const elsewhere = await fixture.newCompany();
      const send = (email: string) =>
        people.invite(mintTenantScope(elsewhere), 'owner', email, 'organization_admin');
      const { token: foreign } = await send('somebody@example.com');
      expect(await refused('ida', foreign)).toBe('INVITATION_NOT_FOUND');
      const { token } = await send('ida@example.com');
      // Mutation: an invitation is read for new users alone, and dropped without a word.
      expect(await finished('ida', token)).toMatchObject({
        userId: ida?.userId,
        memberships: [{ companyId }, { companyId: elsewhere, role: 'organization_admin' }],
      });
      expect(await refused('ida', token)).toBe('INVITATION_NOT_FOUND');
    });

    it('of nobody by an invitation that would change nothing', async () => {
      const { email } = await fixture.newUser(companyId, { role: 'member' });
      expect(await refusalOf(invitedBy({ email, role: 'owner' }))).toBe('ALREADY_MEMBER');
      expect(await refusalOf(invitedBy({ email, role: 'member' }))).toBeUndefined();
      expect(await refusalOf(invitedBy({ email: 'new@example.com' }, randomUUID()))).toBe(
        'COMPANY_NOT_FOUND',
      );
    });
  });

  describe('knows when the provider authenticated the person', () => {
    const inTurn = (work: () => unknown) => Promise.resolve().then(work);
    beforeAll(async () => {
      const { query, cookie } = await arrived('kim', (await invite('kim@example.com')).token);
      await signIn.finish(query, cookie);
    });

    /** @param change - what is done in the browser to the address that it is sent to */
    const again = async (hint: string, isSignedIn: boolean, change: (asked: URLSearchParams) => void) => {
      const { location, cookie } = await signIn.begin(undefined, isSignedIn);
      change(location.searchParams);
      const query = await throughProvider(location, hint);
      const session = await sessions.find(await signIn.finish(query, cookie));
      if (!session) throw new Error('nobody is signed in');
      return refusalOf(inTurn(() => sessions.requireRecent(session)));
    };
    const asIs = () => undefined;
    const withoutAge = (asked: URLSearchParams) => asked.delete('max_age');
    const withAge = (asked: URLSearchParams) => asked.set('max_age', '604800');

    it('and takes one that it remembers for no recent sign-in', async () => {
      expect(await again('kim', false, asIs)).toBeUndefined();
      // Mutation: a session is as new as the answer, and signing out and in again is a recent sign-in.
      expect(await again('kim since 3600', false, asIs)).toBe('RECENT_SIGN_IN_REQUIRED');
      expect(await again('kim', false, withoutAge)).toBe('RECENT_SIGN_IN_REQUIRED');
    });

    it('and wants a new one of whoever is signed in, whatever the browser makes of the request', async () => {
      expect(await again('kim', true, asIs)).toBeUndefined();
      expect(await refusalOf(again('kim since 3600', true, withAge))).toBe('IDENTITY_REFUSED');
      expect(await refusalOf(again('kim', true, withoutAge))).toBe('IDENTITY_REFUSED');
    });

    it('and believes none that is older than a session lasts', async () => {
      const older = (asked: URLSearchParams) => asked.set('max_age', '9000000');
      expect(await refusalOf(again('kim since 700000', false, older))).toBe('IDENTITY_REFUSED');
    });
  });

  describe('refuses an answer', () => {
    beforeAll(async () => {
      const { query, cookie } = await arrived('eve', (await invite('eve@example.com')).token);
      await signIn.finish(query, cookie);
    });

    it('to another nonce than was asked with', async () => {
      const { query, cookie } = await arrived('eve');
      await fixture.database.query(`UPDATE sign_in_attempts SET nonce = 'another nonce'`);
      expect(await refusalOf(signIn.finish(query, cookie))).toBe('IDENTITY_REFUSED');
    });

    it('that another browser got', async () => {
      const [mine, theirs] = [await arrived('eve'), await arrived('eve')];
      expect(await refusalOf(signIn.finish(theirs.query, mine.cookie))).toBe('IDENTITY_REFUSED');
      expect(await refusalOf(signIn.finish(theirs.query, undefined))).toBe('IDENTITY_REFUSED');
    });

    it('a second time, and a code that was used in a new attempt', async () => {
      const { query, cookie } = await arrived('eve');
      expect(await refusalOf(signIn.finish(query, cookie))).toBeUndefined();
      expect(await refusalOf(signIn.finish(query, cookie))).toBe('IDENTITY_REFUSED');
      const next = await arrived('eve');
      const [used, fresh] = [new URLSearchParams(query), new URLSearchParams(next.query)];
      fresh.set('code', used.get('code') ?? '');
      expect(await refusalOf(signIn.finish(`?${fresh.toString()}`, next.cookie))).toBe('IDENTITY_REFUSED');
    });

    it('that is right, in an attempt that was refused before', async () => {
      const { query, cookie } = await arrived('eve');
      const wrong = new URLSearchParams(query);
      wrong.set('state', 'another');
      expect(await refusalOf(signIn.finish(`?${wrong.toString()}`, cookie))).toBe('IDENTITY_REFUSED');
      // Mutation: attempts stay after they were presented. The provider has not seen this code yet.
      expect(await refusalOf(signIn.finish(query, cookie))).toBe('IDENTITY_REFUSED');
    });

    it('that comes after ten minutes', async () => {
      const { query, cookie } = await arrived('eve');
      fixture.clock.advance(600_001);
      expect(await refusalOf(signIn.finish(query, cookie))).toBe('IDENTITY_REFUSED');
    });
  });
});
