export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be'] as const;
export const DELIMITERS = [',', ';', '\t'] as const;

export interface TextForm {
  readonly encoding: (typeof ENCODINGS)[number];
  readonly delimiter: (typeof DELIMITERS)[number];
}

/**
 * How a file of columns is written, by its beginning: with a byte order mark or by its zero bytes, and by the character
 * that stands most often in its first line, outside of quotes.
 * @param head - some thousand bytes, the first line whole
 */
export function textFormOf(head: Uint8Array): TextForm {
  const encoding = encodingOf(head);
  const text = new TextDecoder(encoding).decode(head);
  return { encoding, delimiter: delimiterOf(text) };
}

function encodingOf([first, second, third, fourth]: Uint8Array): TextForm['encoding'] {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // A header begins with letters of ASCII, every other byte of which is zero in UTF-16.
  if (second === 0 && fourth === 0) return 'utf-16le';
  return first === 0 && third === 0 ? 'utf-16be' : 'utf-8';
}

function delimiterOf(text: string): TextForm['delimiter'] {
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) {
      if (counts.size > 0) break;
    } else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const often = (delimiter: string) => counts.get(delimiter) ?? 0;
  return DELIMITERS.reduce((best, delimiter) => (often(delimiter) > often(best) ? delimiter : best));
}
