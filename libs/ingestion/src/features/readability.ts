import { isEnglish } from './english';
import type { ReadText } from './plain-text';
import { wordsOf } from './words';

/** Below this the score of a text is chance. */
const MIN_WORDS = 30;
/** Flesch's scale: 70 and more is "fairly easy" or easier, 50 to 70 a newspaper, below 50 "difficult". */
const EASY_FROM = 70;
const STANDARD_FROM = 50;
/** The formula is made for English: a text with more other letters than this is none, whatever words it has. */
const MAX_FOREIGN_SHARE = 0.05;
const FOREIGN = /[^\p{ASCII}\p{P}\p{S}\p{Z}]/gu;

/**
 * Level of the readability dimension by Flesch's reading ease, 206.835 - 1.015 words per sentence - 84.6 syllables
 * per word. Reference: Flesch, A new readability yardstick, J. Appl. Psychol. 32 (1948).
 * @returns undefined where the text is short, or not in a language that the formula is made for
 */
export function readabilityOf({
  lower,
  isAscii,
  tokens,
  syllables,
  sentenceCount,
}: ReadText): 'easy' | 'standard' | 'difficult' | undefined {
  if (tokens.count < MIN_WORDS) return undefined;
  const foreign = isAscii ? 0 : (lower.match(FOREIGN)?.length ?? 0);
  if (foreign > lower.length * MAX_FOREIGN_SHARE || !isEnglish(tokens)) return undefined;
  const score =
    206.835 - (1.015 * tokens.count) / Math.max(1, sentenceCount) - (84.6 * syllables) / tokens.count;
  if (score >= EASY_FROM) return 'easy';
  return score >= STANDARD_FROM ? 'standard' : 'difficult';
}

/** Syllables of a text in lower case. */
export function syllablesOf(text: string): number {
  return wordsOf(text).syllables;
}
