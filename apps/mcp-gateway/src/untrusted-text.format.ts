/**
 * What a model reads but a person does not see, or sees elsewhere: control, format (bidi, zero-width, tags),
 * lone surrogates, line and paragraph separators, variation selectors, and letters that are drawn blank.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}\u115f\u1160\u3164\uffa0]|\u034f|[\u17b4\u17b5]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const DELETE = '\x7f';
/** How JSON.stringify writes the hidden characters that it escapes; a false alarm only costs time. */
const ESCAPED = /\\[bfnrt]|\\u(?:00[01]|d[89a-f])/;

/** Text without hidden characters; line breaks and tabs become a blank. */
export function visibleText(text: string): string {
  return text.replace(/[\t\n\r\u2028\u2029]+/g, ' ').replace(ALL_HIDDEN, '');
}

/** Whether a serialised document holds anything that visibleDocument would change. */
export function holdsHiddenText(json: string): boolean {
  return !isPlain(json) && (ESCAPED.test(json) || HIDDEN.test(json));
}

/** Printable ASCII without escapes, as most documents are; three scans by the engine take a tenth of a pattern. */
function isPlain(json: string): boolean {
  return Buffer.byteLength(json) === json.length && !json.includes('\\') && !json.includes(DELETE);
}

/** A copy of a JSON value in which every string, keys included, is visible text. */
export function visibleDocument(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleDocument);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [visibleText(key), visibleDocument(item)]),
  );
}

/**
 * Foreign text inside instructions: one JSON string between tags that it cannot contain, cut at `limit`
 * characters. What stands around it says that it is data.
 */
export function fenced(tag: string, text: string, limit = 256): string {
  const quoted = JSON.stringify([...visibleText(text)].slice(0, limit).join(''));
  return `<${tag}>${quoted.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')}</${tag}>`;
}
