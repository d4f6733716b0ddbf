import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type AdministrativeEntry, type Deed } from '@outcomes/audit';
import { AppError, DAY_MS, ROLES, type Role } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { fingerprintOf, newSecret } from '../sessions/secret';
import { emailAddress } from '../sign-in/email-address';
import { invitedSubject, recordWithdrawn } from './invitation-log';
import {
  invite,
  openInvitations,
  withdrawInvitation,
  withdrawInvitationsBy,
  withdrawInvitationsTo,
} from './invitation.repository';
import {
  changeRole,
  dismiss,
  lockRoles,
  peopleOf,
  type Person,
  type RoleHolder,
} from './membership.repository';
import { requireMayManage, requireOwnerLeft, rolesBeyond, roleNow } from './role-rules';

export const INVITATION_DAYS = 7;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
   * @throws AppError INVALID_PARAMETER; ALREADY_MEMBER, whose role is changed instead; MISSING_PERMISSION where an
   * organization admin would make an owner, or take back an invitation to one
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
      const rows = await lockRoles(transaction);
      const actingAs = roleNow(rows, by, deed);
      requireMayManage(actingAs, role);
      if (rows.some((person) => person.email === email)) throw new AppError('ALREADY_MEMBER');
      const invitedBy = deed.by.type === 'user' ? deed.by.id : null;
      const createdAt = this.clock.now();
      const invitation = { email, role, createdAt, invitedBy, relinks: false };
      const withdrawn = await invite(transaction, fingerprintOf(token), invitation);
      for (const earlier of withdrawn) requireMayManage(actingAs, earlier.role);
      await recordWithdrawn(transaction, withdrawn, deed, createdAt);
      const subject = invitedSubject(email);
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
      // Postgres refuses some texts altogether.
      const withdrawn = UUID.test(invitationId) && (await withdrawInvitation(transaction, invitationId));
      if (!withdrawn) throw new AppError('INVITATION_NOT_FOUND');
      requireMayManage(role, withdrawn.role);
      await recordWithdrawn(transaction, [withdrawn], deed, this.clock.now());
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
      const withdrawn = await withdrawInvitationsBy(transaction, userId, rolesBeyond(role));
      await this.record(transaction, {
        ...deed,
        action: 'person.change_role',
        subject: userId,
        details: { role },
      });
      await recordWithdrawn(transaction, withdrawn, deed, this.clock.now());
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
      await recordWithdrawn(transaction, withdrawn, deed, this.clock.now());
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
      requireOwnerLeft(rows, person, next);
      await change(transaction, person);
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
