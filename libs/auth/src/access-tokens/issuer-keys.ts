import { AppError } from '@outcomes/contracts';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose';

/** How long the issuer may take. Requests wait for one question together. */
const TIMEOUT_MS = 3_000;
/** A token that names an unknown key has them fetched again, but not more often than this. */
const COOLDOWN_MS = 30_000;
/** Until they were had once: a service that starts before its issuer should not wait longer than that. */
const FIRST_COOLDOWN_MS = 5_000;
const CACHE_TTL_MS = 10 * 60_000;
/** Key sets have some kilobytes. */
const MAX_BYTES = 256 * 1_024;

/** The keys of an issuer: fetched when needed, remembered, and never for long or much. */
export function issuerKeys(jwksUrl: string): JWTVerifyGetKey {
  let askedMs = -Infinity;
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: CACHE_TTL_MS,
    // jose cools down after a success only: while the issuer fails, every token would ask it again, made-up ones too.
    [customFetch]: async (url, options) => {
      const nowMs = Date.now();
      const cooldownMs = keys.jwks() === undefined ? FIRST_COOLDOWN_MS : COOLDOWN_MS;
      if (nowMs - askedMs < cooldownMs)
        throw new AppError(
          'SERVICE_UNAVAILABLE',
          {},
          { message: 'The keys of the issuer cannot be had now.' },
        );
      askedMs = nowMs;
      return boundedFetch(url, options);
    },
  });
  return keys;
}

/** Reads so much and no more, and follows nobody to another address. */
const boundedFetch: FetchImplementation = async (url, options) => {
  const answer = await fetch(url, { ...options, redirect: 'error' });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    bytes += part.length;
    if (bytes > MAX_BYTES)
      throw new AppError('SERVICE_UNAVAILABLE', {}, { message: 'The key set is too large.' });
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: answer.status, headers: answer.headers });
};
