import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Authenticator, type Identity, type Principal } from '@outcomes/auth';
import type { PresentedCredential, PresentedTenant } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { Strangers, type Sender, type SetHeader } from '@outcomes/limits';
import type { Request, Response } from 'express';
import { FreeRequests } from '../mcp/free-requests.service';
import { setCaller, type Caller } from './index';

/** Lets in who proves a credential. The tenant of a multi-tenant credential stays open: each call chooses its own. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Strangers) private readonly strangers: Strangers,
    private readonly free: FreeRequests,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    setCaller(request, await this.admit(request, (name, value) => void response.set(name, value)));
    return true;
  }

  /** @throws AppError as `Strangers.identify` and `Authenticator.enter` do */
  async admit({ headers, ip = '' }: Sender, setHeader: SetHeader): Promise<Caller> {
    const identity = await this.identify({ authorization: headers.authorization, ip }, setHeader);
    const presented = {
      portalId: single(headers['x-portal-id']),
      actorType: single(headers['x-actor-type']),
      actorId: single(headers['x-actor-id']),
    };
    const mayRead = identity.permissions.includes('analytics_read');
    return { identity, presented, mayRead, home: await this.home(identity, presented) };
  }

  private async identify(presented: PresentedCredential, setHeader: SetHeader): Promise<Identity> {
    try {
      return await this.strangers.identify(presented, setHeader);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) setHeader('WWW-Authenticate', 'Bearer');
      throw error;
    }
  }

  private async home(identity: Identity, presented: PresentedTenant): Promise<Principal | undefined> {
    try {
      return await this.authenticator.enter(identity, presented);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      if (error.code === 'TENANT_REQUIRED') return undefined;
      await this.free.count({ identity, home: undefined });
      throw error;
    }
  }
}

/** Node joins repeated headers of these names with a comma, which no valid value contains. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
