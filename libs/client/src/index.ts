export {
  AccessError,
  LimitError,
  OutcomesError,
  RequestError,
  UnavailableError,
  WaitTimeoutError,
  type ErrorBody,
  type ErrorBodyOf,
  type ErrorCode,
} from './errors.ts';
export { EventQueue, type EventQueueOptions, type FlushOptions, type Rejection } from './event-queue.ts';
export type { components as IngestApi } from './generated/ingest-api.ts';
export type { components as ReadApi } from './generated/read-api.ts';
export * from './outcomes-client.ts';
export type { AskedWith, CallOptions, PagedRead, Read, ReadAnswer, ReadArguments } from './reads.ts';
export type { Retry, TransportOptions } from './transport.ts';
