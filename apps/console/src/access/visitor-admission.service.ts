import { Inject, Injectable } from '@nestjs/common';
import { cookieOf, isSameOrigin, SESSION_COOKIE, Sessions, type Session } from '@outcomes/accounts';
import { ACCOUNT_PERMISSIONS, AppError, type AccountPermission } from '@outcomes/contracts';
import { Admission, ConcurrentRequests, Limiter, Strangers } from '@outcomes/limits';
import type { AdmissionRule, BodyOwner } from '@outcomes/limits';
import type { Exchange } from '@outcomes/platform';
import { CONSOLE_CONFIG, type ConsoleConfig } from '../console.config';
import type { Visitor } from './visitor.decorator';

/** The company that an address below it names. */
const COMPANY = /^\/api\/c\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|\?|$)/;
const BELOW_COMPANIES = /^\/api\/c(?=\/|\?|$)/;

/**
 * Lets people in by the cookie of their session: where the request comes from, who is signed in, and what he may do in
 * the company that the address names, in this order. Whoever is not signed in pays with the window of his address, and for
 * signing in and invitations everybody does.
 */
@Injectable()
export class VisitorAdmission extends Admission {
  constructor(
    @Inject(CONSOLE_CONFIG) private readonly config: ConsoleConfig,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Limiter) private readonly limiter: Limiter,
    @Inject(Strangers) private readonly strangers: Strangers,
    @Inject(ConcurrentRequests) private readonly concurrent: ConcurrentRequests,
  ) {
    super();
  }

  /** @throws AppError CROSS_SITE_REQUEST, NOT_SIGNED_IN, COMPANY_NOT_FOUND, MISSING_PERMISSION, RATE_LIMITED */
  override async authorizeRequest(exchange: Exchange, { access }: AdmissionRule): Promise<BodyOwner> {
    const { method, headers, url = '' } = exchange.request;
    const changes = method !== 'GET' && method !== 'HEAD';
    if (changes && !isSameOrigin(headers, this.config.CONSOLE_ORIGIN))
      throw new AppError('CROSS_SITE_REQUEST');
    const secret = cookieOf(headers.cookie, SESSION_COOKIE);
    const session = secret === undefined ? undefined : await this.find(exchange, secret);
    if (!session) return this.stranger(exchange, access);
    // What anybody may try costs whoever is signed in as much; signing out ends the session.
    if (access === 'visitor' && method === 'POST')
      exchange.setHeaders(await this.limiter.consumeAddress(exchange.ip));
    const entry = BELOW_COMPANIES.test(url) ? this.enter(session, url, access) : undefined;
    exchange.caller = { session, entry } satisfies Visitor;
    const owner = entry?.scope.companyId ?? session.userId;
    this.concurrent.begin(exchange, owner);
    return { companyId: owner, keyId: session.userId };
  }

  /** Made-up cookies would otherwise cost the database a transaction each, however many their address sends. */
  private async find({ ip }: Exchange, secret: string): Promise<Session | undefined> {
    try {
      await this.strangers.requireLookUp(ip, () => this.sessions.isFamiliar(secret));
    } catch (error) {
      // As everybody behind the address whom nobody knows: it says for how long.
      await this.limiter.consumeAddress(ip);
      throw error;
    }
    return this.sessions.find(secret);
  }

  private async stranger(exchange: Exchange, access: AdmissionRule['access']): Promise<BodyOwner> {
    exchange.setHeaders(await this.limiter.consumeAddress(exchange.ip));
    if (access !== 'visitor') throw new AppError('NOT_SIGNED_IN');
    exchange.caller = {} satisfies Visitor;
    this.concurrent.begin(exchange, exchange.ip);
    return { companyId: exchange.ip, keyId: exchange.ip };
  }

  private enter(session: Session, url: string, access: AdmissionRule['access']) {
    const companyId = COMPANY.exec(url)?.[1];
    if (companyId === undefined) throw new AppError('COMPANY_NOT_FOUND');
    // Whoever forgot to say what a handler asks for has asked for the most.
    const permission = isAccountPermission(access) ? access : 'manage_people';
    return this.sessions.enter(session, companyId, permission);
  }
}

function isAccountPermission(access: AdmissionRule['access']): access is AccountPermission {
  return (ACCOUNT_PERMISSIONS as readonly string[]).includes(access);
}
