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
  const known: Shape[] = [];
  const sorted = sortedCopy(value, known);
  if (known.every(({ isKept }) => isKept)) return JSON.stringify(sorted) ?? 'null';
  try {
    return canonicalize(value) ?? 'null';
  } catch {
    return JSON.stringify(value) ?? 'null';
  }
}

/** The keys of an object, as they came and in order. A list of records has one for all of them: sorting is dear. */
interface Shape {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  /** Whether a copy keeps the order in which its keys are set. */
  readonly isKept: boolean;
}

/** Keys that an object keeps in the order in which they were set; those that look like numbers it does not. */
const ORDERED_KEY = /^[A-Za-z]/;

/** RFC 8785 writes strings and numbers as JSON.stringify does, so sorted keys are all that is left to do. */
function sortedCopy(value: unknown, known: Shape[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => sortedCopy(item, known));
  const { sorted } = shapeOf(Object.keys(value), known);
  const copy: Record<string, unknown> = {};
  for (const key of sorted) {
    const item = (value as Record<string, unknown>)[key];
    copy[key] = typeof item === 'object' && item !== null ? sortedCopy(item, known) : item;
  }
  return copy;
}

function shapeOf(keys: readonly string[], known: Shape[]): Shape {
  for (const shape of known) if (isSame(shape.keys, keys)) return shape;
  const shape = { keys, sorted: [...keys].sort(), isKept: keys.every((key) => ORDERED_KEY.test(key)) };
  known.push(shape);
  return shape;
}

function isSame(first: readonly string[], second: readonly string[]): boolean {
  if (first.length !== second.length) return false;
  for (let at = 0; at < first.length; at += 1) if (first[at] !== second[at]) return false;
  return true;
}

/** SHA-256 of a value's canonical JSON, 32 bytes: what a caller recomputes to prove what was sent or answered. */
export function sha256OfJson(value: unknown): Buffer {
  return sha256OfText(canonicalJson(value));
}

/** SHA-256 of a text in UTF-8, 32 bytes; for what is canonical JSON already. */
export function sha256OfText(text: string): Buffer {
  // By way of characters: OpenSSL's own buffer costs more than the hash of a short text.
  return Buffer.from(hash('sha256', text, 'binary'), 'latin1');
}
