/** Control, format (bidi, zero-width, tags), surrogate and line-separating characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text of a tenant as an agent may read it: without characters that hide, reorder or break what is shown.
 * What remains is still data, and stands only in fields of its own.
 */
export function cleanText(text: string): string {
  return text.replace(INVISIBLE, '');
}
