export * from './recount';
