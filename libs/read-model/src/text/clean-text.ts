/**
 * What a model reads but a person does not see, or sees elsewhere: control, format (bidi, zero-width, tags),
 * lone surrogates, line and paragraph separators, variation selectors, and letters that are drawn blank.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}\u115f\u1160\u3164\uffa0]|\u034f|[\u17b4\u17b5]/u;

/**
 * Where a joiner or a selector is part of how a word or an emoji is written, and seen: one, between what it joins or
 * parts (UAX #31, 2.3.1, A1, A2 and B), and one behind an emoji or in a sequence of them (UTS #51, 1.4).
 */
const SEEN = [
  // Between Arabic letters that would join without it.
  /(?<=[\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff]\p{Mn}*)\u200c(?=[\u0620\u0622-\u063f\u0641-\u064a\u066e\u066f\u0671-\u0673\u0675-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06fc\u06ff])/u,
  // Behind a virama, between letters of the scripts of India and Sri Lanka.
  /(?<=[\u0900-\u0dff][\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d](?=(?=\p{L})[\u0900-\u0dff])/u,
  // Between emoji that are one, which may be shown as such or have a colour of skin.
  /(?<=(?=\p{Emoji})\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=(?=\p{Emoji})\p{Extended_Pictographic})/u,
  // Behind a sign that it makes an emoji of, and in a key.
  /(?<=(?=\p{Emoji})\p{Extended_Pictographic})\ufe0f|(?<=[#*0-9])\ufe0f(?=\u20e3)/u,
];
const PARTS = new RegExp(`(${SEEN.map(({ source }) => source).join('|')})|${HIDDEN.source}`, 'gu');
const BREAKS = /[\t\n\r\u2028\u2029]+/g;

/**
 * Text of a tenant as an agent may read it: without characters that hide, reorder or break what is shown; line breaks
 * and tabs become a blank. What remains is still data, and stands only in fields of its own.
 */
export function cleanText(text: string): string {
  if (!holdsHidden(text)) return text;
  return text.replace(BREAKS, ' ').replace(PARTS, (_part, seen: string | undefined) => seen ?? '');
}

/** Whether a text holds characters that cleanText may change; of joiners and selectors it changes some alone. */
export function holdsHidden(text: string): boolean {
  return HIDDEN.test(text);
}
