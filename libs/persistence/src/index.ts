export * from './database/data-source';
export * from './database/migrate';
export * from './database/persistence.module';
export * from './database/service-logins';
export * from './entities/analysis-run.entity';
export * from './entities/api-key.entity';
export * from './entities/company.entity';
export * from './entities/snapshot.entity';
