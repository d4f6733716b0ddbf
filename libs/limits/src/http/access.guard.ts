import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { InjectThrottlerOptions, InjectThrottlerStorage, ThrottlerGuard } from '@nestjs/throttler';
import type { ThrottlerLimitDetail, ThrottlerModuleOptions, ThrottlerStorage } from '@nestjs/throttler';
import { accessRuleOf, Authenticator, setCaller, type AccessRule, type Identity } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import type { Request, Response } from 'express';
import { addressExceeded, burstHeaders, policyOf, quotaHeaders } from '../limiter/consumption';
import type { Consumption, LimitSubject, Surface } from '../limiter/consumption';
import { Limiter } from '../limiter/limiter.service';
import { beforeHead } from './before-head';
import { BURST_ONLY } from './burst-only.decorator';
import { setConsumed } from './consumed.decorator';
import { presentedBy } from './presented';

export const SURFACE = Symbol('Surface');

interface HandlerRule {
  readonly access: AccessRule;
  readonly countsQuota: boolean;
}

/**
 * The one guard of the REST surfaces: credential, tenant, permission, limits, headers, in this order and in one
 * place, because a chain of interceptors costs more than the work. Requests of a proven credential go to the
 * Limiter; all others run through the frame of @nestjs/throttler, per source address.
 */
@Injectable()
export class AccessGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';
  private readonly rules = new WeakMap<object, HandlerRule>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    @Inject(Reflector) reflector: Reflector,
    @Inject(SURFACE) private readonly surface: Surface,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Limiter) private readonly limiter: Limiter,
  ) {
    super(options, storage, reflector);
  }

  /** @throws AppError whatever refuses the request */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.ruleOf(context);
    if (rule.access === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const identity = await this.identify(context, request);
    await this.admit(identity, rule, request, http.getResponse<Response>());
    return true;
  }

  private async identify(context: ExecutionContext, request: Request): Promise<Identity> {
    try {
      return await this.authenticator.identify(presentedBy(request, this.surface));
    } catch (error) {
      // The address pays for what it presents, not for our own faults.
      if (error instanceof AppError && error.status < 500) await super.canActivate(context);
      throw error;
    }
  }

  /** A request of a proven credential consumes the burst window even where it is refused from here on. */
  private async admit(
    identity: Identity,
    rule: HandlerRule,
    request: Request,
    response: Response,
  ): Promise<void> {
    const entry = await this.enter(identity, rule, request);
    const refused = entry instanceof AppError;
    const subject: LimitSubject = refused ? identity : entry;
    const countsQuota = !refused && rule.countsQuota && this.surface === 'read';
    const consumption = await this.limiter.consume(subject, { surface: this.surface, countsQuota });
    response.set({ ...burstHeaders(consumption), ...quotaHeaders(consumption) });
    if (refused) throw entry;
    if (countsQuota) this.refundUnlessServed(subject, consumption, response);
    setCaller(request, entry);
    setConsumed(request, consumption);
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

  private ruleOf(context: ExecutionContext): HandlerRule {
    const handler = context.getHandler();
    const known = this.rules.get(handler);
    if (known) return known;
    const targets = [handler, context.getClass()];
    const rule: HandlerRule = {
      access: accessRuleOf(this.reflector, targets),
      countsQuota: this.reflector.getAllAndOverride<boolean | undefined>(BURST_ONLY, targets) !== true,
    };
    this.rules.set(handler, rule);
    return rule;
  }

  // What @nestjs/throttler leaves to subclasses: one window per address whatever the handler, our error body,
  // and the policy beside its three headers.
  protected override generateKey(_context: ExecutionContext, address: string): string {
    return address;
  }

  protected override async handleRequest(
    details: Parameters<ThrottlerGuard['handleRequest']>[0],
  ): Promise<boolean> {
    details.context.switchToHttp().getResponse<Response>().set('RateLimit-Policy', policyOf(details.limit));
    return super.handleRequest(details);
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    { limit, totalHits, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    return Promise.reject(addressExceeded(limit, totalHits, timeToBlockExpire));
  }
}
