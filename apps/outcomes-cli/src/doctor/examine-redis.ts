import { randomUUID } from 'node:crypto';
import { followingPrimary, sentinelList, type RedisAddress } from '@outcomes/platform';
import { probeQueue } from '@outcomes/queues';
import { Redis } from 'ioredis';
import type { CliConfig } from '../outcomes-cli.config';
import { failureLine } from '../output/cli-failure';
import { fault, ok, type Finding } from './finding';

const TIMEOUT_MS = 5_000;
const OLDEST_REDIS = [6, 2] as const;

/** Looks at Redis, counts as limits do, and takes a job through a queue of its own. */
export async function examineRedis({
  redisUrl: url,
  redisSentinels,
  redisPrefix: prefix,
}: Pick<CliConfig, 'redisUrl' | 'redisSentinels' | 'redisPrefix'>): Promise<Finding[]> {
  if (!url) return [fault('redis', 'no address; set REDIS_URL')];
  const sentinels = sentinelList.safeParse(redisSentinels);
  if (!sentinels.success)
    return [fault('redis', `REDIS_SENTINELS ${sentinels.error.issues[0]?.message ?? ''}`)];
  const address = { url, sentinels: sentinels.data };
  const redis = new Redis(url, {
    ...followingPrimary(address),
    sentinelRetryStrategy: () => null,
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const findings = [
      await versionFinding(redis),
      await topologyFinding(redis, address.sentinels.length),
      await evictionFinding(redis),
    ];
    // What follows would only say the same in other words.
    if (findings.some(({ state }) => state === 'fault')) return findings;
    return [...findings, await countingFinding(redis, prefix), await queueFinding(address, prefix)];
  } catch (error) {
    return [
      fault('redis', `not reachable (${failureLine(error)}); check REDIS_URL and that Redis is running`),
    ];
  } finally {
    redis.disconnect();
  }
}

async function versionFinding(redis: Redis): Promise<Finding> {
  const version = /redis_version:(\d+)\.(\d+)/.exec(await redis.info('server'));
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  const enough = major > OLDEST_REDIS[0] || (major === OLDEST_REDIS[0] && minor >= OLDEST_REDIS[1]);
  return enough
    ? ok('redis', `version ${major}.${minor}`)
    : fault('redis', `version ${major}.${minor}; ${OLDEST_REDIS.join('.')} or newer is needed`);
}

async function topologyFinding(redis: Redis, sentinels: number): Promise<Finding> {
  const check = 'redis topology';
  if (/cluster_enabled:1/.test(await redis.info('cluster')))
    return fault(check, 'this is a Redis Cluster node, which is not supported; use a single primary');
  const role = /role:(\w+)/.exec(await redis.info('replication'))?.[1];
  return role === 'master'
    ? ok(check, sentinels > 0 ? `one primary, found through ${sentinels} sentinels` : 'one primary')
    : fault(check, 'this is a replica and read-only; set REDIS_URL to the primary');
}

async function evictionFinding(redis: Redis): Promise<Finding> {
  const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1] ?? 'unknown';
  return policy === 'noeviction'
    ? ok('redis eviction', policy)
    : fault('redis eviction', `${policy}; set maxmemory-policy noeviction, or jobs and limits may be lost`);
}

async function countingFinding(redis: Redis, prefix: string): Promise<Finding> {
  const key = `${prefix}:doctor:${randomUUID()}`;
  const script = `local n = redis.call('INCR', KEYS[1]); redis.call('PEXPIRE', KEYS[1], 1000);
    redis.call('TIME'); redis.call('DEL', KEYS[1]); return n`;
  try {
    return (await redis.eval(script, 1, key)) === 1
      ? ok('redis counters', 'counts')
      : fault('redis counters', 'a new counter did not start at one; find out what else writes there');
  } catch (error) {
    return fault('redis counters', `cannot count (${failureLine(error)}); limits are per process meanwhile`);
  }
}

async function queueFinding(address: RedisAddress, prefix: string): Promise<Finding> {
  try {
    await probeQueue(address, prefix);
    return ok('redis queue', 'a job was queued and taken');
  } catch (error) {
    return fault('redis queue', `accepts no jobs (${failureLine(error)}); work waits for the worker's sweep`);
  }
}
