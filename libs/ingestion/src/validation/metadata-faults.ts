import { fault, type FieldFault } from './field-fault';
import { MAX_METADATA_BYTES, MAX_METADATA_DEPTH } from './outcome-event';
import { hasRefusedCharacter, REFUSED_CHARACTER } from './refused-characters';

/**
 * Whether a careless merge would reach the prototype of every object by such a key. By `constructor` and `prototype` it
 * would only where it merges deep into what is no data, which nothing here does.
 */
export const isForbiddenKey = (key: string): boolean => key === '__proto__';

/**
 * Checks what the JSON type of Postgres and the size limit demand of metadata.
 * @param isClean - whether none of its texts can hold a refused character
 * @returns the first fault, or the compact JSON to store
 */
export function checkMetadata(
  metadata: object,
  isClean: boolean,
): { readonly json: string } | { readonly fault: FieldFault } {
  const found = faultWithin(metadata, 1, isClean);
  if (found) return { fault: found };
  const json = JSON.stringify(metadata);
  // A UTF-16 unit takes at most three bytes: most metadata need no counting.
  if (json.length * 3 > MAX_METADATA_BYTES && Buffer.byteLength(json) > MAX_METADATA_BYTES) {
    const message = `Send at most ${MAX_METADATA_BYTES} bytes, measured as compact JSON in UTF-8.`;
    return { fault: fault('metadata', 'METADATA_TOO_LARGE', message) };
  }
  return { json };
}

function faultWithin(value: unknown, depth: number, isClean: boolean): FieldFault | undefined {
  if (typeof value === 'string') return isClean ? undefined : textFault(value);
  if (typeof value === 'number') return numberFault(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_METADATA_DEPTH) {
    const message = `Nest objects and lists at most ${MAX_METADATA_DEPTH} deep, metadata itself included.`;
    return fault('metadata', 'METADATA_TOO_DEEP', message);
  }
  if (Array.isArray(value)) return firstFault(value, depth, isClean);
  for (const key in value) {
    if (isForbiddenKey(key)) {
      return fault('metadata', 'FORBIDDEN_KEY', 'Rename the key __proto__.');
    }
    const member = (value as Record<string, unknown>)[key];
    const found = (isClean ? undefined : textFault(key)) ?? faultWithin(member, depth + 1, isClean);
    if (found) return found;
  }
  return undefined;
}

function firstFault(values: readonly unknown[], depth: number, isClean: boolean): FieldFault | undefined {
  for (const value of values) {
    const found = faultWithin(value, depth + 1, isClean);
    if (found) return found;
  }
  return undefined;
}

function textFault(text: string): FieldFault | undefined {
  return hasRefusedCharacter(text) ? fault('metadata', 'INVALID_CHARACTER', REFUSED_CHARACTER) : undefined;
}

function numberFault(value: number): FieldFault | undefined {
  // JSON.parse turns 1e400 into Infinity, which no JSON document can hold.
  if (Number.isFinite(value)) return undefined;
  return fault('metadata', 'OUT_OF_RANGE', 'Send numbers below 1.8e308, or send this one as a string.');
}
