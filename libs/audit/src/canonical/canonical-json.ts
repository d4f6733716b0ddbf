import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * A JSON value in the one form that everybody who hashes it gets (RFC 8785).
 *
 * What RFC 8785 refuses (lone surrogates, which JSON text can carry as escapes) is not a reason to leave a call
 * unaudited: such a value is written as JSON.stringify does it.
 * @param shapes - those met before, where values of the same kind are written again and again
 */
export function canonicalJson(value: unknown, shapes = new KnownShapes()): string {
  // The package writes piece by piece and takes twice the time; it stays for keys that need its care.
  const work: Work = { shapes, isKept: true };
  const sorted = sortedCopy(value, work);
  if (work.isKept) return JSON.stringify(sorted) ?? 'null';
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
  /** An object that has them in order: copying it, and then its values, takes half of what setting each key takes. */
  readonly form: Readonly<Record<string, unknown>>;
  /** Whether a copy keeps the order in which its keys are set. */
  readonly isKept: boolean;
}

interface Work {
  readonly shapes: KnownShapes;
  /** Whether that holds for all objects so far. */
  isKept: boolean;
}

/** Keys that an object keeps in the order in which they were set; those that look like numbers it does not. */
const ORDERED_KEY = /^[A-Za-z]/;
/** Beyond, all are forgotten at once: keys may be anybody's text. */
const MOST_SHAPES = 1_000;
/** Beyond, none is remembered that begins alike: every object would be held against all of them. */
const MOST_ALIKE = 20;

/** Shapes of objects by their first key, for values that are alike. */
export class KnownShapes {
  private readonly byFirst = new Map<string, Shape[]>();
  private size = 0;

  of(keys: readonly string[]): Shape {
    const first = keys[0] ?? '';
    const known = this.byFirst.get(first) ?? [];
    for (const shape of known) if (isSame(shape.keys, keys)) return shape;
    if (known.length >= MOST_ALIKE) return shapeOf(keys);
    if (this.size >= MOST_SHAPES) {
      this.byFirst.clear();
      this.size = 0;
    }
    const shape = shapeOf(keys);
    this.byFirst.set(first, [...(this.byFirst.get(first) ?? []), shape]);
    this.size += 1;
    return shape;
  }
}

/** RFC 8785 writes strings and numbers as JSON.stringify does, so sorted keys are all that is left to do. */
function sortedCopy(value: unknown, work: Work): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => sortedCopy(item, work));
  const { sorted, form, isKept } = work.shapes.of(Object.keys(value));
  if (!isKept) work.isKept = false;
  const copy: Record<string, unknown> = { ...form };
  for (const key of sorted) {
    const item = (value as Record<string, unknown>)[key];
    copy[key] = typeof item === 'object' && item !== null ? sortedCopy(item, work) : item;
  }
  return copy;
}

function shapeOf(keys: readonly string[]): Shape {
  const sorted = [...keys].sort();
  const form = Object.fromEntries(sorted.map((key) => [key, null]));
  return { keys, sorted, form, isKept: keys.every((key) => ORDERED_KEY.test(key)) };
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
