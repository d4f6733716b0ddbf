export * from './service-process';
export * from './test-database';
export * from './wait-until';
