export * from './database-failure';
export type { PostgresChannel } from './postgres-channel';
export * from './tenant-database.service';
export * from './tenant-scope';
export * from './together';
