import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { recordAdministration } from '@outcomes/audit';
import { AppError, DAY_MS, type Role } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import type { PoolClient } from 'pg';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { fingerprintOf } from '../sessions/secret';
import { Sessions, type Session } from '../sessions/sessions.service';
import { INVITATION_DAYS } from './people.service';

const UNIQUE_VIOLATION = '23505';

export interface Invitation {
  readonly companyId: string;
  readonly email: string;
  readonly role: Role;
}

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
    return this.sessions.start(await this.makeAccount(fingerprint, { password: hash }), earlier);
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
    return this.take(fingerprint, invitation, async (client) => {
      const userId = randomUUID();
      await client.query(`SELECT set_config('app.user_id', $1, true)`, [userId]);
      try {
        await client.query(
          `INSERT INTO users (user_id, email, password, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
          [userId, email, password, issuer, subject, this.clock.now()],
        );
      } catch (error) {
        throw isUniqueViolation(error) ? new AppError('ACCOUNT_EXISTS') : error;
      }
      return userId;
    });
  }

  private async presented(fingerprint: Buffer): Promise<Invitation> {
    const [found] = await this.database.unscoped(
      { 'app.invitation': fingerprint.toString('hex') },
      async (client) => {
        const { rows } = await client.query<Invitation>(
          `SELECT company_id AS "companyId", email, role FROM invitations
           WHERE invitation_sha256 = $1 AND accepted_at IS NULL AND created_at > $2`,
          [fingerprint, this.oldest()],
        );
        return rows;
      },
    );
    if (!found) throw new AppError('INVITATION_NOT_FOUND');
    return found;
  }

  /** The invitation is used and the membership made in one transaction: of two who come at once, one is late. */
  private take(
    fingerprint: Buffer,
    { companyId, email, role }: Invitation,
    userOf: (client: PoolClient) => Promise<string>,
  ): Promise<string> {
    return this.database.transaction(mintTenantScope(companyId), async (transaction) => {
      const { client } = transaction;
      const now = this.clock.now();
      const used = await client.query(
        `UPDATE invitations SET accepted_at = $3 WHERE company_id = $1 AND invitation_sha256 = $2
           AND accepted_at IS NULL`,
        [companyId, fingerprint, now],
      );
      if (used.rowCount !== 1) throw new AppError('INVITATION_NOT_FOUND');
      const userId = await userOf(client);
      // Somebody who is here already keeps the role that he has.
      await client.query(
        `INSERT INTO memberships (company_id, user_id, email, role, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (company_id, user_id) DO NOTHING`,
        [companyId, userId, email, role, now],
      );
      await recordAdministration(transaction, {
        ...{ by: { type: 'user', id: userId }, action: 'person.join', subject: userId, occurredAt: now },
        details: { role },
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
