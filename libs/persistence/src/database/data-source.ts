import 'reflect-metadata';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AnalysisRunEntity } from '../entities/analysis-run.entity';
import { ApiKeyEntity } from '../entities/api-key.entity';
import { CompanyEntity } from '../entities/company.entity';
import { SnapshotEntity } from '../entities/snapshot.entity';
import { MIGRATIONS } from './all-migrations';
import { connectionParameters, type DatabaseOptions } from './client-config';

export const ENTITIES = [AnalysisRunEntity, ApiKeyEntity, CompanyEntity, SnapshotEntity];

/** A data source with bounded waits everywhere. It is not connected yet. `synchronize` is off for good. */
export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    // By itself it looks for another copy of the driver, whose errors would be of other classes.
    driver: pg,
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
    extra: connectionParameters(options),
  });
}
