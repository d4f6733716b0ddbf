export * from '../http/http-adapter';
export * from '../runtime/start-service';
