import type { Pooler } from '@outcomes/platform';
import type { ReadsConfig } from '@outcomes/tenancy';
import { SteadyClient } from './steady-client';
import { UnnamedClient } from './unnamed-client';

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity, so that an operator sees who holds a connection. */
  readonly applicationName: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** How long a statement waits for a lock; as long as it may run unless told. */
  readonly lockTimeoutMs?: number;
  /** What stands between, as DATABASE_POOLER says it. */
  readonly pooler?: Pooler;
}

/** How a client connects beside a data source, with the same bounds. */
export function clientConfig(options: Omit<DatabaseOptions, 'poolSize'>): ReadsConfig {
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...connectionParameters(options),
  };
}

/** What a data source and a client have in common. */
export function connectionParameters(options: Omit<DatabaseOptions, 'poolSize'>) {
  return {
    ...clientOf[options.pooler ?? 'none'](options.statementTimeoutMs),
    ...(options.lockTimeoutMs !== undefined && { lock_timeout: options.lockTimeoutMs }),
    // The client gives up a little later than the server, for the case that the server is gone.
    query_timeout: options.statementTimeoutMs + 1_000,
    keepAlive: true,
    // Statements that do not wait for one another are sent together, and answered in their order.
    pipeline: true,
  };
}

/** Parameters of a connection's start are refused by poolers, or forgotten: there, the role has to have them. */
function serverTimeouts(statementTimeoutMs: number) {
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs * 2,
  };
}

/** `isPooled` is read by whoever would keep something on a connection; see TenantDatabase.listen. */
const clientOf: Readonly<Record<Pooler, (statementTimeoutMs: number) => object>> = {
  none: (statementTimeoutMs) => ({ Client: SteadyClient, ...serverTimeouts(statementTimeoutMs) }),
  transaction: () => ({ Client: UnnamedClient, isPooled: true }),
  'transaction-prepared': () => ({ Client: SteadyClient, isPooled: true }),
};
