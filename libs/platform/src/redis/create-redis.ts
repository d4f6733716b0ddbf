import { Redis, type Command } from 'ioredis';
import { followingPrimary, type RedisAddress } from './redis-address';

export { Redis } from 'ioredis';
export const REDIS = Symbol('Redis');

/** How ioredis says that a command took longer than `commandTimeout`. */
const TIMED_OUT = 'Command timed out';

/** Of a command that Redis did not answer in time. */
export class RedisTimeout extends Error {
  /** @param reply - resolves to what Redis answers after all, text as bytes, and never if the connection is lost before */
  constructor(
    message: string,
    readonly reply: Promise<unknown>,
  ) {
    super(message);
  }
}

/**
 * Writes commands that are given together in one system call: a write for each is the dearest part of a command.
 * Unlike auto-pipelining it changes neither their order nor how each of them fails.
 */
class TurnwiseRedis extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    readBeforeTimingOut(command);
    const socket = this.status === 'ready' ? this.stream : undefined;
    if (socket && socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    return super.sendCommand(command, stream);
  }
}

/**
 * Lets the event loop read what has arrived before a command fails for want of a reply. After a process has stood still, be
 * it throttled by its CPU limit or paused with its machine, Node may run timers first: every reply that came meanwhile would
 * count as missing, although Redis has done what it was asked.
 */
function readBeforeTimingOut(command: Command): void {
  const { reject } = command;
  command.reject = (error) => {
    if (error.message !== TIMED_OUT) return reject(error);
    setImmediate(() => {
      if (command.isResolved) return;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const settle = command.resolve;
      command.resolve = (reply) => {
        resolve(reply);
        return settle(reply);
      };
      reject(new RedisTimeout(error.message, promise));
    });
  };
}

/**
 * A Redis connection that never makes a request hang: commands fail after a time, and at once while the
 * connection is down. It reconnects on its own, with at most two seconds between tries.
 * @param onError - told of connection faults; without a listener they would end the process
 * @param commandTimeout - milliseconds
 */
export function createRedis(
  address: RedisAddress,
  connectionName: string,
  onError: (error: Error) => void,
  commandTimeout = 500,
): Redis {
  const redis = new TurnwiseRedis(address.url, {
    ...followingPrimary(address),
    connectionName,
    commandTimeout,
    connectTimeout: 1_000,
    disconnectTimeout: 500,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
  });
  redis.on('error', onError);
  return redis;
}
