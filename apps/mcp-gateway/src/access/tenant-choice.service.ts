import { Inject, Injectable } from '@nestjs/common';
import { Authenticator, type Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import type { McpCaller } from './mcp-caller.protocol';

/** For whom a call is: a principal, a refusal, or (neither) a tenant still to be named. */
export interface Choice {
  readonly principal?: Principal;
  readonly denied?: true;
}

/** Settles the tenant of one call. */
@Injectable()
export class TenantChoice {
  constructor(@Inject(Authenticator) private readonly authenticator: Authenticator) {}

  /** @param tenantId - the tenant_id argument; undefined means the caller's own, for which nobody waits */
  choose(caller: McpCaller, tenantId: string | undefined): Choice | Promise<Choice> {
    const { identity, home } = caller;
    if (tenantId === undefined || tenantId.toLowerCase() === home?.companyId)
      return home ? { principal: home } : {};
    return identity.kind === 'bootstrap' ? this.chooseAmongAll(caller, tenantId) : { denied: true };
  }

  private async chooseAmongAll({ identity, presented }: McpCaller, tenantId: string): Promise<Choice> {
    try {
      return { principal: await this.authenticator.enter(identity, { ...presented, tenantId }) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'Forbidden') return { denied: true };
      throw error;
    }
  }
}
