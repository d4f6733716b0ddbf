export * from './postgres-verdict';
export * from './recount';
export * from './fuzz-events';
