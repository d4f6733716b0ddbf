import { hash } from 'node:crypto';

/**
 * A JSON value in the one form that everybody who hashes it gets (RFC 8785).
 *
 * What RFC 8785 refuses (lone surrogates, which JSON text can carry as escapes) is not a reason to leave a call
 * unaudited: such a text is written as JSON.stringify does it.
 * @param shapes - those met before, where values of the same kind are written again and again
 */
export function canonicalJson(value: unknown, shapes = new KnownShapes()): string {
  return written(value, shapes) ?? 'null';
}

/** The keys of an object, as they came, and how they are written. A list of records has one for all of them. */
interface Shape {
  readonly keys: readonly string[];
  /** Places in `keys`, in the order of RFC 8785. */
  readonly order: readonly number[];
  /** By that order: the key as JSON, with its colon. */
  readonly names: readonly string[];
}

/** Beyond, all are forgotten at once: keys may be anybody's text. */
const MAX_SHAPES = 1_000;
/** Beyond, none is remembered that begins alike: every object would be held against all of them. */
const MAX_ALIKE = 20;

/** Shapes of objects by their first key, for values that are alike. */
export class KnownShapes {
  private readonly byFirst = new Map<string, Shape[]>();
  private size = 0;

  of(keys: readonly string[]): Shape {
    const first = keys[0] ?? '';
    const known = this.byFirst.get(first) ?? [];
    for (const shape of known) if (isSame(shape.keys, keys)) return shape;
    if (known.length >= MAX_ALIKE) return shapeOf(keys);
    if (this.size >= MAX_SHAPES) {
      this.byFirst.clear();
      this.size = 0;
    }
    const shape = shapeOf(keys);
    this.byFirst.set(first, [...(this.byFirst.get(first) ?? []), shape]);
    this.size += 1;
    return shape;
  }
}

/** undefined for what JSON has no form of, as JSON.stringify has it. Numbers and texts RFC 8785 takes from there too. */
function written(value: unknown, shapes: KnownShapes): string | undefined {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  return Array.isArray(value) ? writtenList(value, shapes) : writtenObject(value, shapes);
}

function writtenList(items: readonly unknown[], shapes: KnownShapes): string {
  let text = '';
  for (const item of items) text += (text === '' ? '[' : ',') + (written(item, shapes) ?? 'null');
  return text === '' ? '[]' : `${text}]`;
}

function writtenObject(value: object, shapes: KnownShapes): string {
  const keys = Object.keys(value);
  // A date has none, and says itself what it is in JSON.
  if (keys.length === 0) return JSON.stringify(value);
  const { order, names } = shapes.of(keys);
  const items: readonly unknown[] = Object.values(value);
  let text = '';
  for (let at = 0; at < order.length; at += 1) {
    const item = written(items[order[at] as number], shapes);
    if (item !== undefined) text += (text === '' ? '{' : ',') + (names[at] as string) + item;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Other than what JSON leaves as it is. Surrogates are for JSON.stringify to judge, which escapes those that are alone. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function shapeOf(keys: readonly string[]): Shape {
  const sorted = [...keys].sort();
  const places = new Map(keys.map((key, at) => [key, at]));
  return {
    keys,
    order: sorted.map((key) => places.get(key) as number),
    names: sorted.map((key) => `${JSON.stringify(key)}:`),
  };
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
