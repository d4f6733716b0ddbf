import { Redis } from 'ioredis';

/**
 * Connection for adding jobs: it fails fast, so that a request never waits for a Redis that is away.
 */
export function producerConnection(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    connectionName: 'queue-producer',
    commandTimeout: 1_000,
    connectTimeout: 1_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
  });
  redis.on('error', onError);
  return redis;
}

/** Connection for workers: BullMQ blocks on it and wants to outwait any failure. */
export function workerConnection(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    connectionName: 'queue-worker',
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
  });
  redis.on('error', onError);
  return redis;
}
