const TAG = /<\/?[a-z][^<>]{0,500}>/gi;
const INVISIBLE = /<(style|script)\b[^<>]{0,500}>[^]{0,10000}?<\/\1>/gi;
const BLOCK_END = /<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]{0,100}>/gi;
const ENTITY = /&(?:nbsp|amp|lt|gt|quot|apos|#39);/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
};
const TOKEN = /[a-z0-9']+/g;
const SENTENCE = /[^.!?\n]+[.!?]*/g;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const BLANK = /\s/;
/** Units of UTF-16 below this are ASCII. */
const ASCII_END = 128;
const IS_BLANK = asciiTable(BLANK);
const IS_LETTER_OR_DIGIT = asciiTable(LETTER_OR_DIGIT);

/** A text as a reader sees it, cut up once for all the features that look at it. */
export interface ReadText {
  /** HTML without its tags, typographic quotes as plain ones. */
  readonly text: string;
  readonly lower: string;
  /** Runs of a to z, digits and apostrophes, in lower case. */
  readonly tokens: readonly string[];
  /** In lower case; the closing mark stays with its sentence. Line ends close one too. */
  readonly sentences: readonly string[];
}

export function readText(raw: string): ReadText {
  const text = plainText(raw);
  const lower = text.toLowerCase();
  return { text, lower, tokens: tokensOf(lower), sentences: sentencesOf(lower) };
}

/** @param lower - text in lower case with plain quotes */
export function tokensOf(lower: string): readonly string[] {
  return lower.match(TOKEN) ?? [];
}

export function sentencesOf(text: string): readonly string[] {
  return (text.match(SENTENCE) ?? []).filter((sentence) => LETTER_OR_DIGIT.test(sentence));
}

/**
 * Number of runs of characters between white space that hold a letter or a digit, in any script. Counted by hand: parting
 * a text by a pattern took four times as long, and made a list of its words with every message.
 */
export function wordCountOf(text: string): number {
  let words = 0;
  let isWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < ASCII_END ? IS_BLANK[unit] === 1 : BLANK.test(text.charAt(at))) isWord = false;
    else if (!isWord && (unit < ASCII_END ? IS_LETTER_OR_DIGIT[unit] === 1 : beginsWithLetter(text, at))) {
      isWord = true;
      words += 1;
    }
  }
  return words;
}

/** Letters beyond 16 bits are two units. */
function beginsWithLetter(text: string, at: number): boolean {
  return LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/** 1 for each unit of ASCII that the pattern finds. */
function asciiTable(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: ASCII_END }, (_, unit) =>
    pattern.test(String.fromCharCode(unit)) ? 1 : 0,
  );
}

function plainText(text: string): string {
  const visible = text.includes('<')
    ? text.replace(INVISIBLE, ' ').replace(BLOCK_END, '\n').replace(TAG, ' ')
    : text;
  const decoded = visible.includes('&')
    ? visible.replace(ENTITY, (entity) => ENTITIES[entity] ?? ' ')
    : visible;
  return decoded.replace(/[\u2018\u2019\u02BC]/g, "'").replace(/[\u201C\u201D]/g, '"');
}
