import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Authenticator, type Identity, type PresentedTenant, type Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { Limiter, type Sender, type SetHeader } from '@outcomes/limits';
import type { Request, Response } from 'express';
import { setCaller, type Caller } from './index';

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
    const response = http.getResponse<Response>();
    setCaller(request, await this.admit(request, (name, value) => void response.set(name, value)));
    return true;
  }

  /** @throws AppError as `Authenticator` does; Forbidden without the permission to read */
  async admit({ headers, ip }: Sender, setHeader: SetHeader): Promise<Caller> {
    const identity = await this.identify(headers.authorization, ip ?? '', setHeader);
    const presented = {
      portalId: single(headers['x-portal-id']),
      actorType: single(headers['x-actor-type']),
      actorId: single(headers['x-actor-id']),
    };
    if (!identity.permissions.includes('analytics_read')) throw new AppError('Forbidden');
    return { identity, presented, home: await this.home(identity, presented) };
  }

  /** Who is refused here is counted by address, and told how that stands. */
  private async identify(
    authorization: string | undefined,
    ip: string,
    setHeader: SetHeader,
  ): Promise<Identity> {
    try {
      return await this.authenticator.identify({ authorization, ip });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      if (error.status === 401) setHeader('WWW-Authenticate', 'Bearer');
      for (const [name, value] of Object.entries(await this.limiter.consumeAddress(ip)))
        setHeader(name, value);
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

/** Node joins repeated headers of these names with a comma, which no valid value contains. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
