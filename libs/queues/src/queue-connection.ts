import { followingPrimary, type RedisAddress } from '@outcomes/platform';
import { Redis } from 'ioredis';

/**
 * Connection for adding jobs: it fails fast, so that a request never waits for a Redis that is away.
 */
export function producerConnection(address: RedisAddress, onError: (error: Error) => void): Redis {
  const redis = new Redis(address.url, {
    ...followingPrimary(address),
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
export function workerConnection(address: RedisAddress, onError: (error: Error) => void): Redis {
  const redis = new Redis(address.url, {
    ...followingPrimary(address),
    connectionName: 'queue-worker',
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
  });
  redis.on('error', onError);
  return redis;
}
