import type { Actor, KeyPurpose, Permission } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';

/** A credential that was proven, before it is settled for which tenant this request is. */
export interface Identity {
  readonly kind: 'self_serve' | 'bootstrap' | 'access_token';
  /** Public id of the key, or the configured id of the bootstrap credential. */
  readonly keyId: string;
  /** The tenant that the credential is bound to; null where it serves several and the request chooses. */
  readonly scope: TenantScope | null;
  /** Which tenants a bootstrap credential may choose; empty for self-serve keys. */
  readonly tenants: '*' | readonly string[];
  readonly permissions: readonly Permission[];
  readonly bounds: KeyBounds;
  /** Requests per burst window of read-api and MCP. */
  readonly burstLimit: number;
  /** Requests per burst window of ingest-api. */
  readonly ingestBurstLimit: number;
  /** Requests per UTC month. */
  readonly monthlyQuota: number;
  /** When the key ends; null for bootstrap credentials. */
  readonly expiresAt: Date | null;
}

/** What a credential was made for, beside its permissions. */
export interface KeyBounds {
  /** null: for whatever its permissions say. */
  readonly purpose: KeyPurpose | null;
  /** MCP tools that it may call, and nothing else that is read; null: all, and the read API too. */
  readonly tools: readonly string[] | null;
}

export const UNBOUND: KeyBounds = Object.freeze({ purpose: null, tools: null });

/** Who is calling, for which tenant, and what they may do. */
export interface Principal {
  readonly kind: 'self_serve' | 'bootstrap' | 'portal' | 'access_token';
  readonly scope: TenantScope;
  readonly companyId: string;
  readonly keyId: string;
  /** Set only where the tenant was found through X-Portal-Id. */
  readonly portalId: string | null;
  readonly permissions: readonly Permission[];
  readonly bounds: KeyBounds;
  /** Requests per burst window of read-api and MCP. */
  readonly burstLimit: number;
  /** Requests per burst window of ingest-api. */
  readonly ingestBurstLimit: number;
  /** Requests per UTC month. */
  readonly monthlyQuota: number;
  readonly expiresAt: Date | null;
  /** Who to name in audit rows. */
  readonly actor: Actor;
}

/** What a request presents, as its headers carry it. Absent headers are undefined. */
export interface PresentedCredential {
  /** The whole Authorization header. */
  readonly authorization?: string;
  /** X-API-Key; only where the surface takes it. */
  readonly apiKey?: string;
  /** Source address after the configured number of trusted proxies. */
  readonly ip: string;
}

/** What a request says about its tenant and its actor. */
export interface PresentedTenant {
  /** X-Tenant-Id, or the tenant_id argument of an MCP tool. */
  readonly tenantId?: string;
  /** X-Portal-Id. */
  readonly portalId?: string;
  /** X-Actor-Type. */
  readonly actorType?: string;
  /** X-Actor-Id. */
  readonly actorId?: string;
}
