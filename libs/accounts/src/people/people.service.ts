import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type AdministrativeEntry, type Deed } from '@outcomes/audit';
import { AppError, DAY_MS, holdersOf, PERMISSIONS_OF_ROLE, ROLES, type Role } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { fingerprintOf, newSecret } from '../sessions/secret';
import { emailAddress } from '../sign-in/email-address';
import {
  invite,
  openInvitations,
  withdrawInvitation,
  withdrawInvitationsBy,
  withdrawInvitationsTo,
  type WithdrawnInvitation,
} from './invitation.repository';
import {
  changeRole,
  dismiss,
  lockRoles,
  peopleOf,
  type Person,
  type RoleHolder,
} from './membership.repository';

export const INVITATION_DAYS = 7;

export interface OpenInvitation {
  /** What it is withdrawn by; it opens nothing. */
  readonly invitationId: string;
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
      invitations: invitations.map(({ invitationId, email, role, createdAt }) => ({
        ...{ invitationId, email, role },
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
    const token = newSecret();
    await this.database.transaction(scope, async (transaction) => {
      requireMayManage(roleNow(await lockRoles(transaction), by, deed), role);
      const invitedBy = deed.by.type === 'user' ? deed.by.id : null;
      const createdAt = this.clock.now();
      await invite(transaction, fingerprintOf(token), { email, role, createdAt, invitedBy });
      const subject = subjectOf(email);
      await this.record(transaction, { ...deed, action: 'person.invite', subject, details: { role } });
    });
    return { token };
  }

  /**
   * Takes an invitation back that nobody accepted yet.
   * @throws AppError INVITATION_NOT_FOUND, also for another company's; Forbidden where an organization admin would take
   * back one to an owner
   */
  async withdraw(
    scope: TenantScope,
    by: Role,
    invitationId: string,
    deed: Deed = BY_THE_SERVICE,
  ): Promise<void> {
    await this.database.transaction(scope, async (transaction) => {
      const role = roleNow(await lockRoles(transaction), by, deed);
      const withdrawn = await withdrawInvitation(transaction, invitationId);
      if (!withdrawn) throw new AppError('INVITATION_NOT_FOUND');
      requireMayManage(role, withdrawn.role);
      await this.recordWithdrawn(transaction, [withdrawn], deed);
    });
  }

  /**
   * Invitations that the person sent and may not send any more are taken back.
   * @throws AppError PERSON_NOT_FOUND, also for another company's; LAST_OWNER; Forbidden for owners of others
   */
  async setRole(
    scope: TenantScope,
    by: Role,
    userId: string,
    role: Role,
    deed: Deed = BY_THE_SERVICE,
  ): Promise<void> {
    await this.changed(scope, by, userId, role, deed, async (transaction) => {
      await changeRole(transaction, userId, role);
      const ungivable = ROLES.filter((given) => !mayManage(role, given));
      const withdrawn = await withdrawInvitationsBy(transaction, userId, ungivable);
      await this.record(transaction, {
        ...deed,
        action: 'person.change_role',
        subject: userId,
        details: { role },
      });
      await this.recordWithdrawn(transaction, withdrawn, deed);
    });
  }

  /**
   * Takes somebody out of the company, with the invitations that the person sent and those to the person's address; the
   * account stays.
   * @throws AppError as `setRole` does
   */
  async remove(scope: TenantScope, by: Role, userId: string, deed: Deed = BY_THE_SERVICE): Promise<void> {
    await this.changed(scope, by, userId, undefined, deed, async (transaction, { email }) => {
      await dismiss(transaction, userId);
      const withdrawn = [
        ...(await withdrawInvitationsBy(transaction, userId, ROLES)),
        ...(await withdrawInvitationsTo(transaction, email)),
      ];
      await this.record(transaction, { ...deed, action: 'person.remove', subject: userId });
      await this.recordWithdrawn(transaction, withdrawn, deed);
    });
  }

  /** @param next - the person's role afterwards; undefined: none */
  private changed(
    scope: TenantScope,
    by: Role,
    userId: string,
    next: Role | undefined,
    deed: Deed,
    change: (transaction: TenantTransaction, person: RoleHolder) => Promise<unknown>,
  ): Promise<void> {
    return this.database.transaction(scope, async (transaction) => {
      const rows = await lockRoles(transaction);
      const role = roleNow(rows, by, deed);
      if (next !== undefined) requireMayManage(role, next);
      const person = rows.find((row) => row.userId === userId);
      if (!person) throw new AppError('PERSON_NOT_FOUND');
      requireMayManage(role, person.role);
      const owners = rows.filter((row) => row.role === 'owner').length;
      if (next !== 'owner' && person.role === 'owner' && owners < 2) throw new AppError('LAST_OWNER');
      await change(transaction, person);
    });
  }

  private async recordWithdrawn(
    transaction: TenantTransaction,
    withdrawn: readonly WithdrawnInvitation[],
    deed: Deed,
  ): Promise<void> {
    for (const { email, role } of withdrawn)
      await this.record(transaction, {
        ...{ ...deed, action: 'person.withdraw_invitation', subject: subjectOf(email) },
        details: { role },
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

/** What an invited address is called in the log, which names nobody. */
function subjectOf(email: string): string {
  return fingerprintOf(email).toString('hex');
}

/**
 * The role of whoever acts, as it stands under the lock: somebody who was removed meanwhile does nothing more.
 * @param by - the role at the beginning of the request, and that of whoever is no user
 */
function roleNow(rows: readonly RoleHolder[], by: Role, { by: { type, id } }: Deed): Role {
  if (type !== 'user') return by;
  const holder = rows.find(({ userId }) => userId === id);
  if (!holder) throw new AppError('COMPANY_NOT_FOUND');
  return holder.role;
}

function mayManage(by: Role, role: Role): boolean {
  return PERMISSIONS_OF_ROLE[by].includes('manage_people') && (role !== 'owner' || by === 'owner');
}

function requireMayManage(by: Role, role: Role): void {
  if (mayManage(by, role)) return;
  const holders = role === 'owner' ? (['owner'] as const) : holdersOf('manage_people');
  throw new AppError('MISSING_PERMISSION', { permission: 'manage_people', holders: [...holders] });
}
