declare const branded: unique symbol;

/** Settings that Postgres gets for work that belongs to no single tenant; policies check them. */
export type SystemSettings = Readonly<Record<`app.${string}`, string>>;

/**
 * Proof that work is meant for no single tenant: it happens before the tenant is known, concerns rows without a tenant, or
 * spans all tenants. Only repositories mint and use it (`@outcomes/tenancy/system`; lint enforces this).
 */
export interface SystemScope {
  readonly settings: SystemSettings;
  readonly [branded]: 'SystemScope';
}
