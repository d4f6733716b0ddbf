import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Authenticator, type Identity, type PresentedTenant, type Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { Limiter } from '@outcomes/limits';
import type { Request, Response } from 'express';
import { setCaller } from './index';

/** Lets in who may read. The tenant of a multi-tenant credential stays open: each call chooses its own. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Limiter) private readonly limiter: Limiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const identity = await this.identify(request, http.getResponse<Response>());
    const presented = {
      portalId: request.get('x-portal-id'),
      actorType: request.get('x-actor-type'),
      actorId: request.get('x-actor-id'),
    };
    if (!identity.permissions.includes('analytics_read')) throw new AppError('Forbidden');
    setCaller(request, { identity, presented, home: await this.home(identity, presented) });
    return true;
  }

  /** Who is refused here is counted by address, and told how that stands. */
  private async identify(request: Request, response: Response): Promise<Identity> {
    const ip = request.ip ?? '';
    try {
      return await this.authenticator.identify({ authorization: request.get('authorization'), ip });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      if (error.status === 401) response.set('WWW-Authenticate', 'Bearer');
      response.set(await this.limiter.consumeAddress(ip));
      throw error;
    }
  }

  private async home(identity: Identity, presented: PresentedTenant): Promise<Principal | undefined> {
    try {
      return await this.authenticator.enter(identity, presented);
    } catch (error) {
      if (error instanceof AppError && error.code === 'TENANT_REQUIRED') return undefined;
      throw error;
    }
  }
}
