declare const branded: unique symbol;

/** What Postgres is told for work that is of no single tenant; policies grant by it. */
export type SystemSettings = Readonly<Record<`app.${string}`, string>>;

/**
 * Proof that work is meant for no single tenant: it comes before one is known, is about rows that have none, or goes across
 * all of them. Only repositories mint it and hold it (`@outcomes/tenancy/system`; lint holds the door).
 */
export interface SystemScope {
  readonly settings: SystemSettings;
  readonly [branded]: 'SystemScope';
}
