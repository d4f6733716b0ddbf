import { Inject, Injectable } from '@nestjs/common';
import { INSTALLATION, recordAdministration, type Deed } from '@outcomes/audit';
import { AppError, type OwnAccount } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { fingerprintOf } from '../sessions/secret';
import { Sessions, type Session } from '../sessions/sessions.service';
import { SignInThrottle } from '../sign-in/sign-in-throttle.service';

/** A password that takes the place of another. */
export interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

interface OwnSession {
  readonly fingerprint: Buffer;
  readonly signedInAt: Date;
  readonly lastUsedAt: Date;
}

/** What whoever is signed in sees of the own account, and may do to it. */
@Injectable()
export class OwnAccounts {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    private readonly passwords: PasswordHashes,
    private readonly sessions: Sessions,
    private readonly throttle: SignInThrottle,
  ) {}

  /** @param cookie - that the session was found by, so that it is told from the others */
  async of({ userId, email }: Session, cookie: string): Promise<OwnAccount> {
    const own = fingerprintOf(cookie);
    const { sessions, password } = await this.database.unscoped(
      { 'app.user_id': userId },
      async (client) => ({
        sessions: await client.query<OwnSession>(
          `SELECT session_sha256 AS fingerprint, signed_in_at AS "signedInAt", last_used_at AS "lastUsedAt"
         FROM user_sessions WHERE user_id = $1 ORDER BY last_used_at DESC`,
          [userId],
        ),
        password: await client.query<{ password: string | null }>(
          'SELECT password FROM users WHERE user_id = $1',
          [userId],
        ),
      }),
    );
    return {
      email,
      hasPassword: password.rows[0]?.password != null,
      sessions: sessions.rows.map(({ fingerprint, signedInAt, lastUsedAt }) => ({
        ...{ signedInAt: signedInAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() },
        isThis: fingerprint.equals(own),
      })),
    };
  }

  /**
   * Gives the own account another password. All its sessions end, whoever has them; whoever changed it gets a new one.
   * Wrong passwords count as failed sign-ins, so a stolen session does not lead to the password by trying.
   * @param ip - source address after the trusted proxies
   * @returns the cookie of the new session
   * @throws AppError SIGN_IN_FAILED for a wrong current password, and where there is none here;
   * TOO_MANY_FAILED_ATTEMPTS; INVALID_PARAMETER
   */
  async changePassword(
    { userId, email }: Session,
    { current, next }: PasswordChange,
    ip: string,
    deed: Deed,
  ): Promise<string> {
    await this.throttle.attempt(email, ip);
    const [user] = await this.database.unscoped({ 'app.user_id': userId }, async (client) => {
      const { rows } = await client.query<{ password: string | null }>(
        'SELECT password FROM users WHERE user_id = $1',
        [userId],
      );
      return rows;
    });
    if (!(await this.passwords.verify(current, user?.password))) throw new AppError('SIGN_IN_FAILED');
    await this.throttle.succeeded(email, ip);
    const hash = await this.passwords.hash(next);
    // An account is of no company: the log of the installation has it.
    const settings = { 'app.user_id': userId, 'app.company_id': INSTALLATION };
    await this.database.unscoped(settings, async (client) => {
      await client.query('UPDATE users SET password = $2 WHERE user_id = $1', [userId, hash]);
      await client.query('DELETE FROM user_sessions WHERE user_id = $1', [userId]);
      await recordAdministration(
        { companyId: INSTALLATION, client },
        { ...deed, action: 'person.change_password', subject: userId, occurredAt: this.clock.now() },
      );
    });
    return this.sessions.start(userId);
  }
}
