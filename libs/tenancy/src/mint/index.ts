export * from './mint-tenant-scope';
