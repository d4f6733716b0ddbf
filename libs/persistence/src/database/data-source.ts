import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { AnalysisRunEntity } from '../entities/analysis-run.entity';
import { ApiKeyEntity } from '../entities/api-key.entity';
import { CompanyEntity } from '../entities/company.entity';
import { SnapshotEntity } from '../entities/snapshot.entity';
import { CreateSchema1790000000000 } from '../migrations/1790000000000-create-schema';
import { AddAuditSeals1790100000000 } from '../migrations/1790100000000-add-audit-seals';
import { AddDecisions1790400000000 } from '../migrations/1790400000000-add-decisions';

export const ENTITIES = [AnalysisRunEntity, ApiKeyEntity, CompanyEntity, SnapshotEntity];
export const MIGRATIONS = [CreateSchema1790000000000, AddAuditSeals1790100000000, AddDecisions1790400000000];

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity, so that an operator sees who holds a connection. */
  readonly applicationName: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** A data source with bounded waits everywhere. It is not connected yet. `synchronize` is off for good. */
export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize,
    connectTimeoutMS: options.connectTimeoutMs,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    logging: false,
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      statement_timeout: options.statementTimeoutMs,
      // The client gives up a little later than the server, for the case that the server is gone.
      query_timeout: options.statementTimeoutMs + 1_000,
      idle_in_transaction_session_timeout: options.statementTimeoutMs * 2,
      keepAlive: true,
    },
  });
}
