import { wordsOf, type Words } from './words';

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

/** A text as a reader sees it, read once for all the features that look at it. */
export interface ReadText extends Words {
  /** HTML without its tags, typographic quotes as plain ones. */
  readonly text: string;
  readonly lower: string;
}

export function readText(raw: string): ReadText {
  const text = plainText(raw);
  const lower = text.toLowerCase();
  return { text, lower, ...wordsOf(lower) };
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
