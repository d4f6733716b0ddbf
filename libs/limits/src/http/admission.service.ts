import { Inject, Injectable } from '@nestjs/common';
import { Authenticator, setCaller, type AccessRule, type Identity, type Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import type { Request, Response } from 'express';
import { burstHeaders, quotaHeaders } from '../limiter/consumption';
import type { Consumption, LimitSubject, Surface } from '../limiter/consumption';
import { Limiter } from '../limiter/limiter.service';
import { beforeHead } from './before-head';
import { setConsumed } from './consumed.decorator';
import { presentedBy } from './presented';

export const SURFACE = Symbol('Surface');

/** What a handler's decorators ask of a request. */
export interface HandlerRule {
  readonly access: Exclude<AccessRule, 'public'>;
  readonly countsQuota: boolean;
}

/** Credential, tenant, permission, limits, headers, in this order: what the guard does, without Nest around it. */
@Injectable()
export class Admission {
  constructor(
    @Inject(SURFACE) private readonly surface: Surface,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Limiter) private readonly limiter: Limiter,
  ) {}

  /**
   * Lets a request in that no guard sees, or refuses it as the guard would.
   * @throws AppError whatever refuses the request
   */
  async pass(request: Request, response: Response, rule: HandlerRule): Promise<Principal> {
    let identity: Identity;
    try {
      identity = await this.identify(request);
    } catch (error) {
      if (paysForItself(error)) response.set(await this.limiter.consumeAddress(request.ip ?? ''));
      throw error;
    }
    return this.admit(identity, rule, request, response);
  }

  /** @throws AppError as `Authenticator.identify` does; nothing is counted */
  identify(request: Request): Promise<Identity> {
    return this.authenticator.identify(presentedBy(request, this.surface));
  }

  /** A request of a proven credential consumes the burst window even where it is refused from here on. */
  async admit(
    identity: Identity,
    rule: HandlerRule,
    request: Request,
    response: Response,
  ): Promise<Principal> {
    const entry = await this.enter(identity, rule, request);
    const refused = entry instanceof AppError;
    const subject: LimitSubject = refused ? identity : entry;
    const countsQuota = !refused && rule.countsQuota && this.surface === 'read';
    const consumption = await this.limiter.consume(subject, { surface: this.surface, countsQuota });
    setHeaders(response, burstHeaders(consumption));
    setHeaders(response, quotaHeaders(consumption));
    if (refused) throw entry;
    if (countsQuota) this.refundUnlessServed(subject, consumption, response);
    setCaller(request, entry);
    setConsumed(request, consumption);
    return entry;
  }

  private async enter(identity: Identity, rule: HandlerRule, request: Request) {
    try {
      const principal = await this.authenticator.enter(identity, presentedBy(request, this.surface));
      const permitted =
        rule.access === 'guarded' || principal.permissions.some((held) => held === rule.access);
      return permitted ? principal : new AppError('Forbidden');
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return error;
      throw error;
    }
  }

  /** What was not new (304), not right (4xx) or not delivered (5xx) does not count against the month. */
  private refundUnlessServed(subject: LimitSubject, consumption: Consumption, response: Response): void {
    beforeHead(response, (status) => {
      if (status < 400 && status !== 304) return;
      response.set(quotaHeaders({ ...consumption, quotaUsed: consumption.quotaUsed - 1 }));
      void this.limiter.refundQuota(subject, consumption.month);
    });
  }
}

/** The address pays for what it presents, not for our own faults. */
export function paysForItself(error: unknown): boolean {
  return error instanceof AppError && error.status < 500;
}

/** Without the look at each name and value that Express takes: these are ours. */
function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}
