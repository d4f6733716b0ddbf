import { POSITIONS } from '../outcomes/dimensions';
import { POSITION_RULES, SPELLINGS } from './position-rules';

/** The bucket of a job title. */
export interface PositionGuess {
  /** Index into POSITIONS; 0 is `unknown`. */
  readonly position: number;
  /** 0 to 1; 0 where nothing was recognised. */
  readonly confidence: number;
}

const UNKNOWN: PositionGuess = { position: 0, confidence: 0 };

const RULES = POSITION_RULES.map(({ position, confidence, title, unless }) => ({
  guess: { position: POSITIONS.indexOf(position), confidence },
  title: wholeWords(title),
  unless: unless === undefined ? undefined : wholeWords(unless),
}));

/** Titles repeat: a campaign to ten thousand people knows a few hundred of them. */
const REMEMBERED_TITLES = 5_000;
const remembered = new Map<string, PositionGuess>();

/**
 * Puts a job title into a bucket of POSITIONS. Deterministic; the rules are data, see position-rules.ts.
 * @param title - as the caller sent it, any language, any length that validation lets pass
 */
export function positionOf(title: string | null): PositionGuess {
  if (title === null) return UNKNOWN;
  const known = remembered.get(title);
  if (known) return known;
  const guess = guessPosition(normalised(title));
  if (remembered.size >= REMEMBERED_TITLES) remembered.clear();
  remembered.set(title, guess);
  return guess;
}

function guessPosition(title: string): PositionGuess {
  if (title === '') return UNKNOWN;
  const rule = RULES.find((candidate) => candidate.title.test(title) && !candidate.unless?.test(title));
  return rule?.guess ?? UNKNOWN;
}

const MARKS = /\p{M}/gu;
/** c.e.o. and v. p. are written with dots, and are one word. */
const DOT_BETWEEN_LETTERS = /(?<=\b[a-z])\.\s?(?=[a-z]\b)/g;
/** What somebody was, or wants to be, is not what they are. */
const NOT_NOW = /\b(?:former|formerly|ex|retired|aspiring|past|future)[ -]+[^,|;/()]*/g;
/** `assistant to the CEO`: whom somebody works for says nothing about them. */
const SUPERIOR = /\b(assistant|adviser|advisor|staff|secretary|office)(?: (?:to|of))(?: the)? .*$/;

function normalised(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace('ß', 'ss')
    .replace(DOT_BETWEEN_LETTERS, '')
    .replace(NOT_NOW, ' ');
  const words = plain.match(/[\p{L}\p{N}+#]+/gu) ?? [];
  return words
    .map((word) => SPELLINGS[word] ?? word)
    .join(' ')
    .replace('co founder', 'founder')
    .replace(SUPERIOR, '$1 to');
}

function wholeWords(expression: string): RegExp {
  return new RegExp(`(?<!\\S)(?:${expression})(?!\\S)`);
}
