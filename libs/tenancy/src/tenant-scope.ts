declare const branded: unique symbol;

/**
 * Proof that somebody established which tenant this work is for. Repositories demand it first, so a query
 * without a tenant cannot be written. Only authentication, the daily schedule and the command line mint it
 * (`@outcomes/tenancy/mint`; lint holds the door).
 */
export interface TenantScope {
  readonly companyId: string;
  readonly [branded]: 'TenantScope';
}
