import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { recordAdministration } from '@outcomes/audit';
import { AppError, DAY_MS } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { fingerprintOf } from '../sessions/secret';
import type { Session } from '../sessions/session.repository';
import { Sessions } from '../sessions/sessions.service';
import { acceptInvitation, presentedInvitation, type Invitation } from './invitation.repository';
import { admit, lockRoles } from './membership.repository';
import { INVITATION_DAYS } from './people.service';
import { insertUser, presentUser } from './user.repository';

const UNIQUE_VIOLATION = '23505';

/** Who a new account is of: a password here, or somebody whom an identity provider vouched for. */
export type Proof =
  | { readonly password: string }
  | { readonly issuer: string; readonly subject: string; readonly email: string };

/** Takes up invitations. Each opens once, within seven days, and only for the address that it was sent to. */
@Injectable()
export class Invitations {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    private readonly passwords: PasswordHashes,
    private readonly sessions: Sessions,
  ) {}

  /**
   * What an invitation is for, as whoever holds it may know.
   * @throws AppError INVITATION_NOT_FOUND
   */
  async read(token: string): Promise<Pick<Invitation, 'email' | 'role'>> {
    const { email, role } = await this.presented(fingerprintOf(token));
    return { email, role };
  }

  /**
   * Makes an account with a password and signs it in.
   * @returns the cookie of the new session
   * @throws AppError INVITATION_NOT_FOUND; ACCOUNT_EXISTS, whose owner signs in and accepts as himself; INVALID_PARAMETER
   */
  async acceptWithPassword(token: string, password: string, earlier?: string): Promise<string> {
    const fingerprint = fingerprintOf(token);
    await this.presented(fingerprint);
    const hash = await this.passwords.hash(password);
    const userId = await this.makeAccount(fingerprint, { password: hash });
    return this.sessions.start({ userId, password: hash }, earlier);
  }

  /** The same for somebody who has an account: with its address only. @throws AppError INVITATION_NOT_FOUND */
  async acceptAs({ userId, email }: Session, token: string): Promise<void> {
    const fingerprint = fingerprintOf(token);
    const invitation = await this.presented(fingerprint);
    if (invitation.email !== email) throw new AppError('INVITATION_NOT_FOUND');
    await this.take(fingerprint, invitation, () => Promise.resolve(userId));
  }

  /**
   * Makes an account for the holder of an invitation.
   * @param fingerprint - of the invitation's token
   * @returns the user
   * @throws AppError INVITATION_NOT_FOUND, also where a provider vouches for another address; ACCOUNT_EXISTS
   */
  async makeAccount(fingerprint: Buffer, proof: Proof): Promise<string> {
    const invitation = await this.presented(fingerprint);
    const { email } = invitation;
    if ('email' in proof && proof.email !== email) throw new AppError('INVITATION_NOT_FOUND');
    const { password, issuer, subject } = { password: null, issuer: null, subject: null, ...proof };
    return this.take(fingerprint, invitation, async (transaction) => {
      const userId = randomUUID();
      await presentUser(transaction, userId);
      try {
        const createdAt = this.clock.now();
        await insertUser(transaction, { userId, email, password, issuer, subject, createdAt });
      } catch (error) {
        throw isUniqueViolation(error) ? new AppError('ACCOUNT_EXISTS') : error;
      }
      return userId;
    });
  }

  private async presented(fingerprint: Buffer): Promise<Invitation> {
    const found = await presentedInvitation(this.database, fingerprint, this.oldest());
    if (!found) throw new AppError('INVITATION_NOT_FOUND');
    return found;
  }

  /** The invitation is used and the membership made in one transaction: of two who come at once, one is late. */
  private take(
    fingerprint: Buffer,
    { companyId, email, role }: Invitation,
    userOf: (transaction: TenantTransaction) => Promise<string>,
  ): Promise<string> {
    return this.database.transaction(mintTenantScope(companyId), async (transaction) => {
      const now = this.clock.now();
      // Before the invitation is locked, as whoever removes people and their invitations does it.
      const people = await lockRoles(transaction);
      if (!(await acceptInvitation(transaction, fingerprint, now)))
        throw new AppError('INVITATION_NOT_FOUND');
      const userId = await userOf(transaction);
      // Somebody who came in by another way meanwhile keeps that role, and the log says which.
      const held = people.find((person) => person.userId === userId)?.role;
      if (held === undefined) await admit(transaction, { userId, email, role, createdAt: now });
      await recordAdministration(transaction, {
        ...{ by: { type: 'user', id: userId }, action: 'person.join', subject: userId, occurredAt: now },
        details: { role: held ?? role },
      });
      return userId;
    });
  }

  private oldest(): Date {
    return new Date(this.clock.now().getTime() - INVITATION_DAYS * DAY_MS);
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
