export * from './database-failure';
export * from './tenant-database.service';
export * from './tenant-scope';
