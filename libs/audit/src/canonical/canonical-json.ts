import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * A JSON value in the one form that everybody who hashes it gets (RFC 8785).
 *
 * What RFC 8785 refuses (lone surrogates, which JSON text can carry as escapes) is not a reason to leave a call
 * unaudited: such a value is written as JSON.stringify does it.
 */
export function canonicalJson(value: unknown): string {
  // The package writes piece by piece and takes twice the time; it stays for keys that need its care.
  const order = { isKept: true };
  const sorted = sortedCopy(value, order);
  if (order.isKept) return JSON.stringify(sorted) ?? 'null';
  try {
    return canonicalize(value) ?? 'null';
  } catch {
    return JSON.stringify(value) ?? 'null';
  }
}

/** Keys that an object keeps in the order in which they were set; those that look like numbers it does not. */
const ORDERED_KEY = /^[A-Za-z]/;

/** RFC 8785 writes strings and numbers as JSON.stringify does, so sorted keys are all that is left to do. */
function sortedCopy(value: unknown, order: { isKept: boolean }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => sortedCopy(item, order));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    if (!ORDERED_KEY.test(key)) order.isKept = false;
    else copy[key] = sortedCopy((value as Record<string, unknown>)[key], order);
  }
  return copy;
}

/** SHA-256 of a value's canonical JSON, 32 bytes: what a caller recomputes to prove what was sent or answered. */
export function sha256OfJson(value: unknown): Buffer {
  return sha256OfText(canonicalJson(value));
}

/** SHA-256 of a text in UTF-8, 32 bytes; for what is canonical JSON already. */
export function sha256OfText(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
