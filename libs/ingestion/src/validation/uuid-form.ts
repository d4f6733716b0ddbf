const UUID_LENGTH = 36;
const HYPHEN = 0x2d;
const HEXADECIMAL = new Uint8Array(256);
for (const digit of '0123456789ABCDEFabcdef') HEXADECIMAL[digit.charCodeAt(0)] = 1;

/**
 * Whether a text is a UUID as 8-4-4-4-12 hexadecimal digits, in either case. Any version; no braces.
 *
 * A scan instead of a regular expression: nearly every event has one, and it takes a fifth of the time.
 */
export function isUuid(text: string): boolean {
  if (text.length !== UUID_LENGTH) return false;
  for (let at = 0; at < UUID_LENGTH; at += 1) {
    const code = text.charCodeAt(at);
    const isRight =
      at === 8 || at === 13 || at === 18 || at === 23 ? code === HYPHEN : HEXADECIMAL[code] === 1;
    if (!isRight) return false;
  }
  return true;
}
