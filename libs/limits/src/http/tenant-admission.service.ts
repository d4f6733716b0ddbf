import { Inject, Injectable } from '@nestjs/common';
import { Authenticator, permits, type Identity, type Principal } from '@outcomes/auth';
import { AppError, PERMISSIONS, type Permission } from '@outcomes/contracts';
import type { Exchange } from '@outcomes/platform';
import { burstHeaders, quotaHeaders } from '../limiter/consumption';
import type { Consumption, LimitSubject, Surface } from '../limiter/consumption';
import { Limiter } from '../limiter/limiter.service';
import { ConcurrentRequests } from '../shares/concurrent-requests.service';
import { PacedRefusals } from '../shares/paced-refusals.service';
import { Admission, type AdmissionRule } from './admission';
import { credentialsOf, type RequestCredentials } from './request-credentials';
import { Strangers } from './strangers.service';

export const SURFACE = Symbol('Surface');

/** Credential, tenant, permission, limits, headers, in this order: what is for one tenant, which is all of REST. */
@Injectable()
export class TenantAdmission extends Admission {
  constructor(
    @Inject(SURFACE) private readonly surface: Surface,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Limiter) private readonly limiter: Limiter,
    @Inject(Strangers) private readonly strangers: Strangers,
    @Inject(ConcurrentRequests) private readonly concurrent: ConcurrentRequests,
    @Inject(PacedRefusals) private readonly refusals: PacedRefusals,
  ) {
    super();
  }

  /** A request of a proven credential consumes the burst window even where it is refused from here on. */
  override async authorizeRequest(exchange: Exchange, rule: AdmissionRule): Promise<Principal> {
    const presented = credentialsOf(exchange, this.surface);
    const identity =
      this.strangers.identifyCached(presented) ?? (await this.strangers.identify(presented, exchange));
    const entry =
      this.resolveOwnTenant(identity, rule, presented) ?? (await this.enter(identity, rule, presented));
    const refused = entry instanceof AppError;
    const subject: LimitSubject = refused ? identity : entry;
    const countsQuota = !refused && rule.countsQuota && this.surface === 'read';
    const payer = subject.scope?.companyId ?? subject.keyId;
    let consumption: Consumption;
    try {
      // Before anything is asked of Redis: what is refused here costs nobody anything, and consumes nothing.
      this.concurrent.begin(exchange, payer);
      consumption = await this.limiter.consume(subject, { surface: this.surface, countsQuota });
    } catch (error) {
      return this.refusals.refuse(exchange, payer, error);
    }
    exchange.setHeaders(burstHeaders(consumption));
    exchange.setHeaders(quotaHeaders(consumption));
    if (refused) throw entry;
    exchange.caller = entry;
    exchange.consumed = consumption;
    if (countsQuota) exchange.onResponseHeaders = this.refundUnlessServed;
    return entry;
  }

  /** Without a wait, where the credential has one tenant. */
  private resolveOwnTenant(
    identity: Identity,
    rule: AdmissionRule,
    presented: RequestCredentials,
  ): Principal | AppError | undefined {
    try {
      const principal = this.authenticator.resolveOwnTenant(identity, presented);
      return principal && permitted(principal, rule);
    } catch (error) {
      return refusalIn(error);
    }
  }

  private async enter(
    identity: Identity,
    rule: AdmissionRule,
    presented: RequestCredentials,
  ): Promise<Principal | AppError> {
    try {
      return permitted(await this.authenticator.enter(identity, presented), rule);
    } catch (error) {
      return refusalIn(error);
    }
  }

  /**
   * What was not new (304), not right (4xx) or not delivered (5xx) does not count against the month. One function for all
   * requests: one made for each outlives its request by many, with all that the request holds.
   */
  private readonly refundUnlessServed = (status: number, exchange: Exchange): void => {
    if (status < 400 && status !== 304) return;
    const consumption = exchange.consumed as Consumption;
    exchange.setHeaders(quotaHeaders({ ...consumption, quotaUsed: consumption.quotaUsed - 1 }));
    void this.limiter.refundQuota(exchange.caller as Principal, consumption.month);
  };
}

function permitted(principal: Principal, { access }: AdmissionRule): Principal | AppError {
  // What people hold in the console is nothing that a key could.
  const isPermitted = access === 'guarded' || (isOfKeys(access) && permits(principal, access, 'rest'));
  return isPermitted ? principal : new AppError('Forbidden');
}

function isOfKeys(access: AdmissionRule['access']): access is Permission {
  return (PERMISSIONS as readonly string[]).includes(access);
}

/** What the caller did wrong; our own faults are thrown on. */
function refusalIn(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error;
  throw error;
}
