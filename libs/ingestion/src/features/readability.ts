import { sentencesOf, wordsOf } from './plain-text';

/** Below this the score of a text is chance. */
const MIN_WORDS = 30;
/** Flesch's scale: 70 and more is "fairly easy" or easier, 50 to 70 a newspaper, below 50 "difficult". */
const EASY_FROM = 70;
const STANDARD_FROM = 50;

const VOWEL_GROUP = /[aeiouy]+/g;
const LATIN_WORD = /^[^\p{L}]*[a-z][a-z'-]*[^\p{L}]*$/iu;
/** Share of words in plain Latin letters from which a text is taken for English. */
const MIN_LATIN_SHARE = 0.85;

/**
 * Level of the readability dimension by Flesch's reading ease, 206.835 - 1.015 words per sentence - 84.6 syllables
 * per word. Reference: Flesch, A new readability yardstick, J. Appl. Psychol. 32 (1948).
 * @param text - as a reader sees it
 * @returns undefined where the text is short, or not in a language that the formula is made for
 */
export function readabilityOf(text: string): 'easy' | 'standard' | 'difficult' | undefined {
  const words = wordsOf(text);
  if (words.length < MIN_WORDS) return undefined;
  const latin = words.filter((word) => LATIN_WORD.test(word));
  if (latin.length < words.length * MIN_LATIN_SHARE) return undefined;
  const score = readingEase(latin, sentencesOf(text).length);
  if (score >= EASY_FROM) return 'easy';
  return score >= STANDARD_FROM ? 'standard' : 'difficult';
}

function readingEase(words: readonly string[], sentences: number): number {
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return 206.835 - (1.015 * words.length) / Math.max(1, sentences) - (84.6 * syllables) / words.length;
}

/** Groups of vowels, a silent e at the end left out; at least one. */
export function syllablesOf(word: string): number {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  const silent = /[^aeiouyl]e$|[^aeiouy]es$|[^aeiouydt]ed$/.test(letters) ? 1 : 0;
  return Math.max(1, (letters.match(VOWEL_GROUP)?.length ?? 0) - silent);
}
