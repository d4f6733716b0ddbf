import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * A JSON value in the one form that everybody who hashes it gets (RFC 8785).
 *
 * What RFC 8785 refuses (lone surrogates, which JSON text can carry as escapes) is not a reason to leave a call
 * unaudited: such a value is written as JSON.stringify does it, keys in their given order.
 */
export function canonicalJson(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null';
  } catch {
    return JSON.stringify(value) ?? 'null';
  }
}

/** SHA-256 of a value's canonical JSON, 32 bytes: what a caller recomputes to prove what was sent or answered. */
export function sha256OfJson(value: unknown): Buffer {
  return sha256OfText(canonicalJson(value));
}

/** SHA-256 of a text in UTF-8, 32 bytes; for what is canonical JSON already. */
export function sha256OfText(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
