declare const branded: unique symbol;

/**
 * Proof that somebody established which tenant this work is for. Every way to tenant data demands it, so a query without a
 * tenant cannot be written; an open transaction is the proof for all that is done in it. Only authentication, ingestion,
 * the analysis and the command line mint it (`@outcomes/tenancy/mint`; lint holds the door).
 */
export interface TenantScope {
  readonly companyId: string;
  readonly [branded]: 'TenantScope';
}
