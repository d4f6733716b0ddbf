import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';

const DIGITS = 32;
/** One address and nothing else; ingest-api judges it once more, by RFC 5321. */
const ADDRESS = /^[^\s@<>(),;:"]{1,64}@[^\s@<>(),;:"]{1,190}$/;

/** @returns in lower case; undefined where the text is no address, also where it is several */
export function addressOf(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  return ADDRESS.test(address) ? address : undefined;
}

/** How events name the recipient of an address: the same from every tool, and not the address. */
export function recipientIdOf(address: string): string {
  return `em_${digestOf(address).slice(0, DIGITS)}`;
}

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export function digestOf(text: string): string {
  return bytesToHex(sha256(text));
}
