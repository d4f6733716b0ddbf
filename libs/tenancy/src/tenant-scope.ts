declare const branded: unique symbol;

/**
 * Proof that somebody established which tenant this work is for. All access to tenant data requires it, so a query without a
 * tenant cannot be written; an open transaction is the proof for everything done in it. Only accounts, authentication,
 * ingestion, the analysis and the command line mint it (`@outcomes/tenancy/mint`; lint enforces this).
 */
export interface TenantScope {
  readonly companyId: string;
  readonly [branded]: 'TenantScope';
}
