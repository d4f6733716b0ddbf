import type { ReadText } from './plain-text';

/** Below this the score of a text is chance. */
const MIN_WORDS = 30;
/** Flesch's scale: 70 and more is "fairly easy" or easier, 50 to 70 a newspaper, below 50 "difficult". */
const EASY_FROM = 70;
const STANDARD_FROM = 50;
/** The formula is made for English: a text with more other letters than this is none. */
const MAX_FOREIGN_SHARE = 0.05;
const FOREIGN = /[^\p{ASCII}\p{P}\p{S}\p{Z}]/gu;

/**
 * Level of the readability dimension by Flesch's reading ease, 206.835 - 1.015 words per sentence - 84.6 syllables
 * per word. Reference: Flesch, A new readability yardstick, J. Appl. Psychol. 32 (1948).
 * @returns undefined where the text is short, or not in a language that the formula is made for
 */
export function readabilityOf({
  lower,
  tokens,
  sentences,
}: ReadText): 'easy' | 'standard' | 'difficult' | undefined {
  if (tokens.length < MIN_WORDS) return undefined;
  const foreign = lower.match(FOREIGN)?.length ?? 0;
  if (foreign > lower.length * MAX_FOREIGN_SHARE) return undefined;
  const score = readingEase(tokens, sentences.length);
  if (score >= EASY_FROM) return 'easy';
  return score >= STANDARD_FROM ? 'standard' : 'difficult';
}

function readingEase(words: readonly string[], sentences: number): number {
  let syllables = 0;
  for (const word of words) syllables += syllablesOf(word);
  return 206.835 - (1.015 * words.length) / Math.max(1, sentences) - (84.6 * syllables) / words.length;
}

const VOWELS = 'aeiouy';
/** By UTF-16 unit: this loop sees every letter of every message. */
const IS_VOWEL = Uint8Array.from({ length: 128 }, (_, unit) =>
  VOWELS.includes(String.fromCharCode(unit)) ? 1 : 0,
);

/**
 * Syllables of a word: groups of vowels, a silent e at the end left out; at least one.
 * @param word - in lower case
 */
export function syllablesOf(word: string): number {
  let groups = 0;
  let wasVowel = 0;
  for (let at = 0; at < word.length; at += 1) {
    const isVowel = IS_VOWEL[word.charCodeAt(at)] ?? 0;
    if (isVowel > wasVowel) groups += 1;
    wasVowel = isVowel;
  }
  return Math.max(1, groups - (endsSilently(word) ? 1 : 0));
}

/** make, makes, liked: the e is not heard. table, boxes, wanted: it is. */
function endsSilently(word: string): boolean {
  if (!word.endsWith('e') && !word.endsWith('es') && !word.endsWith('ed')) return false;
  const stem = word.endsWith('es') || word.endsWith('ed') ? word.slice(0, -2) : word.slice(0, -1);
  const last = stem.at(-1) ?? '';
  if (stem === '' || VOWELS.includes(last)) return false;
  if (word.endsWith('ed')) return last !== 't' && last !== 'd';
  if (word.endsWith('es')) return !/[sxzhcg]$/.test(stem);
  return last !== 'l';
}
