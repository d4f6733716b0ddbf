import { Inject, Injectable } from '@nestjs/common';
import { Authenticator, permits } from '@outcomes/auth';
import type { Identity, PresentedTenant, Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { Admission, ConcurrentRequests, PacedRefusals, credentialsOf, Strangers } from '@outcomes/limits';
import type { BodyOwner, RequestCredentials } from '@outcomes/limits';
import type { Exchange } from '@outcomes/platform';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config';
import { FreeRequests } from '../mcp/free-requests.service';
import { challengesOf, type Challenges } from '../metadata/protected-resource.document';
import { AddressCheck } from './address-check.service';
import type { McpCaller } from './mcp-caller.protocol';

/**
 * Lets in who comes from an address that may, and proves a credential. The tenant of a multi-tenant credential stays
 * open: each call chooses its own. What is counted, and whether the caller may, shows in the message.
 */
@Injectable()
export class CallerAdmission extends Admission {
  /** undefined where no access tokens are taken. */
  private readonly challenges: Challenges | undefined;

  constructor(
    private readonly addresses: AddressCheck,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Strangers) private readonly strangers: Strangers,
    @Inject(ConcurrentRequests) private readonly concurrent: ConcurrentRequests,
    @Inject(PacedRefusals) private readonly refusals: PacedRefusals,
    private readonly free: FreeRequests,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    super();
    this.challenges = challengesOf(config);
  }

  /** @throws AppError Forbidden (Host, Origin), and as `Strangers.identify` and `Authenticator.enter` do */
  override async authorizeRequest(exchange: Exchange): Promise<BodyOwner> {
    this.addresses.require(exchange.request.headers);
    const presented = credentialsOf(exchange, 'protocol');
    const identity = this.strangers.identifyCached(presented) ?? (await this.identify(presented, exchange));
    const mayRead = permits(identity, 'analytics_read', 'mcp');
    const home = this.ownHome(identity, presented) ?? (await this.home(identity, presented, exchange));
    if (!mayRead && this.challenges)
      exchange.setHeader('WWW-Authenticate', this.challenges.insufficientScope);
    // Who serves several tenants pays as itself: for which of them one is, stands in the body.
    const owner = { companyId: home?.companyId ?? identity.keyId, keyId: identity.keyId };
    try {
      this.concurrent.begin(exchange, owner.companyId);
    } catch (error) {
      await this.refusals.refuse(exchange, owner.companyId, error);
    }
    exchange.caller = { identity, presented, mayRead, home } satisfies McpCaller;
    return owner;
  }

  /** A client that is refused is told where to get an access token, where some are taken. */
  private async identify(presented: RequestCredentials, exchange: Exchange): Promise<Identity> {
    try {
      return await this.strangers.identify(presented, exchange);
    } catch (error) {
      if (!this.challenges || !(error instanceof AppError) || error.status !== 401) throw error;
      const { code, fields, message, cause } = error;
      const value = code === 'missing_token' ? this.challenges.noToken : this.challenges.invalidToken;
      throw new AppError(code, fields, {
        ...{ message, cause },
        headers: { ...error.headers, 'WWW-Authenticate': value },
      });
    }
  }

  /** Without a wait, where the credential has one tenant; what is wrong is for `home` to say. */
  private ownHome(identity: Identity, presented: PresentedTenant): Principal | undefined {
    try {
      return this.authenticator.resolveOwnTenant(identity, presented);
    } catch {
      return undefined;
    }
  }

  private async home(
    identity: Identity,
    presented: PresentedTenant,
    exchange: Exchange,
  ): Promise<Principal | undefined> {
    try {
      return await this.authenticator.enter(identity, presented);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      if (error.code === 'TENANT_REQUIRED') return undefined;
      await this.free.count(exchange, { identity, home: undefined });
      throw error;
    }
  }
}
