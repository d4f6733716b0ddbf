import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import type { SystemScope } from './system/system-scope';
import type { TenantScope } from './tenant-scope';

/** An open transaction: TypeORM for ordinary work, the pg client beside it for hot statements. */
interface Opened {
  readonly client: PoolClient;
  readonly manager: EntityManager;
}

/** One open transaction of one tenant, and the scope of everything done in it. */
export interface TenantTransaction extends TenantScope, Opened {}

/** One open transaction that belongs to no single tenant. */
export interface SystemTransaction extends SystemScope, Opened {}
