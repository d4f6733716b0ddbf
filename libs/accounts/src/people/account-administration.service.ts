import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, INSTALLATION, recordAdministration, type Deed } from '@outcomes/audit';
import { AppError, type Role } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { PoolClient } from 'pg';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { emailAddress } from '../sign-in/email-address';

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
   * Makes an account where the address has none, and lets it into a company with that role.
   * @throws AppError COMPANY_NOT_FOUND, INVALID_PARAMETER
   */
  async createUser(scope: TenantScope, input: NewUser, deed: Deed = BY_THE_SERVICE): Promise<CreatedUser> {
    const email = emailAddress(input.email);
    const { role, password = newPassword() } = input;
    const hash = await this.passwords.hash(password);
    const now = this.clock.now();
    return this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const company = await client.query('SELECT FROM companies WHERE company_id = $1', [companyId]);
      if (company.rowCount === 0) throw new AppError('COMPANY_NOT_FOUND');
      const known = await this.userOf(client, email);
      const userId = known ?? randomUUID();
      if (known === undefined) {
        await client.query(
          'INSERT INTO users (user_id, email, password, created_at) VALUES ($1, $2, $3, $4)',
          [userId, email, hash, now],
        );
      }
      await client.query(
        `INSERT INTO memberships (company_id, user_id, email, role, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (company_id, user_id) DO UPDATE SET role = excluded.role`,
        [companyId, userId, email, role, now],
      );
      await recordAdministration(transaction, {
        ...{ ...deed, action: 'person.admit', subject: userId, occurredAt: now },
        details: { role, has_new_account: known === undefined },
      });
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
    await this.database.unscoped({}, async (client) => {
      const userId = await this.userOf(client, email);
      if (userId === undefined) throw new AppError('PERSON_NOT_FOUND');
      await client.query(`SELECT set_config('app.user_id', $1, true)`, [userId]);
      await client.query('UPDATE users SET password = $2 WHERE user_id = $1', [userId, hash]);
      await client.query('DELETE FROM user_sessions WHERE user_id = $1', [userId]);
      // An account is of no company: the log of the installation has it.
      await client.query(`SELECT set_config('app.company_id', $1, true)`, [INSTALLATION]);
      await recordAdministration(
        { companyId: INSTALLATION, client },
        { ...deed, action: 'person.reset_password', subject: userId, occurredAt: this.clock.now() },
      );
    });
    return { email, password };
  }

  private async userOf(client: PoolClient, email: string): Promise<string | undefined> {
    await client.query(`SELECT set_config('app.user_email', $1, true)`, [email]);
    const { rows } = await client.query<{ userId: string }>(
      'SELECT user_id AS "userId" FROM users WHERE email = $1',
      [email],
    );
    return rows[0]?.userId;
  }
}

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
