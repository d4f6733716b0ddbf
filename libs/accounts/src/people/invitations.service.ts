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
import { insertUser, linkIdentity, lockUserAt, presentUser, type Identity } from './user.repository';

const UNIQUE_VIOLATION = '23505';

/** An identity, and the address of it that the provider has verified. */
export interface VouchedIdentity extends Identity {
  readonly email: string;
}

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
   * @param ip - source address after the trusted proxies
   * @param earlier - the cookie that the browser presented
   * @returns the cookie of the new session
   * @throws AppError INVITATION_NOT_FOUND; ACCOUNT_EXISTS, whose owner signs in and accepts as himself; INVALID_PARAMETER
   */
  async acceptWithPassword(token: string, password: string, ip: string, earlier?: string): Promise<string> {
    const fingerprint = fingerprintOf(token);
    await this.presented(fingerprint);
    const hash = await this.passwords.hash(password, ip);
    const invitation = await this.presented(fingerprint);
    const userId = await this.take(fingerprint, invitation, (transaction) =>
      this.insert(transaction, invitation.email, { password: hash }),
    );
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
   * The same for whoever the provider vouches for, if the invitation's address is the one that it has verified. Without an
   * account yet, the account of the address is taken, or a new one made.
   * @param fingerprint - of the invitation's token
   * @param known - the user that the provider's issuer and subject belong to
   * @returns the user
   * @throws AppError INVITATION_NOT_FOUND, also for another address; ACCOUNT_EXISTS where the account of the address belongs
   * to another identity, and the invitation was not made to give it to this one
   */
  async acceptVouched(
    fingerprint: Buffer,
    vouched: VouchedIdentity,
    known: string | undefined,
  ): Promise<string> {
    const invitation = await this.presented(fingerprint);
    if (vouched.email !== invitation.email) throw new AppError('INVITATION_NOT_FOUND');
    return this.take(fingerprint, invitation, async (transaction) =>
      known === undefined ? this.accountOf(transaction, invitation, vouched) : known,
    );
  }

  private async accountOf(
    transaction: TenantTransaction,
    { email, relinks }: Invitation,
    { issuer, subject }: VouchedIdentity,
  ): Promise<string> {
    const user = await lockUserAt(transaction, email);
    if (!user) return this.insert(transaction, email, { issuer, subject });
    if (user.issuer !== null && !relinks) throw new AppError('ACCOUNT_EXISTS');
    const { userId } = user;
    await orAccountExists(linkIdentity(transaction, userId, { issuer, subject }));
    await recordAdministration(transaction, {
      ...{ by: { type: 'user', id: userId }, action: 'person.link_identity', subject: userId },
      ...{ details: { replaced: user.issuer !== null }, occurredAt: this.clock.now() },
    });
    return userId;
  }

  private async insert(
    transaction: TenantTransaction,
    email: string,
    proof: { readonly password: string } | Identity,
  ): Promise<string> {
    const userId = randomUUID();
    await presentUser(transaction, userId);
    const user = { password: null, issuer: null, subject: null, ...proof };
    const createdAt = this.clock.now();
    await orAccountExists(insertUser(transaction, { ...user, userId, email, createdAt }));
    return userId;
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

/** @throws AppError ACCOUNT_EXISTS where the address or the identity is somebody's */
async function orAccountExists(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
    throw isTaken ? new AppError('ACCOUNT_EXISTS') : error;
  }
}
