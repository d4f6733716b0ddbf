import type { RedisOptions } from 'ioredis';
import { z } from 'zod';

const SENTINEL_PORT = 26_379;
const SENTINEL_TIMEOUT_MS = 1_000;

/** Where the one Redis is that takes writes. */
export interface RedisAddress {
  /**
   * redis://USER:PASSWORD@HOST:PORT/DATABASE, with TLS rediss://. Where there are sentinels, HOST is the name by which they
   * know the primary, and PORT is theirs to say.
   */
  readonly url: string;
  /** redis:// or rediss:// URLs of sentinels, alike in user and password; empty where the URL leads to the primary itself. */
  readonly sentinels: readonly string[];
}

/** A list of such URLs, separated by commas. */
export const sentinelList = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((url) => url.trim())
      .filter((url) => url !== ''),
  )
  .refine((urls) => urls.every(isRedisUrl), 'must be redis:// or rediss:// URLs, separated by commas')
  .refine(
    (urls) => !urls.every(isRedisUrl) || new Set(urls.map(credentialsOf)).size <= 1,
    'must be alike in scheme, user and password',
  );

/** @returns where a service finds Redis */
export function redisAddress(config: {
  readonly REDIS_URL: string;
  readonly REDIS_SENTINELS: readonly string[];
}): RedisAddress {
  return { url: config.REDIS_URL, sentinels: config.REDIS_SENTINELS };
}

/**
 * What a connection needs beside the URL in order to follow the primary: sentinels are asked at each new connection, and
 * tell when another becomes it; a server that has become a replica is left at its first refusal of a write.
 */
export function followingPrimary({ url, sentinels }: RedisAddress): RedisOptions {
  const reconnectOnError = (error: Error) => error.message.startsWith('READONLY');
  const [first] = sentinels;
  if (first === undefined) return { reconnectOnError };
  const { username, password, protocol } = new URL(first);
  return {
    reconnectOnError,
    name: new URL(url).hostname,
    sentinels: sentinels.map((sentinel) => {
      const { hostname, port } = new URL(sentinel);
      return { host: hostname, port: port === '' ? SENTINEL_PORT : Number(port) };
    }),
    ...(username !== '' && { sentinelUsername: decodeURIComponent(username) }),
    ...(password !== '' && { sentinelPassword: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { sentinelTLS: {} }),
    enableTLSForSentinelMode: url.startsWith('rediss:'),
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    failoverDetector: true,
  };
}

function isRedisUrl(text: string): boolean {
  return /^rediss?:\/\/[^/]/.test(text) && URL.canParse(text);
}

function credentialsOf(text: string): string {
  const { protocol, username, password } = new URL(text);
  return JSON.stringify([protocol, username, password]);
}
