import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  AppError,
  DEFAULT_BURST_LIMIT,
  DEFAULT_INGEST_BURST_LIMIT,
  DEFAULT_MONTHLY_QUOTA,
} from '@outcomes/contracts';
import { atMost, CLOCK, type Clock } from '@outcomes/platform';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { UNBOUND, type Identity } from '../authentication/principal';
import { TenantDirectory } from '../bootstrap/tenant-directory.service';
import { sha256 } from '../keys/key-form';
import {
  ACCESS_TOKEN_SETTINGS,
  SIGNATURE_ALGORITHMS,
  type AccessTokenSettings,
} from './access-token-settings';
import { issuerKeys } from './issuer-keys';

/** Three parts of base64url, as a signed token has (RFC 7519). */
const SIGNED = /^[\w-]{1,4096}\.[\w-]{1,12288}\.[\w-]{1,2048}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** How far the issuer's clock may be from ours. */
const SKEW_SECONDS = 30;
/** How long a proven token is believed; it may end sooner by itself. */
const CACHE_TTL_MS = 60_000;
const MAX_KNOWN = 10_000;

interface Proven {
  readonly identity: Identity;
  readonly companyId: string;
  /** Milliseconds since 1970. */
  readonly untilMs: number;
}

/**
 * Access tokens of a configured OAuth 2.1 issuer, where there is one: verified by its published keys, for this resource
 * alone, and for the one company that a claim names.
 */
@Injectable()
export class AccessTokens {
  private readonly keys: JWTVerifyGetKey | undefined;
  /** By the hash of the token. */
  private readonly proven = new LRUCache<string, Proven>(atMost(MAX_KNOWN));

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TenantDirectory) private readonly tenants: TenantDirectory,
    @Optional() @Inject(ACCESS_TOKEN_SETTINGS) private readonly settings?: AccessTokenSettings,
  ) {
    this.keys = settings && issuerKeys(settings.jwksUrl);
  }

  /** Whether a token looks like one of an issuer, where one is configured. */
  claims(token: string): boolean {
    return this.keys !== undefined && SIGNED.test(token);
  }

  /** Who a token proved lately. No wait. */
  getCached(token: string): Identity | undefined {
    const known = this.claims(token) ? this.provenBefore(token) : undefined;
    if (!known) return undefined;
    // A company that is deleted is believed in no longer by its tokens than by whoever else acts for it.
    return this.tenants.remembers(known.companyId) ? known.identity : undefined;
  }

  /**
   * @throws AppError invalid_token; Forbidden where it names no company that there is; SERVICE_UNAVAILABLE where the
   * keys of the issuer cannot be had
   */
  async prove(token: string): Promise<Identity> {
    const { settings, keys } = this;
    if (!settings || !keys || !this.claims(token)) throw new AppError('invalid_token');
    // Its signature was verified a moment ago, by keys that may not be had again now: only its company is asked for.
    const known = this.provenBefore(token);
    if (known) {
      if (await this.tenants.exists(known.companyId)) return known.identity;
      throw ofNoTenant();
    }
    const payload = await this.verified(token, settings, keys);
    const companyId = payload[settings.tenantClaim];
    if (typeof companyId !== 'string' || !UUID.test(companyId) || !(await this.tenants.exists(companyId)))
      throw ofNoTenant();
    const identity = identityOf(payload, companyId, settings);
    const now = this.clock.now().getTime();
    const endsMs = ((payload.exp ?? 0) + SKEW_SECONDS) * 1_000;
    this.proven.set(nameOf(token), { identity, companyId, untilMs: Math.min(now + CACHE_TTL_MS, endsMs) });
    return identity;
  }

  /** What a token proved within the last minute, where it has not ended since. */
  private provenBefore(token: string): Proven | undefined {
    const known = this.proven.get(nameOf(token));
    return known && known.untilMs > this.clock.now().getTime() ? known : undefined;
  }

  private async verified(
    token: string,
    { issuer, audience }: AccessTokenSettings,
    keys: JWTVerifyGetKey,
  ): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [...SIGNATURE_ALGORITHMS],
        clockTolerance: SKEW_SECONDS,
        currentDate: this.clock.now(),
        requiredClaims: ['exp', 'sub'],
      });
      return payload;
    } catch (error) {
      throw isOfToken(error)
        ? new AppError('invalid_token', {}, { message: 'The access token is not valid for this resource.' })
        : new AppError('SERVICE_UNAVAILABLE', {}, { cause: error, headers: { 'Retry-After': '2' } });
    }
  }
}

function ofNoTenant(): AppError {
  return new AppError('Forbidden', {}, { message: 'The access token is for no tenant of this service.' });
}

/** What is wrong with the token, and not with the issuer: its keys could not be had, or were none. */
function isOfToken(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  return !(
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === errors.JOSEError.code
  );
}

function identityOf(payload: JWTPayload, companyId: string, settings: AccessTokenSettings): Identity {
  const scope = mintTenantScope(companyId);
  return Object.freeze<Identity>({
    kind: 'access_token',
    keyId: keyIdOf(payload, companyId),
    scope,
    tenants: [],
    permissions: scopesOf(payload).includes(settings.readScope) ? ['analytics_read'] : [],
    bounds: UNBOUND,
    burstLimit: DEFAULT_BURST_LIMIT,
    ingestBurstLimit: DEFAULT_INGEST_BURST_LIMIT,
    monthlyQuota: DEFAULT_MONTHLY_QUOTA,
    // Tokens end within the hour and are renewed; nobody need be told of it.
    expiresAt: null,
  });
}

/** `scope` of RFC 9068, a text with blanks between; some issuers call it `scp` and have a list. */
function scopesOf({ scope, scp }: JWTPayload): readonly unknown[] {
  const given = scope ?? scp;
  if (typeof given === 'string') return given.split(' ');
  return Array.isArray(given) ? given : [];
}

/**
 * Windows and months are counted by client and company, as those of a key are: by person, whoever may make accounts
 * would have as many windows as it likes. A hash, because what an issuer calls its clients and people is its own.
 */
function keyIdOf({ iss, sub, client_id: client, azp }: JWTPayload, companyId: string): string {
  const holder = typeof client === 'string' ? client : typeof azp === 'string' ? azp : `subject ${sub}`;
  return `oauth-${sha256([iss, holder, companyId].join('\n')).toString('hex', 0, 13)}`;
}

function nameOf(token: string): string {
  return sha256(token).toString('base64url');
}
