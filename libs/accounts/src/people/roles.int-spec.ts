import { mintTenantScope } from '@outcomes/tenancy/mint';
import { accountsFixture, refusalOf, type AccountsFixture } from '../../test/accounts-fixture';
import { LocalSignIn } from '../sign-in/local-sign-in.service';
import { Sessions } from '../sessions/sessions.service';
import { Invitations } from './invitations.service';
import { People } from './people.service';

describe('the role of somebody who is in a company', () => {
  let fixture: AccountsFixture;
  let people: People;

  beforeAll(async () => {
    fixture = await accountsFixture();
    people = fixture.console.get(People);
  });
  afterAll(() => fixture.stop());

  const rolesOf = async (companyId: string) =>
    (await people.list(mintTenantScope(companyId))).people.map(({ email, role }) => [email, role]);
  const loggedOf = async (companyId: string, userId: string) => {
    const rows = await fixture.database.query<{ action: string; role: string }>(
      `SELECT action, details->>'role' AS role FROM administration_log
       WHERE company_id = $1 AND subject = $2 ORDER BY entry_no`,
      [companyId, userId],
    );
    return rows.map(({ action, role }) => [action, role]);
  };

  it('is changed, not given by an invitation', async () => {
    const companyId = await fixture.newCompany();
    const scope = mintTenantScope(companyId);
    await fixture.newUser(companyId);
    const { email } = await fixture.newUser(companyId, { role: 'member' });
    // Mutation: the invitation is sent, opens, and changes nothing.
    const invited = people.invite(scope, 'owner', ` ${email.toUpperCase()}`, 'organization_admin');
    expect(await refusalOf(invited)).toBe('ALREADY_MEMBER');
    expect((await people.list(scope)).invitations).toEqual([]);
    // In another company the same person is nobody yet.
    const other = mintTenantScope(await fixture.newCompany());
    expect(await refusalOf(people.invite(other, 'owner', email, 'member'))).toBeUndefined();
  });

  it('is what the log says of whoever came in by another way before the invitation was accepted', async () => {
    const [companyId, home] = [await fixture.newCompany(), await fixture.newCompany()];
    await fixture.newUser(companyId);
    const user = await fixture.newUser(home);
    const { token } = await people.invite(mintTenantScope(companyId), 'owner', user.email, 'owner');
    await fixture.newUser(companyId, { email: user.email, role: 'member', takesExisting: true });
    const cookie = await fixture.console.get(LocalSignIn).signIn(user, '192.0.2.1');
    const session = await fixture.console.get(Sessions).find(cookie);
    if (!session) throw new Error('nobody is signed in');
    await fixture.console.get(Invitations).acceptAs(session, token);
    expect(await rolesOf(companyId)).toContainEqual([user.email, 'member']);
    expect(await loggedOf(companyId, user.userId)).toEqual([
      ['person.admit', 'member'],
      ['person.join', 'member'],
    ]);
  });

  it('is not taken from the last owner by the command line either, nor from two at once', async () => {
    const companyId = await fixture.newCompany();
    const [one, two] = [await fixture.newUser(companyId), await fixture.newUser(companyId)];
    const demote = ({ email }: typeof one) =>
      refusalOf(
        fixture.administration.createUser(mintTenantScope(companyId), { email, role: 'organization_admin' }),
      );
    // Mutation: roles are not locked, or the command line does not ask.
    const both = await Promise.all([demote(one), demote(two)]);
    expect(both.filter((code) => code === 'LAST_OWNER')).toHaveLength(1);
    expect((await rolesOf(companyId)).filter(([, role]) => role === 'owner')).toHaveLength(1);
    const demoted = both[0] === undefined ? one : two;
    expect(await loggedOf(companyId, demoted.userId)).toEqual([
      ['person.admit', 'owner'],
      ['person.change_role', 'organization_admin'],
    ]);
  });

  it('is not given to the account of an address before its owner has asked for it', async () => {
    const [home, companyId] = [await fixture.newCompany(), await fixture.newCompany()];
    const scope = mintTenantScope(companyId);
    const [email, invitations] = ['ceo@example.com', fixture.console.get(Invitations)];
    // An owner of another company invites the address and accepts the link himself: he sees it, and nobody proves the address.
    const { token } = await people.invite(mintTenantScope(home), 'owner', email, 'member');
    const password = 'a password of the inviter';
    const cookie = await invitations.acceptWithPassword(token, password, '192.0.2.1');
    // Mutation: whoever made the account of the address is let in with it.
    const created = fixture.administration.createUser(scope, { email, role: 'owner' });
    expect(await refusalOf(created)).toBe('ACCOUNT_EXISTS');
    expect(await rolesOf(companyId)).toEqual([]);
    expect((await fixture.console.get(Sessions).find(cookie))?.memberships).toMatchObject([
      { companyId: home },
    ]);
    // Whose address it is comes in with the link that the operator sends, and an account that is nobody else's any more.
    const invited = await fixture.administration.inviteUser(scope, { email });
    const reset = await fixture.administration.resetPassword(email);
    const session = await fixture.console
      .get(Sessions)
      .find(await fixture.console.get(LocalSignIn).signIn(reset, '192.0.2.1'));
    if (!session) throw new Error('nobody is signed in');
    await invitations.acceptAs(session, invited.token);
    expect(await rolesOf(companyId)).toEqual([[email, 'owner']]);
    expect(await refusalOf(fixture.console.get(LocalSignIn).signIn({ email, password }, '192.0.2.1'))).toBe(
      'SIGN_IN_FAILED',
    );
  });

  it('takes back with it what the person may not send any more, on the command line too', async () => {
    const companyId = await fixture.newCompany();
    const scope = mintTenantScope(companyId);
    const [, sender] = [await fixture.newUser(companyId), await fixture.newUser(companyId)];
    const deed = { by: { type: 'user', id: sender.userId } } as const;
    await people.invite(scope, 'owner', 'second@example.com', 'owner', deed);
    await fixture.newUser(companyId, { email: sender.email, role: 'organization_admin' });
    expect((await people.list(scope)).invitations).toEqual([]);
  });
});
