import { randomUUID } from 'node:crypto';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { databaseContents } from '@outcomes/testing';
import { accountsFixture, refusalOf, type AccountsFixture } from '../test/accounts-fixture';
import { Invitations, LocalSignIn, People, Sessions } from '.';

const HOUR_MS = 3_600_000;
const IP = '192.0.2.1';
const PASSWORD = 'correct horse battery';

/** What throws at once, as a promise. */
const inTurn = (work: () => unknown) => Promise.resolve().then(work);

describe('accounts', () => {
  let fixture: AccountsFixture;
  let [signIn, sessions, people, invitations] = [] as unknown as [LocalSignIn, Sessions, People, Invitations];
  let companyId: string;

  beforeAll(async () => {
    fixture = await accountsFixture();
    const of = <T>(type: new (...given: never[]) => T) => fixture.console.get(type, { strict: false });
    [signIn, sessions, people, invitations] = [of(LocalSignIn), of(Sessions), of(People), of(Invitations)];
    companyId = await fixture.newCompany();
  });
  afterAll(() => fixture.stop());

  const entered = async (user: { email: string; password: string }, earlier?: string) => {
    const cookie = await signIn.signIn(user, IP, earlier);
    return { cookie, session: await sessions.find(cookie) };
  };

  describe('sign-in', () => {
    it('takes the right password, in whatever case the address is written, and no other', async () => {
      const user = await fixture.newUser(companyId);
      const { session } = await entered({ ...user, email: ` ${user.email.toUpperCase()}` });
      expect(session).toMatchObject({ email: user.email, memberships: [{ companyId, role: 'owner' }] });
      for (const wrong of ['', 'x', `${user.password}x`, 'x'.repeat(300)])
        expect(await refusalOf(signIn.signIn({ ...user, password: wrong }, IP))).toBe('SIGN_IN_FAILED');
    });

    it('says the same of an account that there is not, and hashes as much', async () => {
      const derived = jest.spyOn(fixture.console.get(LocalSignIn, { strict: false })['passwords'], 'verify');
      expect(await refusalOf(signIn.signIn({ email: 'nobody@example.com', password: PASSWORD }, IP))).toBe(
        'SIGN_IN_FAILED',
      );
      // Mutation: the answer comes before the hash, and its time tells who has an account.
      expect(derived).toHaveBeenCalledTimes(1);
    });

    it('refuses the eleventh attempt in an hour, the right one too, from that address alone', async () => {
      const user = await fixture.newUser(companyId);
      const wrong = { ...user, password: 'not the password' };
      const refusals = await Promise.all(
        Array.from({ length: 12 }, () => refusalOf(signIn.signIn(wrong, IP))),
      );
      expect(refusals.filter((code) => code === 'TOO_MANY_FAILED_ATTEMPTS')).toHaveLength(2);
      expect(await refusalOf(signIn.signIn(user, IP))).toBe('TOO_MANY_FAILED_ATTEMPTS');
      expect(await refusalOf(signIn.signIn(user, '192.0.2.2'))).toBeUndefined();
    });

    it('takes the count away with a success', async () => {
      const user = await fixture.newUser(companyId);
      for (let round = 0; round < 2; round += 1) {
        for (let n = 0; n < 7; n += 1)
          await refusalOf(signIn.signIn({ ...user, password: 'not it at all' }, IP));
        expect(await refusalOf(signIn.signIn(user, IP))).toBeUndefined();
      }
    });
  });

  describe('a session', () => {
    it('ends the one that the browser presented, so that a cookie somebody planted is worth nothing', async () => {
      const user = await fixture.newUser(companyId);
      const planted = (await entered(await fixture.newUser(companyId))).cookie;
      const { cookie } = await entered(user, planted);
      expect(cookie).not.toBe(planted);
      expect(await sessions.find(planted)).toBeUndefined();
    });

    it('ends after twelve idle hours, and after seven days however busy', async () => {
      const user = await fixture.newUser(companyId);
      const idle = (await entered(user)).cookie;
      fixture.clock.advance(11.9 * HOUR_MS);
      expect(await sessions.find(idle)).toBeDefined();
      fixture.clock.advance(11.9 * HOUR_MS);
      expect(await sessions.find(idle)).toBeDefined();
      fixture.clock.advance(12.1 * HOUR_MS);
      expect(await sessions.find(idle)).toBeUndefined();
      const busy = (await entered(user)).cookie;
      const found: boolean[] = [];
      for (let at = 0; at < 15; at += 1) {
        fixture.clock.advance(11.9 * HOUR_MS);
        found.push((await sessions.find(busy)) !== undefined);
      }
      expect(found).toEqual([...Array<boolean>(14).fill(true), false]);
    });

    it('knows when the visit before was, however often somebody signs in during this one', async () => {
      const user = await fixture.newUser(companyId);
      const first = await entered(user);
      expect(first.session?.previousVisitAt).toBeNull();
      fixture.clock.advance(2 * HOUR_MS);
      expect((await sessions.find(first.cookie))?.previousVisitAt).toBeNull();
      const lastSeen = fixture.clock.now();
      // The clock goes on meanwhile.
      const secondsSince = (seen: Date, { session }: Awaited<ReturnType<typeof entered>>) =>
        Math.abs(Number(session?.previousVisitAt?.getTime()) - seen.getTime()) / 1_000;
      await sessions.end(first.cookie);
      fixture.clock.advance(6.1 * HOUR_MS);
      const second = await entered(user);
      expect(secondsSince(lastSeen, second)).toBeLessThan(5);
      fixture.clock.advance(HOUR_MS);
      expect(secondsSince(lastSeen, await entered(user, second.cookie))).toBeLessThan(5);
      const stayed = await entered(user);
      const seenAgain = fixture.clock.now();
      fixture.clock.advance(11 * HOUR_MS);
      const session = await sessions.find(stayed.cookie);
      expect(secondsSince(seenAgain, { ...stayed, session })).toBeLessThan(5);
    });

    it('ends when somebody signs out, is signed out everywhere, or loses the password', async () => {
      const user = await fixture.newUser(companyId);
      const [one, two, three] = [await entered(user), await entered(user), await entered(user)];
      await sessions.end(one.cookie);
      expect(await sessions.find(one.cookie)).toBeUndefined();
      expect(await sessions.find(two.cookie)).toBeDefined();
      await sessions.endAll(user.userId);
      expect([await sessions.find(two.cookie), await sessions.find(three.cookie)]).toEqual([
        undefined,
        undefined,
      ]);
      const { cookie } = await entered(user);
      const { password } = await fixture.administration.resetPassword(user.email);
      expect(await sessions.find(cookie)).toBeUndefined();
      expect(await refusalOf(signIn.signIn(user, IP))).toBe('SIGN_IN_FAILED');
      expect((await entered({ ...user, password })).session).toBeDefined();
    });

    it('enters its own companies with the role of this very request, and no other', async () => {
      const owner = await fixture.newUser(companyId);
      const user = await fixture.newUser(companyId, { role: 'member' });
      const { cookie } = await entered(user);
      const enter = async (permission: 'read' | 'manage_billing', company = companyId) => {
        const session = await sessions.find(cookie);
        return refusalOf(
          inTurn(() => sessions.enter(session as NonNullable<typeof session>, company, permission)),
        );
      };
      expect(await enter('read')).toBeUndefined();
      expect(await enter('manage_billing')).toBe('MISSING_PERMISSION');
      // Mutation: one answer for what is another's and one for what is not, and companies can be guessed.
      expect(await enter('read', await fixture.newCompany())).toBe('COMPANY_NOT_FOUND');
      expect(await enter('read', randomUUID())).toBe('COMPANY_NOT_FOUND');
      await people.setRole(mintTenantScope(companyId), 'owner', user.userId, 'organization_admin');
      expect(await enter('manage_billing')).toBeUndefined();
      await people.remove(mintTenantScope(companyId), 'owner', user.userId);
      expect(await enter('read')).toBe('COMPANY_NOT_FOUND');
      expect(owner.userId).not.toBe(user.userId);
    });

    it('wants a sign-in of the last quarter of an hour for what is grave', async () => {
      const { cookie } = await entered(await fixture.newUser(companyId));
      const require = async () => {
        const session = await sessions.find(cookie);
        return refusalOf(inTurn(() => sessions.requireRecent(session as NonNullable<typeof session>)));
      };
      expect(await require()).toBeUndefined();
      fixture.clock.advance(15.1 * 60_000);
      expect(await require()).toBe('RECENT_SIGN_IN_REQUIRED');
    });
  });

  describe('people', () => {
    it('keep an owner, also where two remove each other at once', async () => {
      const company = await fixture.newCompany();
      const [one, two] = [await fixture.newUser(company), await fixture.newUser(company)];
      const scope = mintTenantScope(company);
      const results = await Promise.all([
        refusalOf(people.remove(scope, 'owner', one.userId)),
        refusalOf(people.setRole(scope, 'owner', two.userId, 'member')),
      ]);
      expect(results.filter((code) => code === 'LAST_OWNER')).toHaveLength(1);
      expect((await people.list(scope)).people.filter(({ role }) => role === 'owner')).toHaveLength(1);
    });

    it('are managed by organization admins, owners excepted, and never from another company', async () => {
      const company = await fixture.newCompany();
      const [owner, member] = [
        await fixture.newUser(company),
        await fixture.newUser(company, { role: 'member' }),
      ];
      const scope = mintTenantScope(company);
      const by = 'organization_admin';
      expect(await refusalOf(people.remove(scope, by, owner.userId))).toBe('MISSING_PERMISSION');
      expect(await refusalOf(people.setRole(scope, by, member.userId, 'owner'))).toBe('MISSING_PERMISSION');
      expect(await refusalOf(people.invite(scope, by, 'a@example.com', 'owner'))).toBe('MISSING_PERMISSION');
      const foreign = mintTenantScope(companyId);
      expect(await refusalOf(people.remove(foreign, 'owner', member.userId))).toBe('PERSON_NOT_FOUND');
      expect(await refusalOf(people.remove(scope, by, member.userId))).toBeUndefined();
    });
  });

  describe('an invitation', () => {
    const invited = async (role: 'owner' | 'member' = 'member') => {
      const company = await fixture.newCompany();
      const email = `${randomUUID().slice(0, 8)}@example.com`;
      const { token } = await people.invite(mintTenantScope(company), 'owner', email, role);
      return { company, email, token };
    };

    it('makes an account of its address and role, once', async () => {
      const { company, email, token } = await invited();
      expect(await invitations.read(token)).toEqual({ email, role: 'member' });
      const attempts = [1, 2, 3].map(() => invitations.acceptWithPassword(token, PASSWORD, IP));
      const outcomes = await Promise.allSettled(attempts);
      // Mutation: whether it is open is asked before and not in the statement that takes it.
      const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(taken).toHaveLength(1);
      expect(await sessions.find(taken[0] ?? '')).toMatchObject({
        ...{ email, memberships: [{ companyId: company, role: 'member' }] },
      });
      expect(await refusalOf(invitations.acceptWithPassword(token, PASSWORD, IP))).toBe(
        'INVITATION_NOT_FOUND',
      );
      expect(await refusalOf(invitations.read(token))).toBe('INVITATION_NOT_FOUND');
    });

    it('is nothing after seven days, after a newer one, or made up', async () => {
      const { company, email, token } = await invited();
      const { token: newer } = await people.invite(mintTenantScope(company), 'owner', email, 'member');
      expect(await refusalOf(invitations.read(token))).toBe('INVITATION_NOT_FOUND');
      expect(await refusalOf(invitations.read(`${newer.slice(0, -1)}!`))).toBe('INVITATION_NOT_FOUND');
      fixture.clock.advance(7 * 24 * HOUR_MS + 1);
      expect(await refusalOf(invitations.acceptWithPassword(newer, PASSWORD, IP))).toBe(
        'INVITATION_NOT_FOUND',
      );
    });

    it('is for its address: neither a thief with an account nor one without the password gets in', async () => {
      const thief = await entered(await fixture.newUser(companyId));
      const { company, email, token } = await invited('owner');
      if (!thief.session) throw new Error('nobody is signed in');
      expect(await refusalOf(invitations.acceptAs(thief.session, token))).toBe('INVITATION_NOT_FOUND');
      const owner = await fixture.newUser(companyId, { email });
      expect(await refusalOf(invitations.acceptWithPassword(token, PASSWORD, IP))).toBe('ACCOUNT_EXISTS');
      const { session, cookie } = await entered(owner);
      if (!session) throw new Error('nobody is signed in');
      await invitations.acceptAs(session, token);
      expect((await sessions.find(cookie))?.memberships).toContainEqual({
        companyId: company,
        role: 'owner',
      });
    });

    it('wants twelve characters of a password', async () => {
      const { token } = await invited();
      expect(await refusalOf(invitations.acceptWithPassword(token, 'elevenchars', IP))).toBe(
        'INVALID_PARAMETER',
      );
      expect(await refusalOf(invitations.acceptWithPassword(token, 'twelve chars', IP))).toBeUndefined();
    });
  });

  it('stores neither passwords nor what sessions and invitations are proven with', async () => {
    const user = await fixture.newUser(companyId);
    const { cookie } = await entered(user);
    const { token } = await people.invite(mintTenantScope(companyId), 'owner', 'new@example.com', 'member');
    const contents = JSON.stringify(await databaseContents(fixture.database));
    expect(contents).toContain(user.email);
    for (const secret of [user.password, cookie, token]) expect(contents).not.toContain(secret);
  });

  it('shows the console no account, session, membership or invitation that nobody presented', async () => {
    const database = fixture.console.get(TenantDatabase, { strict: false });
    for (const table of [
      'users',
      'user_sessions',
      'memberships',
      'invitations',
      'sign_in_attempts',
      'companies',
    ]) {
      const { rows } = await database.unscoped(mintSystemScope(), ({ client }) =>
        client.query(`SELECT count(*)::int AS n FROM ${table}`),
      );
      expect([table, rows]).toEqual([table, [{ n: 0 }]]);
    }
    const { rows } = await database.transaction(mintTenantScope(await fixture.newCompany()), ({ client }) =>
      client.query('SELECT company_id FROM memberships UNION ALL SELECT company_id FROM invitations'),
    );
    expect(rows).toEqual([]);
  });
});

describe('accounts while Redis is away', () => {
  it('sign in and count failures per pod', async () => {
    const fixture = await accountsFixture(undefined, 'redis://127.0.0.1:1');
    const signIn = fixture.console.get(LocalSignIn, { strict: false });
    const user = await fixture.newUser(await fixture.newCompany());
    expect(await refusalOf(signIn.signIn(user, IP))).toBeUndefined();
    for (let n = 0; n < 10; n += 1)
      await refusalOf(signIn.signIn({ ...user, password: 'not it at all' }, IP));
    expect(await refusalOf(signIn.signIn(user, IP))).toBe('TOO_MANY_FAILED_ATTEMPTS');
    await fixture.stop();
  });
});
