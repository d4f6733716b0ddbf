import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { TenantDatabase } from '@outcomes/tenancy';
import { PasswordHashes } from '../passwords/password-hashes.service';
import { userByAddress } from '../people/user.repository';
import { Sessions } from '../sessions/sessions.service';
import { emailAddress } from './email-address';
import { SignInThrottle } from './sign-in-throttle.service';

export interface LocalCredentials {
  readonly email: string;
  readonly password: string;
}

/** Signs people in who have a password here. */
@Injectable()
export class LocalSignIn {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    private readonly passwords: PasswordHashes,
    private readonly sessions: Sessions,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * @param ip - source address after the trusted proxies
   * @param earlier - the cookie that the browser presented
   * @returns the cookie of the new session
   * @throws AppError SIGN_IN_FAILED, the same and as late for whoever has no account, and where the password was changed
   * while it was verified; TOO_MANY_FAILED_ATTEMPTS; INVALID_PARAMETER
   */
  async signIn(given: LocalCredentials, ip: string, earlier?: string): Promise<string> {
    const email = emailAddress(given.email);
    await this.throttle.attempt(email, ip);
    const user = await userByAddress(this.database, email);
    const isRight = await this.passwords.verify(given.password, user?.password, ip);
    if (!user?.password || !isRight) throw new AppError('SIGN_IN_FAILED');
    await this.throttle.succeeded(email, ip);
    return this.sessions.start({ userId: user.userId, password: user.password }, earlier);
  }
}
