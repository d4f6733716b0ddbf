import { Redis } from 'ioredis';

export { Redis } from 'ioredis';
export const REDIS = Symbol('Redis');

/**
 * A Redis connection that never makes a request hang: commands fail after 500 ms, and at once while the
 * connection is down. It reconnects on its own, with at most two seconds between tries.
 * @param onError - told of connection faults; without a listener they would end the process
 */
export function createRedis(url: string, connectionName: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    connectionName,
    commandTimeout: 500,
    connectTimeout: 1_000,
    disconnectTimeout: 500,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
  });
  redis.on('error', onError);
  return redis;
}
