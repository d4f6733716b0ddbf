export * from './database-failure';
export type { ReadsConfig } from './pipelined-reads';
export type { PostgresChannel } from './postgres-channel';
export type { Replica } from './replica-reads';
export * from './tenant-database.service';
export * from './tenant-scope';
export * from './together';
export type { TenantTransaction } from './transactions';
