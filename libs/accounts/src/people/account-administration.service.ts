import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type Deed } from '@outcomes/audit';
import { AppError, DAY_MS, type Role } from '@outcomes/contracts';
import { companyExists } from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { fingerprintOf, newSecret } from '../sessions/secret';
import { emailAddress } from '../sign-in/email-address';
import { invitedSubject, recordWithdrawn } from './invitation-log';
import { invite, withdrawInvitationsBy } from './invitation.repository';
import { admit, changeRole, lockRoles, type RoleHolder } from './membership.repository';
import { INVITATION_DAYS } from './people.service';
import { requireOwnerLeft, rolesBeyond } from './role-rules';
import { changePasswordOfAddress, insertUser, lockUserAt, presentAddress } from './user.repository';

/** 20 characters of base64url: 120 bits. */
const PASSWORD_BYTES = 15;

const WHOSE_ACCOUNT =
  'This e-mail address has an account already, which somebody else may have made. Invite the person with "outcomes user invite": that takes the link and the account. Whoever cannot sign in to the account gets it by "outcomes user reset" first.';

export interface NewUser {
  readonly email: string;
  readonly role: Role;
  /** Made up where not given. */
  readonly password?: string;
  /** Whether whoever signs in to the account that the address has already is let in, unasked. */
  readonly takesExisting?: boolean;
}

export interface CreatedUser {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** Shown once, stored nowhere; null where the address had an account already, which keeps its password. */
  readonly password: string | null;
}

export interface InvitedUser {
  readonly email: string;
  /** Owner where not given; somebody who is in the company keeps the role. */
  readonly role?: Role;
  /** Whether the account of the address is given to another identity at the provider than it belongs to. */
  readonly relinks?: boolean;
}

export interface IssuedInvitation {
  readonly email: string;
  readonly role: Role;
  /** What it is accepted with, shown once. */
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Accounts from the command line: for the first owner of a company, whoever lost a password, and accounts that are to
 * belong to an identity at the provider.
 */
@Injectable()
export class AccountAdministration {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    private readonly passwords: PasswordHashes,
  ) {}

  /**
   * Makes an account where the address has none, and lets it into a company with that role; whoever is there already gets
   * the role.
   * @throws AppError COMPANY_NOT_FOUND, INVALID_PARAMETER; LAST_OWNER; ACCOUNT_EXISTS where the address has an account that
   * is not in the company, unless that is taken: nobody has proven the address, so it may be somebody else's
   */
  async createUser(scope: TenantScope, input: NewUser, deed: Deed = BY_THE_SERVICE): Promise<CreatedUser> {
    const email = emailAddress(input.email);
    const { role, password = newPassword(), takesExisting = false } = input;
    const hash = await this.passwords.hash(password);
    const now = this.clock.now();
    return this.database.transaction(scope, async (transaction) => {
      if (!(await companyExists(transaction))) throw new AppError('COMPANY_NOT_FOUND');
      const people = await lockRoles(transaction);
      const known = await presentAddress(transaction, email);
      const userId = known ?? randomUUID();
      if (known === undefined) {
        const account = { userId, email, password: hash, issuer: null, subject: null, createdAt: now };
        await insertUser(transaction, account);
      }
      const person = people.find((row) => row.userId === userId);
      if (known !== undefined && !person && !takesExisting)
        throw new AppError('ACCOUNT_EXISTS', {}, { message: WHOSE_ACCOUNT });
      const entry = { ...deed, subject: userId, occurredAt: now };
      if (person) {
        requireOwnerLeft(people, person, role);
        await changeRole(transaction, userId, role);
        const withdrawn = await withdrawInvitationsBy(transaction, userId, rolesBeyond(role));
        await recordAdministration(transaction, {
          ...{ ...entry, action: 'person.change_role', details: { role } },
        });
        await recordWithdrawn(transaction, withdrawn, deed, now);
      } else {
        await admit(transaction, { userId, email, role, createdAt: now });
        await recordAdministration(transaction, {
          ...{ ...entry, action: 'person.admit' },
          details: { role, has_new_account: known === undefined },
        });
      }
      return { userId, email, role, password: known === undefined ? password : null };
    });
  }

  /**
   * Invites somebody as an operator: where people sign in at a provider, who else would invite the first owner. Unlike
   * `People.invite` it is also for somebody who is in the company with an account that nobody signs in to at the provider.
   * @throws AppError COMPANY_NOT_FOUND, INVALID_PARAMETER; ALREADY_MEMBER where it would change nothing
   */
  async inviteUser(
    scope: TenantScope,
    input: InvitedUser,
    deed: Deed = BY_THE_SERVICE,
  ): Promise<IssuedInvitation> {
    const email = emailAddress(input.email);
    const { relinks = false } = input;
    const token = newSecret();
    const createdAt = this.clock.now();
    return this.database.transaction(scope, async (transaction) => {
      if (!(await companyExists(transaction))) throw new AppError('COMPANY_NOT_FOUND');
      const member = (await lockRoles(transaction)).find((person) => person.email === email);
      if (member) await requireSomethingToLink(transaction, member, input);
      const role = member?.role ?? input.role ?? 'owner';
      const invitation = { email, role, createdAt, invitedBy: null, relinks };
      const withdrawn = await invite(transaction, fingerprintOf(token), invitation);
      await recordWithdrawn(transaction, withdrawn, deed, createdAt);
      await recordAdministration(transaction, {
        ...{ ...deed, action: 'person.invite', subject: invitedSubject(email), occurredAt: createdAt },
        details: { role, ...(relinks && { relinks }) },
      });
      const expiresAt = new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS);
      return { email, role, token, expiresAt };
    });
  }

  /**
   * Gives an account another password and ends all its sessions.
   * @throws AppError PERSON_NOT_FOUND, INVALID_PARAMETER
   */
  async resetPassword(
    address: string,
    password = newPassword(),
    deed: Deed = BY_THE_SERVICE,
  ): Promise<{ email: string; password: string }> {
    const email = emailAddress(address);
    const hash = await this.passwords.hash(password);
    const entry = { ...deed, action: 'person.reset_password', occurredAt: this.clock.now() } as const;
    if (!(await changePasswordOfAddress(this.database, email, hash, entry)))
      throw new AppError('PERSON_NOT_FOUND');
    return { email, password };
  }
}

/** @throws AppError ALREADY_MEMBER where an invitation would neither change the role nor who signs in */
async function requireSomethingToLink(
  transaction: TenantTransaction,
  { email, role }: RoleHolder,
  wanted: InvitedUser,
): Promise<void> {
  if (wanted.role !== undefined && wanted.role !== role) throw new AppError('ALREADY_MEMBER');
  const user = await lockUserAt(transaction, email);
  if (user && user.issuer !== null && !wanted.relinks) {
    const message =
      'This address belongs to somebody who is in the company and signs in at the identity provider already. If that is another identity there now, have the invitation relink the account.';
    throw new AppError('ALREADY_MEMBER', {}, { message });
  }
}

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
