import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  ATTEMPT_SECONDS,
  cookieOf,
  Invitations,
  LocalSignIn,
  OidcSignIn,
  OwnAccounts,
  SESSION_COOKIE,
  SESSION_SECONDS,
  Sessions,
  setCookie,
  SIGN_IN_COOKIE,
  type LocalCredentials,
  type PasswordChange,
  type Session,
} from '@outcomes/accounts';
import { AppError, type OwnAccount } from '@outcomes/contracts';
import type { Exchange } from '@outcomes/platform';
import type { Visitor } from '../access/visitor.decorator';

/** Hands out and takes back the cookies of sessions. */
@Injectable()
export class SignInDesk {
  constructor(
    @Optional() @Inject(LocalSignIn) private readonly local: LocalSignIn | undefined,
    @Optional() @Inject(OidcSignIn) private readonly oidc: OidcSignIn | undefined,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Invitations) private readonly invitations: Invitations,
    @Inject(OwnAccounts) private readonly accounts: OwnAccounts,
  ) {}

  /** How people sign in here. */
  get kind(): 'local' | 'oidc' {
    return this.oidc ? 'oidc' : 'local';
  }

  async signIn(exchange: Exchange, credentials: LocalCredentials): Promise<object> {
    if (!this.local) throw new AppError('SIGN_IN_ELSEWHERE');
    return this.opened(exchange, await this.local.signIn(credentials, exchange.ip, presented(exchange)));
  }

  async signOut(exchange: Exchange, everywhere: Session | undefined): Promise<object> {
    const cookie = presented(exchange);
    if (everywhere) await this.sessions.endAll(everywhere.userId);
    else if (cookie !== undefined) await this.sessions.end(cookie);
    exchange.setHeader('Set-Cookie', setCookie(SESSION_COOKIE, '', 0));
    return { signedIn: false };
  }

  account(exchange: Exchange, session: Session): Promise<OwnAccount> {
    return this.accounts.of(session, presented(exchange) ?? '');
  }

  /** Ends every session of the account, and opens a new one for whoever changed the password. */
  async changePassword(exchange: Exchange, session: Session, change: PasswordChange): Promise<object> {
    if (!this.local) throw new AppError('SIGN_IN_ELSEWHERE');
    const deed = { by: { type: 'user', id: session.userId }, requestId: exchange.requestId } as const;
    return this.opened(exchange, await this.accounts.changePassword(session, change, exchange.ip, deed));
  }

  /** Whoever is signed in has to be authenticated anew there. */
  async beginElsewhere(exchange: Exchange, invitation?: string): Promise<object> {
    if (!this.oidc) throw new AppError('NOT_FOUND');
    const { session } = exchange.caller as Visitor;
    const { location, cookie } = await this.oidc.begin(invitation, session !== undefined);
    exchange.setHeader('Set-Cookie', setCookie(SIGN_IN_COOKIE, cookie, ATTEMPT_SECONDS));
    return { location: location.href };
  }

  /** Ends on the page, signed in, or on the sign-in with the reason's code. */
  async finishElsewhere(exchange: Exchange): Promise<void> {
    if (!this.oidc) throw new AppError('NOT_FOUND');
    const { headers, url = '' } = exchange.request;
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    try {
      const attempt = cookieOf(headers.cookie, SIGN_IN_COOKIE);
      this.opened(exchange, await this.oidc.finish(query, attempt, presented(exchange)));
      exchange.setHeader('Location', '/');
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      exchange.setHeader('Location', `/sign-in?refused=${error.code}`);
    }
    exchange.send(303, '');
  }

  /** As whoever is signed in, or with a password for a new account. */
  async accept(exchange: Exchange, token: string, password: string | undefined): Promise<object> {
    const { session } = exchange.caller as Visitor;
    if (session) {
      await this.invitations.acceptAs(session, token);
      return { signedIn: true };
    }
    if (!this.local) throw new AppError('SIGN_IN_ELSEWHERE');
    if (password === undefined) throw new AppError('NOT_SIGNED_IN');
    return this.opened(
      exchange,
      await this.invitations.acceptWithPassword(token, password, exchange.ip, presented(exchange)),
    );
  }

  private opened(exchange: Exchange, cookie: string): object {
    exchange.setHeader('Set-Cookie', setCookie(SESSION_COOKIE, cookie, SESSION_SECONDS));
    return { signedIn: true };
  }
}

function presented({ request }: Exchange): string | undefined {
  return cookieOf(request.headers.cookie, SESSION_COOKIE);
}
