import { createRedis, followingPrimary, type RedisAddress } from '@outcomes/platform';
import { Redis } from 'ioredis';

/** Adding the jobs of all companies is one command. */
const COMMAND_TIMEOUT_MS = 1_000;

/**
 * Connection for adding jobs: it fails fast, so that a request never waits for a Redis that is away.
 */
export function producerConnection(address: RedisAddress, onError: (error: Error) => void): Redis {
  return createRedis(address, 'queue-producer', onError, COMMAND_TIMEOUT_MS);
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
