import { hash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, type Actor, type KeyRefusal } from '@outcomes/contracts';
import {
  CLOCK,
  LOGGER,
  SERVICE_CONFIG,
  type Clock,
  type Logger,
  type ServiceConfig,
} from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { AccessTokens } from '../access-tokens/access-tokens.service';
import { BootstrapCredentials } from '../bootstrap/bootstrap-credentials';
import { TenantDirectory } from '../bootstrap/tenant-directory.service';
import { CredentialMetrics } from '../failures/credential-metrics.service';
import { FailureThrottle } from '../failures/failure-throttle.service';
import { KeyLock } from '../failures/key-lock.service';
import { KeyDirectory, type StoredKey } from '../keys/key-directory.service';
import { KeyForm, sha256 } from '../keys/key-form';
import { KeyUses } from '../keys/key-uses.service';
import { presentedActor } from './presented-actor';
import { presentedToken } from './presented-token';
import type { Identity, PresentedCredential, PresentedTenant, Principal } from './principal';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PORTAL_ID = /^[\x21-\x7e]{1,128}$/;

/** How a key was proven. */
interface Proof {
  readonly tokenSha256: Buffer;
  /** Where from last, so that this is noted once and not for every request of a sender. */
  ip: string | undefined;
}

/** Decides who is calling. Every surface asks here and nowhere else. */
@Injectable()
export class Authenticator {
  private readonly form: KeyForm;
  /** Goes with what is cached of a key. */
  private readonly proofs = new WeakMap<StoredKey, Proof>();

  constructor(
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(BootstrapCredentials) private readonly bootstrap: BootstrapCredentials,
    @Inject(KeyDirectory) private readonly keys: KeyDirectory,
    @Inject(TenantDirectory) private readonly tenants: TenantDirectory,
    @Inject(FailureThrottle) private readonly throttle: FailureThrottle,
    @Inject(KeyLock) private readonly lock: KeyLock,
    @Inject(KeyUses) private readonly uses: KeyUses,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
    @Inject(CredentialMetrics) private readonly metrics: CredentialMetrics,
  ) {
    this.form = new KeyForm(config.KEY_PREFIX);
  }

  /**
   * Proves the credential and settles the tenant and the actor.
   * @throws AppError as `identify` and `enter` do
   */
  async authenticate(presented: PresentedCredential & PresentedTenant): Promise<Principal> {
    return this.enter(await this.identify(presented), presented);
  }

  /**
   * Proves the credential alone; for answers that concern no tenant.
   * @throws AppError missing_token, invalid_token, self_serve_auth_failed with `reason`,
   * TOO_MANY_FAILED_ATTEMPTS, CONFLICTING_CREDENTIALS, SERVICE_UNAVAILABLE; Forbidden for a key that may not be used from
   * this address
   */
  async identify(presented: PresentedCredential): Promise<Identity> {
    try {
      return await this.prove(presented);
    } catch (error) {
      this.metrics.refused(error);
      throw error;
    }
  }

  private async prove(presented: PresentedCredential): Promise<Identity> {
    const token = presentedToken(presented);
    const known = this.known(token, presented.ip);
    if (known) return known;
    if (this.form.claims(token)) return this.identifyKey(token, presented.ip);
    try {
      return await this.tokens.prove(token);
    } catch (error) {
      // What is no fault of ours is counted as every other credential that proves nobody.
      if (error instanceof AppError && error.status < 500)
        await this.throttle.failedUnknown(presented.ip, sha256(token).toString('hex'));
      throw error;
    }
  }

  /**
   * The same where it takes no wait, as it does for nearly every request.
   * @returns undefined where `identify` must be asked
   * @throws AppError missing_token, invalid_token, CONFLICTING_CREDENTIALS
   */
  identifyCached(presented: PresentedCredential): Identity | undefined {
    return this.known(presentedToken(presented), presented.ip);
  }

  /**
   * Whether a request presents a key that was found here before. What else `identify` is asked about is most likely
   * made up, and costs a read of the database.
   * @throws AppError as `identifyCached` does
   */
  isFamiliar(presented: PresentedCredential): boolean {
    const parsed = this.form.parse(presentedToken(presented));
    return parsed !== undefined && this.keys.isFamiliar(parsed.keyId);
  }

  /**
   * Settles for which tenant a proven credential acts now, and who acts.
   * @throws AppError Forbidden, TENANT_REQUIRED, INVALID_ACTOR, SERVICE_UNAVAILABLE
   */
  async enter(identity: Identity, presented: PresentedTenant): Promise<Principal> {
    const own = this.resolveOwnTenant(identity, presented);
    if (own) return own;
    const actor = presentedActor(presented, identity.keyId);
    return principalOf(identity, await this.chosen(identity, presented), actor, presented.portalId);
  }

  /**
   * The same for a credential of one tenant, which takes no wait.
   * @returns undefined where the request chooses the tenant
   * @throws AppError Forbidden, INVALID_ACTOR
   */
  resolveOwnTenant(identity: Identity, presented: PresentedTenant): Principal | undefined {
    if (!identity.scope) return undefined;
    const actor = presentedActor(presented, identity.keyId);
    return principalOf(identity, ownScope(identity.scope, presented), actor);
  }

  /** Nothing to look up, nothing to count: whatever else there is about a key is for `identifyKey`. */
  private known(token: string, ip: string): Identity | undefined {
    if (!this.form.claims(token)) return this.bootstrap.find(token) ?? this.tokens.getCached(token);
    const key = this.keys.getCached(this.form.claimedKeyId(token));
    if (!key || key.lockedUntil || !this.throttle.isClear(ip, key.identity.keyId)) return undefined;
    const proof = this.proofOf(token, key);
    if (!proof || this.stateRefusal(key) || !isAtHome(key, ip)) return undefined;
    if (proof.ip !== ip) this.lock.rightSecret(key.identity.keyId, ip);
    proof.ip = ip;
    this.uses.note(key.identity);
    return key.identity;
  }

  /** A token that was found right once is known by its digest alone: form and checksum cost as much as that. */
  private proofOf(token: string, key: StoredKey): Proof | undefined {
    const known = this.proofs.get(key);
    if (known) return isDigestOf(token, known.tokenSha256) ? known : undefined;
    const parsed = this.form.parse(token);
    if (!parsed || !isSecretOf(parsed.secret, key)) return undefined;
    const proof = { tokenSha256: sha256(token), ip: undefined };
    this.proofs.set(key, proof);
    return proof;
  }

  private async identifyKey(token: string, ip: string): Promise<Identity> {
    const parsed = this.form.parse(token);
    if (!parsed) {
      this.throttle.failedMalformed(ip, token);
      throw refusal('INVALID_FORMAT');
    }
    const { keyId } = parsed;
    const key = await this.keys.find(keyId);
    if (!key) {
      await this.throttle.failedUnknown(ip, keyId);
      throw refusal('TOKEN_NOT_FOUND');
    }
    await this.throttle.refuseBlocked(ip, keyId);
    const scope = key.identity.scope;
    let reason = isSecretOf(parsed.secret, key) ? this.stateRefusal(key) : 'TOKEN_INVALID';
    if (reason === undefined && (await this.lock.refuses(key, ip))) reason = 'TOKEN_LOCKED';
    if (reason === undefined && isAtHome(key, ip)) return this.proven(key, ip);
    await this.throttle.failedKnown(ip, keyId);
    if (reason === undefined) {
      // Not from where: an address is personal data.
      this.logger.warn({ keyId, companyId: scope?.companyId }, 'a key was refused outside its networks');
      throw elsewhere();
    }
    if (reason === 'TOKEN_INVALID' && scope) await this.lock.wrongSecret(scope, keyId);
    throw refusal(reason);
  }

  private proven(key: StoredKey, ip: string): Identity {
    this.lock.rightSecret(key.identity.keyId, ip);
    this.uses.note(key.identity);
    return key.identity;
  }

  /** Told only to who holds the secret: a stranger must not learn a key's state. */
  private stateRefusal({ revokedAt, expiresAt }: StoredKey): KeyRefusal | undefined {
    if (revokedAt !== null) return 'TOKEN_INACTIVE';
    return expiresAt.getTime() <= this.clock.now().getTime() ? 'TOKEN_EXPIRED' : undefined;
  }

  private async chosen(identity: Identity, presented: PresentedTenant): Promise<TenantScope> {
    const named = presented.tenantId?.toLowerCase();
    const companyId =
      presented.portalId === undefined
        ? (named ?? onlyTenant(identity))
        : await this.ofPortal(presented.portalId);
    // A company that does not exist and one that this credential may not serve answer alike.
    const allowed =
      (named === undefined || named === companyId) &&
      UUID.test(companyId) &&
      (identity.tenants === '*' || identity.tenants.includes(companyId)) &&
      (await this.tenants.exists(companyId));
    if (!allowed) throw new AppError('Forbidden');
    return mintTenantScope(companyId);
  }

  private async ofPortal(portalId: string): Promise<string> {
    const companyId = PORTAL_ID.test(portalId) ? await this.tenants.companyOfPortal(portalId) : undefined;
    if (companyId === undefined) throw new AppError('Forbidden');
    return companyId;
  }
}

function principalOf(identity: Identity, scope: TenantScope, actor: Actor, portalId?: string): Principal {
  return {
    kind: portalId === undefined ? identity.kind : 'portal',
    scope,
    companyId: scope.companyId,
    keyId: identity.keyId,
    portalId: portalId ?? null,
    permissions: identity.permissions,
    bounds: identity.bounds,
    burstLimit: identity.burstLimit,
    ingestBurstLimit: identity.ingestBurstLimit,
    monthlyQuota: identity.monthlyQuota,
    expiresAt: identity.expiresAt,
    actor,
  };
}

const presentedSha256 = Buffer.alloc(32);

function isSecretOf(secret: string, { secretSha256 }: StoredKey): boolean {
  return isDigestOf(secret, secretSha256);
}

/** In constant time. The digest comes as characters, into a buffer that stays: a new one is most of a hash's cost. */
function isDigestOf(text: string, digest: Buffer): boolean {
  presentedSha256.write(hash('sha256', text, 'binary'), 'latin1');
  return timingSafeEqual(presentedSha256, digest);
}

/** Whether a key may be used from an address. */
function isAtHome({ networks }: StoredKey, ip: string): boolean {
  return networks === null || networks.include(ip);
}

function elsewhere(): AppError {
  return new AppError('Forbidden', {}, { message: 'This key may not be used from this address.' });
}

function ownScope(scope: TenantScope, { tenantId }: PresentedTenant): TenantScope {
  if (tenantId !== undefined && tenantId.toLowerCase() !== scope.companyId) throw new AppError('Forbidden');
  return scope;
}

function onlyTenant({ tenants }: Identity): string {
  const [only, ...others] = tenants === '*' ? [] : tenants;
  if (only === undefined || others.length > 0) throw new AppError('TENANT_REQUIRED');
  return only;
}

function refusal(reason: KeyRefusal): AppError {
  return new AppError('self_serve_auth_failed', { reason });
}
