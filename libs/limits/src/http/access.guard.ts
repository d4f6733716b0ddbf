import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { InjectThrottlerOptions, InjectThrottlerStorage, ThrottlerGuard } from '@nestjs/throttler';
import type { ThrottlerLimitDetail, ThrottlerModuleOptions, ThrottlerStorage } from '@nestjs/throttler';
import { accessRuleOf, setCaller, type Identity } from '@outcomes/auth';
import type { Request, Response } from 'express';
import { addressExceeded, policyOf } from '../limiter/consumption';
import { Admission, type HandlerRule } from './admission.service';
import { beforeHead } from './before-head';
import { BURST_ONLY } from './burst-only.decorator';
import { setConsumed } from './consumed.decorator';
import type { Presented } from './presented';
import { paysForItself } from './strangers.service';

/**
 * The one guard of the REST surfaces: credential, tenant, permission, limits, headers, in this order and in one
 * place, because a chain of interceptors costs more than the work. Requests of a proven credential go to the
 * Limiter; all others run through the frame of @nestjs/throttler, per source address.
 */
@Injectable()
export class AccessGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';
  private readonly rules = new WeakMap<object, HandlerRule | 'public'>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    @Inject(Reflector) reflector: Reflector,
    @Inject(Admission) private readonly admission: Admission,
  ) {
    super(options, storage, reflector);
  }

  /** @throws AppError whatever refuses the request */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.ruleOf(context);
    if (rule === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const presented = this.admission.presentedBy(request);
    const identity = await this.identify(context, presented);
    // Without the look at each name and value that Express takes: these are ours.
    const setHeader = (name: string, value: string) => void response.setHeader(name, value);
    const { principal, consumption, settle } = await this.admission.admit(
      identity,
      rule,
      presented,
      setHeader,
    );
    beforeHead(response, settle);
    setCaller(request, principal);
    setConsumed(request, consumption);
    return true;
  }

  private async identify(context: ExecutionContext, presented: Presented): Promise<Identity> {
    try {
      return await this.admission.identify(presented);
    } catch (error) {
      if (paysForItself(error)) await super.canActivate(context);
      throw error;
    }
  }

  private ruleOf(context: ExecutionContext): HandlerRule | 'public' {
    const handler = context.getHandler();
    const known = this.rules.get(handler);
    if (known) return known;
    const targets = [handler, context.getClass()];
    const access = accessRuleOf(this.reflector, targets);
    const countsQuota = this.reflector.getAllAndOverride<boolean | undefined>(BURST_ONLY, targets) !== true;
    const rule = access === 'public' ? access : { access, countsQuota };
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
