import { Inject, Injectable } from '@nestjs/common';
import { AppError, RECENT_SIGN_IN_MINUTES } from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import * as oidc from 'openid-client';
import { Invitations } from '../people/invitations.service';
import { userOfProvider } from '../people/user.repository';
import { fingerprintOf, newSecret } from '../sessions/secret';
import { SESSION_SECONDS, Sessions } from '../sessions/sessions.service';
import { keepAttempt, takeAttempt, type SignInAttempt } from './sign-in-attempt.repository';

/** How long the way to the provider and back may take. */
const ATTEMPT_MS = 600_000;
export const ATTEMPT_SECONDS = ATTEMPT_MS / 1_000;
export const OIDC_PROVIDER = Symbol('OidcProvider');

/** An identity provider, and where it sends people back to. */
export interface OidcProvider {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: URL;
}

/** Whom the provider vouches for. */
interface Vouched {
  readonly claims: oidc.IDToken;
  readonly accessToken: string;
}

/**
 * Signs people in by code and PKCE at an OpenID Connect provider. An attempt is kept in Postgres under the cookie of the
 * browser that began it, and used once. Accounts are found by issuer and subject; an address, which changes hands, finds
 * none. It only opens an invitation, where the provider has verified it, and an account of that address with it.
 */
@Injectable()
export class OidcSignIn {
  private discovered: Promise<oidc.Configuration> | undefined;

  constructor(
    @Inject(OIDC_PROVIDER) private readonly provider: OidcProvider,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    private readonly invitations: Invitations,
    private readonly sessions: Sessions,
  ) {}

  /**
   * @param invitation - token of one that is to be accepted on the way
   * @param reauthenticates - whether somebody who is signed in begins this: the provider then has to authenticate anew, and
   * to say when it did. Otherwise the provider may know the browser, for as long as a session lasts.
   * @returns where to send the browser, and the cookie that ties the answer to it
   * @throws AppError SERVICE_UNAVAILABLE where the provider does not answer
   */
  async begin(invitation?: string, reauthenticates = false): Promise<{ location: URL; cookie: string }> {
    const configuration = await this.configuration();
    const cookie = newSecret();
    const [nonce, verifier] = [oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    await keepAttempt(this.database, fingerprintOf(cookie), {
      ...{ nonce, verifier, beganAt: this.clock.now(), reauthenticates },
      invitation: invitation === undefined ? null : fingerprintOf(invitation),
    });
    const location = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.provider.redirectUri.href,
      scope: 'openid email',
      // With it the standard requires the provider to say when it authenticated the person.
      max_age: String(reauthenticates ? 0 : SESSION_SECONDS),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: stateOf(cookie),
      nonce,
    });
    return { location, cookie };
  }

  /**
   * @param query - of the address that the provider sent the browser to, beginning with `?`
   * @param cookie - what `begin` gave the browser
   * @param earlier - the session cookie that it presents
   * @returns the cookie of the new session
   * @throws AppError IDENTITY_REFUSED for whatever is wrong, and for a stranger without an invitation; what
   * `Invitations.acceptVouched` throws where one was to be accepted on the way
   */
  async finish(query: string, cookie: string | undefined, earlier?: string): Promise<string> {
    const attempt = cookie === undefined ? undefined : await this.take(fingerprintOf(cookie));
    if (cookie === undefined || !attempt) throw new AppError('IDENTITY_REFUSED');
    const vouched = await this.askProvider(query, stateOf(cookie), attempt);
    const { iss: issuer, sub: subject } = vouched.claims;
    const signedInAt = this.authenticatedAt(vouched.claims);
    const known = await userOfProvider(this.database, { issuer, subject });
    const { invitation } = attempt;
    const userId = invitation === null ? known : await this.accept(vouched, invitation, known);
    if (userId === undefined) throw new AppError('IDENTITY_REFUSED');
    return this.sessions.start({ userId, signedInAt }, earlier);
  }

  private async askProvider(
    query: string,
    state: string,
    { nonce, verifier, beganAt, reauthenticates }: SignInAttempt,
  ): Promise<Vouched> {
    const configuration = await this.configuration();
    try {
      const answered = new URL(query, this.provider.redirectUri);
      const tokens = await oidc.authorizationCodeGrant(configuration, answered, {
        expectedNonce: nonce,
        expectedState: state,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        // The address that the browser went to was in its hands: what it asked for is checked here.
        ...(reauthenticates && { maxAge: this.secondsSince(beganAt) }),
      });
      const claims = tokens.claims();
      if (!claims) throw new AppError('IDENTITY_REFUSED');
      return { claims, accessToken: tokens.access_token };
    } catch (cause) {
      throw new AppError('IDENTITY_REFUSED', {}, { cause });
    }
  }

  private async accept(vouched: Vouched, invitation: Buffer, known: string | undefined): Promise<string> {
    const { iss, sub } = vouched.claims;
    const { email, email_verified: isVerified } = await this.personOf(vouched);
    if (email === undefined || isVerified !== true)
      throw new AppError(known === undefined ? 'IDENTITY_REFUSED' : 'INVITATION_NOT_FOUND');
    const identity = { issuer: iss, subject: sub, email: email.trim().toLowerCase() };
    return this.invitations.acceptVouched(invitation, identity, known);
  }

  /** Providers that follow the standard to the letter tell the address to whoever asks with the token. */
  private async personOf({ claims, accessToken }: Vouched): Promise<oidc.UserInfoResponse> {
    if (claims.email !== undefined) return claims;
    const configuration = await this.configuration();
    try {
      return await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
    } catch (cause) {
      throw new AppError('IDENTITY_REFUSED', {}, { cause });
    }
  }

  /**
   * When the provider authenticated the person. One that does not say so is believed for a session, but not for what wants
   * a sign-in of the last minutes.
   */
  private authenticatedAt({ auth_time: authTime }: oidc.IDToken): Date {
    const now = this.clock.now();
    if (authTime === undefined) {
      this.logger.warn('the identity provider does not say when it authenticated people (auth_time)');
      return new Date(now.getTime() - RECENT_SIGN_IN_MINUTES * 60_000 - 1);
    }
    const authenticatedAt = new Date(authTime * 1_000);
    if (this.secondsSince(authenticatedAt) > SESSION_SECONDS) throw new AppError('IDENTITY_REFUSED');
    return authenticatedAt < now ? authenticatedAt : now;
  }

  private secondsSince(moment: Date): number {
    return Math.max(0, Math.ceil((this.clock.now().getTime() - moment.getTime()) / 1_000));
  }

  /** An attempt is gone once it was presented, whatever comes of it. */
  private async take(attempt: Buffer): Promise<SignInAttempt | undefined> {
    const found = await takeAttempt(this.database, attempt);
    return found && found.beganAt.getTime() >= this.clock.now().getTime() - ATTEMPT_MS ? found : undefined;
  }

  /** The provider is asked about itself once, and again after a failure: the console starts without it. */
  private configuration(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.provider;
    // Plain http is for a provider on this machine.
    const execute = issuer.hostname === 'localhost' ? [oidc.allowInsecureRequests] : [];
    this.discovered ??= oidc
      .discovery(issuer, clientId, clientSecret, undefined, { execute })
      .catch((cause: unknown) => {
        this.discovered = undefined;
        this.logger.warn({ err: cause }, 'the identity provider does not answer');
        throw new AppError('SERVICE_UNAVAILABLE', {}, { cause, headers: { 'Retry-After': '5' } });
      });
    return this.discovered;
  }
}

/** What travels through the provider: it proves that the answer is to this browser's question, and tells no secret. */
function stateOf(cookie: string): string {
  return fingerprintOf(`state ${cookie}`).toString('base64url');
}
