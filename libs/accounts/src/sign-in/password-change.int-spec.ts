import { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { waitUntil, waitingForLock } from '@outcomes/testing';
import { accountsFixture, refusalOf, type AccountsFixture } from '../../test/accounts-fixture';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { OwnAccounts } from '../people/own-account.service';
import { Sessions } from '../sessions/sessions.service';
import { LocalSignIn } from './local-sign-in.service';

const IP = '192.0.2.1';
const NEXT = 'another password of mine';

describe('a change of the password', () => {
  let fixture: AccountsFixture;
  let [signIn, sessions, accounts] = [] as unknown as [LocalSignIn, Sessions, OwnAccounts];

  beforeAll(async () => {
    fixture = await accountsFixture();
    [signIn, sessions, accounts] = [
      fixture.console.get(LocalSignIn),
      fixture.console.get(Sessions),
      fixture.console.get(OwnAccounts),
    ];
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => fixture.stop());

  const newUser = async () => fixture.newUser(await fixture.newCompany());
  const sessionsOf = ({ userId }: { userId: string }) =>
    fixture.database.query('SELECT FROM user_sessions WHERE user_id = $1', [userId]);
  /** Something happens in the fifth of a second that verifying the next password takes. */
  const whileVerifying = (happens: () => Promise<unknown>) => {
    const hashes = fixture.console.get(PasswordHashes, { strict: false });
    const verify = hashes.verify.bind(hashes);
    jest.spyOn(hashes, 'verify').mockImplementationOnce(async (...given) => {
      const isRight = await verify(...given);
      await happens();
      return isRight;
    });
  };

  it('ends a sign-in with the old one that is under way', async () => {
    const user = await newUser();
    whileVerifying(() => fixture.administration.resetPassword(user.email));
    // Mutation: the session is inserted whatever the password is by now.
    expect(await refusalOf(signIn.signIn(user, IP))).toBe('SIGN_IN_FAILED');
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('is waited for by a sign-in that meets it before it is committed', async () => {
    const user = await newUser();
    const database = fixture.console.get(TenantDatabase, { strict: false });
    let [isSettled, refused] = [false, Promise.resolve<unknown>(undefined)];
    await database.unscoped(mintSystemScope({ 'app.user_id': user.userId }), async ({ client }) => {
      await client.query(`UPDATE users SET password = 'another' WHERE user_id = $1`, [user.userId]);
      await client.query('DELETE FROM user_sessions WHERE user_id = $1', [user.userId]);
      refused = refusalOf(signIn.signIn(user, IP)).finally(() => {
        isSettled = true;
      });
      await waitUntil('the sign-in to wait', async () => {
        const waiting = await waitingForLock(fixture.database);
        return isSettled || waiting.length > 0;
      });
    });
    // Mutation: the user is read without a lock, and the session is of a password that has gone.
    expect(await refused).toBe('SIGN_IN_FAILED');
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('does not undo another one that came before it', async () => {
    const user = await newUser();
    const session = await sessions.find(await signIn.signIn(user, IP));
    if (!session) throw new Error('nobody is signed in');
    let password = '';
    whileVerifying(async () => {
      ({ password } = await fixture.administration.resetPassword(user.email));
    });
    const deed = { by: { type: 'user', id: user.userId } } as const;
    const change = accounts.changePassword(session, { current: user.password, next: NEXT }, IP, deed);
    expect(await refusalOf(change)).toBe('SIGN_IN_FAILED');
    expect(await refusalOf(signIn.signIn({ ...user, password: NEXT }, IP))).toBe('SIGN_IN_FAILED');
    expect(await refusalOf(signIn.signIn({ ...user, password }, IP))).toBeUndefined();
    const logged = await fixture.database.query(
      `SELECT action FROM administration_log WHERE subject = $1 AND action LIKE 'person.%password'`,
      [user.userId],
    );
    expect(logged).toEqual([{ action: 'person.reset_password' }]);
  });
});
