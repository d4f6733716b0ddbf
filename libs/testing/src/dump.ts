import type { Redis } from 'ioredis';
import type { TestDatabase } from './test-database';
import { testRedisUrl } from './test-database';

/** Every row of every table as text, as a dump of the database would hold it. */
export async function databaseContents(database: TestDatabase): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`SELECT stored::text AS row FROM ${name} stored`);
    texts.push(name, ...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

/**
 * Every key of one suite and what it holds, as a dump of Redis would.
 * @param prefix - of `testRedisPrefix`
 */
export async function redisContents(prefix: string): Promise<string> {
  const redis = await openRedis();
  try {
    const keys = await redis.keys(`*${prefix.replaceAll(/[{}]/g, '')}*`);
    const texts = await Promise.all(keys.map(async (key) => `${key} ${await contentsOf(redis, key)}`));
    return texts.join('\n');
  } finally {
    redis.disconnect();
  }
}

/**
 * Takes from Redis all that one suite has there, in one step, as a server comes back that kept nothing.
 * @param prefix - of `testRedisPrefix`
 */
export async function loseRedisContents(prefix: string): Promise<void> {
  const redis = await openRedis();
  try {
    const keys = await redis.keys(`*${prefix.replaceAll(/[{}]/g, '')}*`);
    if (keys.length > 0) await redis.del(...keys);
  } finally {
    redis.disconnect();
  }
}

/** Loaded here: few suites look into Redis, and every one would pay for the driver. */
async function openRedis(): Promise<Redis> {
  const driver = await import('ioredis');
  return new driver.Redis(testRedisUrl());
}

async function contentsOf(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.getBuffer(key))?.toString('latin1') ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.smembers(key));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, 0, -1));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    default:
      return '';
  }
}
