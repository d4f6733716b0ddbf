import { Inject, Injectable } from '@nestjs/common';
import type { Deed } from '@outcomes/audit';
import { AppError, type OwnAccount } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { fingerprintOf } from '../sessions/secret';
import type { Session } from '../sessions/session.repository';
import { Sessions } from '../sessions/sessions.service';
import { SignInThrottle } from '../sign-in/sign-in-throttle.service';
import { accountOf, changePassword, passwordOf } from './user.repository';

/** A password that takes the place of another. */
export interface PasswordChange {
  readonly current: string;
  readonly next: string;
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
    const { sessions, password } = await accountOf(this.database, userId);
    return {
      email,
      hasPassword: password != null,
      sessions: sessions.map(({ fingerprint, signedInAt, lastUsedAt }) => ({
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
   * @throws AppError SIGN_IN_FAILED for a wrong current password, for one that was changed meanwhile, and where there is
   * none here; TOO_MANY_FAILED_ATTEMPTS; INVALID_PARAMETER
   */
  async changePassword(
    { userId, email }: Session,
    { current, next }: PasswordChange,
    ip: string,
    deed: Deed,
  ): Promise<string> {
    await this.throttle.attempt(email, ip);
    const password = await passwordOf(this.database, userId);
    const isRight = await this.passwords.verify(current, password, ip);
    if (!password || !isRight) throw new AppError('SIGN_IN_FAILED');
    await this.throttle.succeeded(email, ip);
    const hash = await this.passwords.hash(next, ip);
    const entry = { ...deed, action: 'person.change_password', occurredAt: this.clock.now() } as const;
    if (!(await changePassword(this.database, userId, { verified: password, next: hash }, entry)))
      throw new AppError('SIGN_IN_FAILED');
    return this.sessions.start({ userId, password: hash });
  }
}
