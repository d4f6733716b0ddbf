import { Inject, Injectable } from '@nestjs/common';
import { Authenticator, permits } from '@outcomes/auth';
import type { Identity, PresentedTenant, Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { Admission, ConcurrentRequests, presentedBy, Strangers, type BodyOwner } from '@outcomes/limits';
import type { Exchange } from '@outcomes/platform';
import { FreeRequests } from '../mcp/free-requests.service';
import { AddressCheck } from './address-check.service';
import type { Caller } from './index';

/**
 * Lets in who comes from an address that may, and proves a credential. The tenant of a multi-tenant credential stays
 * open: each call chooses its own. What is counted, and whether the caller may, shows in the message.
 */
@Injectable()
export class CallerAdmission extends Admission {
  constructor(
    private readonly addresses: AddressCheck,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Strangers) private readonly strangers: Strangers,
    @Inject(ConcurrentRequests) private readonly concurrent: ConcurrentRequests,
    private readonly free: FreeRequests,
  ) {
    super();
  }

  /** @throws AppError Forbidden (Host, Origin), and as `Strangers.identify` and `Authenticator.enter` do */
  override async pass(exchange: Exchange): Promise<BodyOwner> {
    this.addresses.require(exchange.request.headers);
    const presented = presentedBy(exchange, 'protocol');
    const identity =
      this.strangers.identifyKnown(presented) ?? (await this.strangers.identify(presented, exchange));
    const mayRead = permits(identity, 'analytics_read', 'mcp');
    const home = await this.home(identity, presented);
    // Who serves several tenants pays as itself: for which of them one is, stands in the body.
    const owner = { companyId: home?.companyId ?? identity.keyId, keyId: identity.keyId };
    this.concurrent.begin(exchange, owner.companyId);
    exchange.caller = { identity, presented, mayRead, home } satisfies Caller;
    return owner;
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
