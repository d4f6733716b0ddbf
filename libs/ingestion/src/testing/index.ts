export * from './postgres-verdict';
export * from './recount';
export * from './wild-events';
