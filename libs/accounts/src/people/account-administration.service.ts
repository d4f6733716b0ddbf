import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type Deed } from '@outcomes/audit';
import { AppError, type Role } from '@outcomes/contracts';
import { companyExists } from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { emailAddress } from '../sign-in/email-address';
import { recordWithdrawn } from './invitation-log';
import { withdrawInvitationsBy } from './invitation.repository';
import { admit, changeRole, lockRoles } from './membership.repository';
import { requireOwnerLeft, rolesBeyond } from './role-rules';
import { changePasswordOfAddress, insertUser, presentAddress } from './user.repository';

/** 20 characters of base64url: 120 bits. */
const PASSWORD_BYTES = 15;

export interface NewUser {
  readonly email: string;
  readonly role: Role;
  /** Made up where not given. */
  readonly password?: string;
}

export interface CreatedUser {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** Shown once, stored nowhere; null where the address had an account already, which keeps its password. */
  readonly password: string | null;
}

/** Accounts from the command line: for the first owner of a company, and whoever lost a password. */
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
   * @throws AppError COMPANY_NOT_FOUND, INVALID_PARAMETER; LAST_OWNER
   */
  async createUser(scope: TenantScope, input: NewUser, deed: Deed = BY_THE_SERVICE): Promise<CreatedUser> {
    const email = emailAddress(input.email);
    const { role, password = newPassword() } = input;
    const hash = await this.passwords.hash(password);
    const now = this.clock.now();
    return this.database.transaction(scope, async (transaction) => {
      if (!(await companyExists(transaction))) throw new AppError('COMPANY_NOT_FOUND');
      const known = await presentAddress(transaction, email);
      const userId = known ?? randomUUID();
      if (known === undefined) {
        const account = { userId, email, password: hash, issuer: null, subject: null, createdAt: now };
        await insertUser(transaction, account);
      }
      const people = await lockRoles(transaction);
      const person = people.find((row) => row.userId === userId);
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

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
