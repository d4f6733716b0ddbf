import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type AdministrativeEntry, type Deed } from '@outcomes/audit';
import { AppError, DAY_MS, type Role } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { fingerprintOf, newSecret } from '../sessions/secret';
import { emailAddress } from '../sign-in/email-address';
import { invite, openInvitations } from './invitation.repository';
import { changeRole, dismiss, lockRoles, peopleOf, type Person } from './membership.repository';

export const INVITATION_DAYS = 7;

export interface OpenInvitation {
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

/** Who may enter a company, and who is invited. Roles are read at every request, so a change holds at once. */
@Injectable()
export class People {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
  ) {}

  /** People in order of their coming, and invitations that may still be accepted. */
  async list(scope: TenantScope): Promise<{ people: Person[]; invitations: OpenInvitation[] }> {
    const [people, invitations] = await this.database.transaction(
      scope,
      async (transaction) =>
        [await peopleOf(transaction), await openInvitations(transaction, this.oldest())] as const,
    );
    return {
      people,
      invitations: invitations.map(({ email, role, createdAt }) => ({
        ...{ email, role },
        expiresAt: new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS),
      })),
    };
  }

  /**
   * Invites somebody, and takes back what was sent to that address before.
   * @param by - role of whoever invites
   * @param deed - who that is, for the administration log
   * @returns what the invitation is accepted with, this once
   * @throws AppError INVALID_PARAMETER; Forbidden where an organization admin would make an owner
   */
  async invite(
    scope: TenantScope,
    by: Role,
    address: string,
    role: Role,
    deed: Deed = BY_THE_SERVICE,
  ): Promise<{ token: string }> {
    const email = emailAddress(address);
    requireMayManage(by, role);
    const token = newSecret();
    await this.database.transaction(scope, async (transaction) => {
      await invite(transaction, fingerprintOf(token), { email, role, createdAt: this.clock.now() });
      const subject = fingerprintOf(email).toString('hex');
      await this.record(transaction, { ...deed, action: 'person.invite', subject, details: { role } });
    });
    return { token };
  }

  /** @throws AppError PERSON_NOT_FOUND, also for another company's; LAST_OWNER; Forbidden for owners of others */
  async setRole(
    scope: TenantScope,
    by: Role,
    userId: string,
    role: Role,
    deed: Deed = BY_THE_SERVICE,
  ): Promise<void> {
    requireMayManage(by, role);
    await this.changed(scope, by, userId, role !== 'owner', async (transaction) => {
      await changeRole(transaction, userId, role);
      await this.record(transaction, {
        ...deed,
        action: 'person.change_role',
        subject: userId,
        details: { role },
      });
    });
  }

  /** Takes somebody out of the company; the account stays. @throws AppError as `setRole` does */
  async remove(scope: TenantScope, by: Role, userId: string, deed: Deed = BY_THE_SERVICE): Promise<void> {
    await this.changed(scope, by, userId, true, async (transaction) => {
      await dismiss(transaction, userId);
      await this.record(transaction, { ...deed, action: 'person.remove', subject: userId });
    });
  }

  private changed(
    scope: TenantScope,
    by: Role,
    userId: string,
    endsOwnership: boolean,
    change: (transaction: TenantTransaction) => Promise<unknown>,
  ): Promise<void> {
    return this.database.transaction(scope, async (transaction) => {
      const rows = await lockRoles(transaction);
      const person = rows.find((row) => row.userId === userId);
      if (!person) throw new AppError('PERSON_NOT_FOUND');
      requireMayManage(by, person.role);
      const owners = rows.filter(({ role }) => role === 'owner').length;
      if (endsOwnership && person.role === 'owner' && owners < 2) throw new AppError('LAST_OWNER');
      await change(transaction);
    });
  }

  private record(
    transaction: TenantTransaction,
    entry: Omit<AdministrativeEntry, 'occurredAt'>,
  ): Promise<void> {
    return recordAdministration(transaction, { ...entry, occurredAt: this.clock.now() });
  }

  private oldest(): Date {
    return new Date(this.clock.now().getTime() - INVITATION_DAYS * DAY_MS);
  }
}

function requireMayManage(by: Role, role: Role): void {
  if (role === 'owner' && by !== 'owner') {
    throw new AppError('MISSING_PERMISSION', { permission: 'manage_people', holders: ['owner'] });
  }
}
