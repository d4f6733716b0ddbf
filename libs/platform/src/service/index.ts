export * from '../http/http-adapter';
export * from '../runtime/start-service';
export * from '../runtime/start-worker';
