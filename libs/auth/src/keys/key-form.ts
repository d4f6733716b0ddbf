import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62 } from '@outcomes/platform/process';

const ID_LENGTH = 16;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 8;

/** The public half of a key: it may be shown, stored and logged. */
export const KEY_ID = /^[0-9A-Za-z]{16}$/;

export interface ParsedKey {
  readonly keyId: string;
  readonly secret: string;
}

/** SHA-256 of a text, as stored beside a key id. 190 random bits need no slow hash. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** The written form of self-serve keys: `svc_` + 16 id + 32 secret + `_` + CRC32 of everything before. */
export class KeyForm {
  private readonly pattern: RegExp;
  private readonly beginning: string;

  /** @param prefix - the product's own, without the underscore, e.g. `svc` */
  constructor(prefix: string) {
    this.beginning = `${prefix}_`;
    this.pattern = new RegExp(
      `^${prefix}_[0-9A-Za-z]{${ID_LENGTH + SECRET_LENGTH}}_[0-9a-f]{${CHECKSUM_LENGTH}}$`,
    );
  }

  /** Whether a token claims to be a self-serve key; anything else is held against the bootstrap credentials. */
  claims(token: string): boolean {
    return token.startsWith(this.beginning);
  }

  /** What stands where the public half does, in whatever claims to be a key: nothing else of it is looked at. */
  claimedKeyId(token: string): string {
    const start = this.beginning.length;
    return token.slice(start, start + ID_LENGTH);
  }

  /** @returns the halves, or undefined where form or checksum is wrong; no I/O, so that typing errors cost nothing */
  parse(token: string): ParsedKey | undefined {
    if (!this.pattern.test(token)) return undefined;
    // By its fixed lengths, and the checksum as a number: groups and hexadecimal text cost as much as all the rest.
    const end = token.length - CHECKSUM_LENGTH - 1;
    if (crc32(token.slice(0, end)) !== Number.parseInt(token.slice(end + 1), 16)) return undefined;
    return { keyId: this.claimedKeyId(token), secret: token.slice(this.beginning.length + ID_LENGTH, end) };
  }

  /** A fresh key. `apiKey` is to be shown once and stored nowhere. */
  generate(): ParsedKey & { readonly apiKey: string } {
    const keyId = randomBase62(ID_LENGTH);
    const secret = randomBase62(SECRET_LENGTH);
    return { keyId, secret, apiKey: this.format(keyId, secret) };
  }

  format(keyId: string, secret: string): string {
    const body = `${this.beginning}${keyId}${secret}`;
    return `${body}_${crc32(body).toString(16).padStart(CHECKSUM_LENGTH, '0')}`;
  }
}
