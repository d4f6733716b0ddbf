/** Longer texts are left to JSON.stringify: the room below is held for as long as the process runs. */
const MAX_CHARACTERS = 64 * 1_024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Used within one turn only. */
const plain = Buffer.allocUnsafe(MAX_CHARACTERS);
const quoted = Buffer.allocUnsafe(2 * MAX_CHARACTERS + 2);

/**
 * JSON as a JSON text. In it only quotes and backslashes have to be escaped, as nothing else is left that would. By way
 * of bytes where it is ASCII, which makes the whole answer a third cheaper to put together than JSON.stringify does (4.1
 * for 5.9 us of 1.8 kB, 16 for 23 us of 7.7 kB); replacing in the string makes it dearer (9.1 and 29 us).
 *
 * @param json - as JSON.stringify or canonicalJson writes it: without control characters or lone surrogates
 */
export function quotedJson(json: string): string {
  if (json.length > MAX_CHARACTERS || Buffer.byteLength(json) !== json.length) return JSON.stringify(json);
  plain.write(json, 0, 'latin1');
  let length = 0;
  quoted[length++] = QUOTE;
  for (let at = 0; at < json.length; at += 1) {
    const byte = plain[at] as number;
    if (byte === QUOTE || byte === BACKSLASH) quoted[length++] = BACKSLASH;
    quoted[length++] = byte;
  }
  quoted[length++] = QUOTE;
  return quoted.toString('latin1', 0, length);
}
