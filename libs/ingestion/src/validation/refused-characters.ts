import { isEscapeHeavy } from '@outcomes/platform';

export const REFUSED_CHARACTER = 'Remove NUL characters and lone surrogates; they cannot be stored as text.';

/** Whether Postgres would refuse the text: it has no NUL, and UTF-8 has no half of a surrogate pair. */
export function hasRefusedCharacter(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/**
 * Whether the texts of a JSON document can hold a refused character. In valid UTF-8 a half of a surrogate pair can
 * only be written as an escape, and so can NUL in valid JSON: `\u0000`, `\ud800`. Most bodies have no such escape.
 * @param json - JSON in valid UTF-8
 */
export function canWriteRefusedCharacter(json: Buffer): boolean {
  return isEscapeHeavy(json) || json.includes('\\u');
}
