import type { Tone } from '@outcomes/contracts';
import { PhraseIndex } from './phrase-index';
import { TONE_MARKERS } from './wordings/tone-markers';
import type { ReadText } from './plain-text';

const MARKERS = new PhraseIndex(TONE_MARKERS);
const CONTRACTION = /[a-z]'(?:s|re|ve|ll|d|m|t)(?![a-z])/g;

/** A tone must have this many marks, and this many more than the next. */
const CLEAR_MARKS = 2;
const CLEAR_LEAD = 2;
const MIN_WORDS = 15;
/** A text is questioning where at least two sentences, and at least this share of them, are questions. */
const QUESTION_SHARE = 0.4;
const CONTRACTIONS_PER_MARK = 3;

/**
 * The tone of a text, inferred only where it is clear: a wrong tone would do the statistics more harm than none.
 * @returns undefined where no tone leads clearly
 */
export function inferTone({ lower, tokens, sentenceCount, questionCount }: ReadText): Tone | undefined {
  if (tokens.count < MIN_WORDS) return undefined;
  if (questionCount >= 2 && questionCount >= sentenceCount * QUESTION_SHARE) return 'questioning';
  const marks = MARKERS.count(tokens);
  marks.conversational += Math.floor((lower.match(CONTRACTION)?.length ?? 0) / CONTRACTIONS_PER_MARK);
  const [first, second] = Object.entries(marks).sort(([, a], [, b]) => b - a);
  if (!first || !second || first[1] < CLEAR_MARKS || first[1] - second[1] < CLEAR_LEAD) return undefined;
  return first[0] as Tone;
}
