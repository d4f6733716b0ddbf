import { mintTenantScope } from '@outcomes/tenancy/mint';
import { accountsFixture, type AccountsFixture } from '../../test/accounts-fixture';
import { Invitations } from './invitations.service';
import { People } from './people.service';

const INSTALLATION = '00000000-0000-0000-0000-000000000000';

describe('what is done to people', () => {
  let fixture: AccountsFixture;

  beforeAll(async () => {
    fixture = await accountsFixture();
  });
  afterAll(() => fixture.stop());

  const written = async (companyId: string) =>
    fixture.database.query<{ action: string; by: string; subject: string; details: object }>(
      `SELECT action, actor_type || ' ' || actor_id AS by, subject, details FROM administration_log
       WHERE company_id = $1 ORDER BY entry_no`,
      [companyId],
    );

  it('is written down with who did it, in the transaction that does it, and without an address', async () => {
    const companyId = await fixture.newCompany();
    const [scope, people] = [mintTenantScope(companyId), fixture.console.get(People)];
    const owner = await fixture.newUser(companyId);
    const deed = { by: { type: 'user', id: owner.userId } } as const;
    const { token } = await people.invite(scope, 'owner', 'new@example.com', 'member', deed);
    await fixture.console.get(Invitations).acceptWithPassword(token, 'a long enough password', '192.0.2.1');
    const joined = (await people.list(scope)).people.find(({ email }) => email === 'new@example.com');
    const userId = joined?.userId ?? '';
    await people.setRole(scope, 'owner', userId, 'organization_admin', deed);
    await people.remove(scope, 'owner', userId, deed);
    // Refused, so nothing was done.
    await expect(people.remove(scope, 'owner', owner.userId, deed)).rejects.toMatchObject({
      code: 'LAST_OWNER',
    });
    const by = `user ${owner.userId}`;
    const log = await written(companyId);
    expect(log).toEqual([
      {
        ...{ action: 'person.admit', by: 'service outcomes', subject: owner.userId },
        details: { role: 'owner', has_new_account: true },
      },
      {
        ...{ action: 'person.invite', by, subject: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
        details: { role: 'member' },
      },
      { action: 'person.join', by: `user ${userId}`, subject: userId, details: { role: 'member' } },
      { action: 'person.change_role', by, subject: userId, details: { role: 'organization_admin' } },
      { action: 'person.remove', by, subject: userId, details: {} },
    ]);
    expect(JSON.stringify(log)).not.toContain('example.com');
  });

  it('is in the log of the installation where it concerns no company', async () => {
    const user = await fixture.newUser(await fixture.newCompany());
    await fixture.administration.resetPassword(user.email, undefined, {
      by: { type: 'operator', id: 'ada' },
    });
    expect((await written(INSTALLATION)).at(-1)).toEqual({
      ...{ action: 'person.reset_password', by: 'operator ada', subject: user.userId, details: {} },
    });
  });
});
