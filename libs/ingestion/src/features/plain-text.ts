const TAG = /<\/?[a-z][^<>]{0,500}>/gi;
const INVISIBLE = /<(style|script)\b[^<>]{0,500}>[^]{0,10000}?<\/\1>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
};
const ENTITY = /&(?:nbsp|amp|lt|gt|quot|apos|#39);/g;
const BLOCK_END = /<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]{0,100}>/gi;

/** The text that a reader sees: HTML without its tags, typographic quotes as plain ones. Other text as it is. */
export function plainText(text: string): string {
  const visible = text.includes('<')
    ? text.replace(INVISIBLE, ' ').replace(BLOCK_END, '\n').replace(TAG, ' ')
    : text;
  const decoded = visible.includes('&')
    ? visible.replace(ENTITY, (entity) => ENTITIES[entity] ?? ' ')
    : visible;
  return decoded.replace(/[\u2018\u2019\u02BC]/g, "'").replace(/[\u201C\u201D]/g, '"');
}

const WORD = /[^\s]*[\p{L}\p{N}][^\s]*/gu;

/** Runs of characters between white space that hold a letter or a digit. */
export function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** Sentences, by their closing marks and by line ends. The mark stays with its sentence. */
export function sentencesOf(text: string): readonly string[] {
  return (text.match(/[^.!?\n]+[.!?]*/g) ?? []).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
