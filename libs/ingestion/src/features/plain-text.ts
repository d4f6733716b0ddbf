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

/** Number of runs of characters between white space that hold a letter or a digit, in any script. */
export function wordCountOf(text: string): number {
  return text.split(/\s+/).reduce((count, run) => (LETTER_OR_DIGIT.test(run) ? count + 1 : count), 0);
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
