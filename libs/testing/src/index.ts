export * from './contents';
export * from './round-robin';
export * from './service-process';
export * from './tcp-proxy';
export * from './test-database';
export { podsPerService } from './test-servers.config';
export * from './wait-until';
export * from './answer-check';
export * from './attach-database';
