import { cleanText, holdsHidden } from '@outcomes/read-model';

const DELETE = '\x7f';
/** How JSON.stringify writes the hidden characters that it escapes; a false alarm only costs time. */
const ESCAPED = /\\[bfnrt]|\\u(?:00[01]|d[89a-f])/;

/** Whether a serialised document holds anything that visibleDocument may change. */
export function holdsHiddenText(json: string): boolean {
  return !isPlain(json) && (ESCAPED.test(json) || holdsHidden(json));
}

/** Printable ASCII without escapes, as most documents are; three scans by the engine take a tenth of a pattern. */
function isPlain(json: string): boolean {
  return Buffer.byteLength(json) === json.length && !json.includes('\\') && !json.includes(DELETE);
}

/** A copy of a JSON value in which every string, keys included, is clean text. */
export function visibleDocument(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(visibleDocument);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), visibleDocument(item)]),
  );
}

/**
 * Foreign text inside instructions: one JSON string between tags that it cannot contain, cut at `limit`
 * characters. What stands around it says that it is data.
 */
export function fenced(tag: string, text: string, limit = 2_048): string {
  const quoted = JSON.stringify([...cleanText(text)].slice(0, limit).join(''));
  return `<${tag}>${quoted.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')}</${tag}>`;
}
