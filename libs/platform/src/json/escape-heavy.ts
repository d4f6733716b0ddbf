/** Smaller texts are looked through in no time, whatever is in them. */
const SMALL = 512 * 1_024;
const MANY = 4_096;

/**
 * Whether a large JSON text is full of escapes. V8 and Node look for a short piece of text by its first character:
 * where that is a backslash and there is one every other byte, eight megabytes take a tenth of a second.
 */
export function isEscapeHeavy(json: {
  readonly length: number;
  indexOf(text: string, from: number): number;
}): boolean {
  if (json.length < SMALL) return false;
  let at = -1;
  for (let found = 0; found < MANY; found += 1) {
    at = json.indexOf('\\', at + 1);
    if (at === -1) return false;
  }
  return true;
}
