export const REFUSED_CHARACTER = 'Remove NUL characters and lone surrogates; they cannot be stored as text.';

/** Whether Postgres would refuse the text: it has no NUL, and UTF-8 has no half of a surrogate pair. */
export function hasRefusedCharacter(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}
