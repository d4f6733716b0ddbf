import { randomUUID } from 'node:crypto';
import type { Role } from '@outcomes/contracts';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { accountsFixture, refusalOf, type AccountsFixture } from '../../test/accounts-fixture';
import { Invitations } from './invitations.service';
import { People } from './people.service';

const PASSWORD = 'correct horse battery';
const newAddress = () => `${randomUUID().slice(0, 8)}@example.com`;

describe('an open invitation', () => {
  let fixture: AccountsFixture;
  let [people, invitations] = [] as unknown as [People, Invitations];

  beforeAll(async () => {
    fixture = await accountsFixture();
    [people, invitations] = [fixture.console.get(People), fixture.console.get(Invitations)];
  });
  afterAll(() => fixture.stop());

  const deedOf = (user: { userId: string }) => ({ by: { type: 'user', id: user.userId } }) as const;
  /** A company of an owner, and somebody else in a role who sends invitations. */
  const staffed = async (role: Role) => {
    const companyId = await fixture.newCompany();
    const [owner, sender] = [await fixture.newUser(companyId), await fixture.newUser(companyId, { role })];
    const scope = mintTenantScope(companyId);
    const invite = async (by: typeof owner, as: Role, email = newAddress()) =>
      (await people.invite(scope, 'owner', email, as, deedOf(by))).token;
    return { companyId, scope, owner, sender, invite };
  };
  const refusals = (tokens: readonly string[]) =>
    Promise.all(tokens.map((token) => refusalOf(invitations.read(token))));
  const withdrawals = async (companyId: string) =>
    fixture.database.query(
      `SELECT actor_id AS by, details->>'role' AS role FROM administration_log
       WHERE company_id = $1 AND action = 'person.withdraw_invitation' ORDER BY entry_no`,
      [companyId],
    );

  it('goes with whoever sent it, and with whoever it was sent to, when that person is removed', async () => {
    const { companyId, scope, owner, sender, invite } = await staffed('organization_admin');
    const elsewhere = await staffed('member');
    const own = await invite(sender, 'organization_admin');
    // Sent before the person came in by another way.
    const address = newAddress();
    const second = await invite(owner, 'member', address);
    const joined = await fixture.newUser(companyId, { email: address, role: 'member' });
    const [kept, foreign] = [
      await invite(owner, 'member'),
      await elsewhere.invite(elsewhere.owner, 'member'),
    ];
    await people.remove(scope, 'owner', sender.userId, deedOf(owner));
    await people.remove(scope, 'owner', joined.userId, deedOf(owner));
    // Mutation: removal touches memberships alone, and both come back by their links.
    expect(await refusals([own, second, kept, foreign])).toEqual([
      'INVITATION_NOT_FOUND',
      'INVITATION_NOT_FOUND',
      undefined,
      undefined,
    ]);
    expect(await refusalOf(invitations.acceptWithPassword(own, PASSWORD, '192.0.2.1'))).toBe(
      'INVITATION_NOT_FOUND',
    );
    expect(await withdrawals(companyId)).toEqual([
      { by: owner.userId, role: 'organization_admin' },
      { by: owner.userId, role: 'member' },
    ]);
  });

  it('to a role that its sender may no longer give goes when the sender is demoted', async () => {
    const { companyId, scope, owner, sender, invite } = await staffed('owner');
    const [asOwner, asMember] = [await invite(sender, 'owner'), await invite(sender, 'member')];
    await people.setRole(scope, 'owner', sender.userId, 'organization_admin', deedOf(owner));
    expect(await refusals([asOwner, asMember])).toEqual(['INVITATION_NOT_FOUND', undefined]);
    await people.setRole(scope, 'owner', sender.userId, 'member', deedOf(owner));
    expect(await refusals([asMember])).toEqual(['INVITATION_NOT_FOUND']);
    expect(await withdrawals(companyId)).toEqual([
      { by: owner.userId, role: 'owner' },
      { by: owner.userId, role: 'member' },
    ]);
  });

  it('of a pod that names no inviter goes with whoever the log names', async () => {
    const { companyId, scope, owner, sender, invite } = await staffed('organization_admin');
    const [own, other] = [await invite(sender, 'member'), await invite(owner, 'member')];
    await fixture.database.query('UPDATE invitations SET invited_by = NULL WHERE company_id = $1', [
      companyId,
    ]);
    await people.remove(scope, 'owner', sender.userId, deedOf(owner));
    expect(await refusals([own, other])).toEqual(['INVITATION_NOT_FOUND', undefined]);
  });

  it('is sent by nobody who was removed or demoted while the request was under way', async () => {
    const { scope, owner, sender, invite } = await staffed('owner');
    await people.setRole(scope, 'owner', sender.userId, 'organization_admin', deedOf(owner));
    expect(await refusalOf(invite(sender, 'owner'))).toBe('MISSING_PERMISSION');
    await people.remove(scope, 'owner', sender.userId, deedOf(owner));
    expect(await refusalOf(invite(sender, 'member'))).toBe('COMPANY_NOT_FOUND');
    expect((await people.list(scope)).invitations).toEqual([]);
  });

  it('is replaced by whoever may withdraw it alone, and the log says so', async () => {
    const { companyId, scope, owner, sender, invite } = await staffed('organization_admin');
    const address = newAddress();
    const asOwner = await invite(owner, 'owner', address);
    // Mutation: what was sent before is deleted, whoever sent it.
    expect(await refusalOf(invite(sender, 'member', address))).toBe('MISSING_PERMISSION');
    expect(await refusals([asOwner])).toEqual([undefined]);
    expect(await withdrawals(companyId)).toEqual([]);
    const asMember = await invite(owner, 'member', address);
    const again = await invite(sender, 'organization_admin', address);
    const { token } = await fixture.administration.inviteUser(scope, { email: address });
    expect(await refusals([asOwner, asMember, again, token])).toEqual([
      ...Array.from({ length: 3 }, () => 'INVITATION_NOT_FOUND'),
      undefined,
    ]);
    expect(await withdrawals(companyId)).toEqual([
      { by: owner.userId, role: 'owner' },
      { by: sender.userId, role: 'member' },
      { by: 'outcomes', role: 'organization_admin' },
    ]);
  });

  it('is withdrawn once, by whoever may give its role, in its own company alone', async () => {
    const { companyId, scope, owner, sender, invite } = await staffed('organization_admin');
    const token = await invite(owner, 'owner');
    const [{ invitationId = '' } = {}] = (await people.list(scope)).invitations;
    const elsewhere = await staffed('member');
    const withdraw = (within: typeof scope, by: typeof owner) =>
      refusalOf(people.withdraw(within, 'owner', invitationId, deedOf(by)));
    // Mutation: an invitation is found by its id alone.
    expect(await withdraw(elsewhere.scope, elsewhere.owner)).toBe('INVITATION_NOT_FOUND');
    expect(await withdraw(scope, sender)).toBe('MISSING_PERMISSION');
    expect(await refusals([token])).toEqual([undefined]);
    expect(await withdraw(scope, owner)).toBeUndefined();
    expect(await refusals([token])).toEqual(['INVITATION_NOT_FOUND']);
    expect(await withdraw(scope, owner)).toBe('INVITATION_NOT_FOUND');
    for (const id of ['nonsense', '\0', `${invitationId}\0`, '\ud800'])
      expect(await refusalOf(people.withdraw(scope, 'owner', id))).toBe('INVITATION_NOT_FOUND');
    expect(await withdrawals(companyId)).toEqual([{ by: owner.userId, role: 'owner' }]);
  });
});
