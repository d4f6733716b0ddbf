import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as they travel; stored is their SHA-256 alone. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What a secret is found by. */
export function fingerprintOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
