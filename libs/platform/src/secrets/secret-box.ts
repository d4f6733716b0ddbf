import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '@outcomes/contracts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Keeps secrets that are needed as they are, such as those that deliveries are signed with: AES-256-GCM under a key of the
 * installation, bound to the id of what they belong to, so that a row that was copied elsewhere opens nothing.
 */
export class SecretBox {
  private readonly keys: readonly Buffer[];

  /** @param keys - 32 bytes each in base64, separated by commas; the first seals, all of them open */
  constructor(keys: string) {
    this.keys = keysIn(keys);
  }

  /** Whether anything can be sealed or opened. */
  get hasKey(): boolean {
    return this.keys.length > 0;
  }

  /** @throws AppError INTERNAL_ERROR without a key */
  seal(secret: string, owner: string): Buffer {
    const [key] = this.keys;
    if (!key) throw new AppError('INTERNAL_ERROR', {}, { message: 'SOURCE_SECRETS_KEY is not set.' });
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @returns undefined where no key opens it: another installation's, or another owner's */
  open(sealed: Buffer, owner: string): string | undefined {
    for (const key of this.keys) {
      try {
        const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(owner))
          .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const opened = [decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return Buffer.concat(opened).toString('utf8');
      } catch {
        // Sealed under another key.
      }
    }
    return undefined;
  }
}

/** Whether a setting is a list of such keys. */
export function areSecretKeys(keys: string): boolean {
  return keysIn(keys).every((key) => key.length === KEY_BYTES);
}

function keysIn(keys: string): Buffer[] {
  return keys
    .split(',')
    .filter((key) => key.trim() !== '')
    .map((key) => Buffer.from(key.trim(), 'base64'));
}
