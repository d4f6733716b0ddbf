import { Inject, Injectable } from '@nestjs/common';
import { Authenticator, type AccessRule, type Identity, type Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import type { Exchange } from '@outcomes/platform';
import { burstHeaders, quotaHeaders } from '../limiter/consumption';
import type { Consumption, LimitSubject, Surface } from '../limiter/consumption';
import { Limiter } from '../limiter/limiter.service';
import { presentedBy, type Presented, type Sender } from './presented';
import { setHeaders, type SetHeader } from './set-header';
import { Strangers } from './strangers.service';

export const SURFACE = Symbol('Surface');

/** What a handler's decorators ask of a request. */
export interface HandlerRule {
  readonly access: Exclude<AccessRule, 'public'>;
  readonly countsQuota: boolean;
}

/** A request that was let in. */
export interface Admitted {
  readonly principal: Principal;
  readonly consumption: Consumption;
  /** To be told of the answer's status while its headers can still change, unless it is a plain success. */
  readonly settle: (status: number) => void;
}

/** Credential, tenant, permission, limits, headers, in this order: what the guard does, without Nest around it. */
@Injectable()
export class Admission {
  constructor(
    @Inject(SURFACE) private readonly surface: Surface,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Limiter) private readonly limiter: Limiter,
    @Inject(Strangers) private readonly strangers: Strangers,
  ) {}

  /**
   * Lets a request on the fast path in, or refuses it as the guard would.
   * @throws AppError whatever refuses the request
   */
  async pass(exchange: Exchange, rule: HandlerRule): Promise<Principal> {
    const { ip, setHeader } = exchange;
    const presented = this.presentedBy({ headers: exchange.request.headers, ip });
    const identity = await this.strangers.identify(presented, setHeader);
    const { principal, settle } = await this.admit(identity, rule, presented, setHeader);
    exchange.beforeRefusal = settle;
    return principal;
  }

  /** What a request presents, as this surface takes it. */
  presentedBy(sender: Sender): Presented {
    return presentedBy(sender, this.surface);
  }

  /** @throws AppError as `Strangers.prove` does; nothing is counted */
  identify(presented: Presented): Promise<Identity> {
    return this.strangers.prove(presented);
  }

  /**
   * A request of a proven credential consumes the burst window even where it is refused from here on.
   * @throws AppError Forbidden, RATE_LIMITED and whatever else `Authenticator.enter` and `Limiter.consume` refuse
   */
  async admit(
    identity: Identity,
    rule: HandlerRule,
    presented: Presented,
    setHeader: SetHeader,
  ): Promise<Admitted> {
    const entry = this.enterOwn(identity, rule, presented) ?? (await this.enter(identity, rule, presented));
    const refused = entry instanceof AppError;
    const subject: LimitSubject = refused ? identity : entry;
    const countsQuota = !refused && rule.countsQuota && this.surface === 'read';
    const consumption = await this.limiter.consume(subject, { surface: this.surface, countsQuota });
    setHeaders(setHeader, burstHeaders(consumption));
    setHeaders(setHeader, quotaHeaders(consumption));
    if (refused) throw entry;
    const settle = (status: number) => {
      if (countsQuota) this.refundUnlessServed(status, subject, consumption, setHeader);
    };
    return { principal: entry, consumption, settle };
  }

  /** Without a wait, where the credential has one tenant. */
  private enterOwn(
    identity: Identity,
    rule: HandlerRule,
    presented: Presented,
  ): Principal | AppError | undefined {
    try {
      const principal = this.authenticator.enterOwn(identity, presented);
      return principal && permitted(principal, rule);
    } catch (error) {
      return refusalIn(error);
    }
  }

  private async enter(
    identity: Identity,
    rule: HandlerRule,
    presented: Presented,
  ): Promise<Principal | AppError> {
    try {
      return permitted(await this.authenticator.enter(identity, presented), rule);
    } catch (error) {
      return refusalIn(error);
    }
  }

  /** What was not new (304), not right (4xx) or not delivered (5xx) does not count against the month. */
  private refundUnlessServed(
    status: number,
    subject: LimitSubject,
    consumption: Consumption,
    setHeader: SetHeader,
  ): void {
    if (status < 400 && status !== 304) return;
    setHeaders(setHeader, quotaHeaders({ ...consumption, quotaUsed: consumption.quotaUsed - 1 }));
    void this.limiter.refundQuota(subject, consumption.month);
  }
}

function permitted(principal: Principal, { access }: HandlerRule): Principal | AppError {
  const isPermitted = access === 'guarded' || principal.permissions.includes(access);
  return isPermitted ? principal : new AppError('Forbidden');
}

/** What the caller did wrong; our own faults are thrown on. */
function refusalIn(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error;
  throw error;
}
