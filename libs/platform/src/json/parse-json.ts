import { isEscapeHeavy } from './escape-heavy';

/** What may be the end of a key whose last character is a backslash: two of them, or one that is written as an escape. */
const ENDS_IN_BACKSLASH = /\\(?:\\|u005[cC])"(?=\s*:)/g;
/** Of `u005c`, without its backslash. */
const ESCAPED_LENGTH = 5;
const BACKSLASH = 0x5c;

/**
 * JSON.parse for texts of strangers, which takes no key that ends in a backslash.
 *
 * The V8 of Node 24 remembers the keys of objects that it has parsed. After one whose key ends in a backslash it
 * reads a later `"\u0041"` in the same place as that key: one caller's text would change what is read of another's,
 * for as long as the process lives. The specs show the defect; when they no longer do, this may go.
 * @throws SyntaxError for what is no JSON, and for such a key
 */
export function parseJson(text: string): unknown {
  const isSuspect = isEscapeHeavy(text) || text.includes('\\\\"') || text.includes('\\u005');
  if (isSuspect && hasKeyEndingInBackslash(text)) throw new SyntaxError('A key ends in a backslash.');
  return JSON.parse(text);
}

function hasKeyEndingInBackslash(text: string): boolean {
  // By `test`, which makes nothing: there may be a million of them.
  for (ENDS_IN_BACKSLASH.lastIndex = 0; ENDS_IN_BACKSLASH.test(text);) {
    const quote = ENDS_IN_BACKSLASH.lastIndex - 1;
    const isWritten = text.charCodeAt(quote - 1) === BACKSLASH;
    const end = isWritten ? quote : quote - ESCAPED_LENGTH;
    let first = end;
    while (first > 0 && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    // Backslashes escape each other in pairs. An odd one escapes what follows: a quote that ends nothing, or the `u`.
    if ((end - first) % 2 === (isWritten ? 0 : 1)) return true;
  }
  return false;
}
