import { FNV_OFFSET, FNV_PRIME } from './fnv';
import { endsInSilentE } from './silent-e';

/**
 * The tokens of a text: runs of a to z, digits and apostrophes. Numbers say where they stand; substrings took longer to
 * make than all that is asked of them. The lists may have places for more tokens than there are.
 */
export interface Tokens {
  readonly count: number;
  /** The text that they stand in, in lower case. */
  readonly lower: string;
  /** Where each begins. */
  readonly starts: readonly number[];
  /** Where each ends: at the unit behind it. */
  readonly ends: readonly number[];
  /** FNV-1a of each. Different tokens may share one. */
  readonly hashes: readonly number[];
  /** beginningOf each, what stands behind it included. */
  readonly beginnings: readonly number[];
}

/** What one pass over a text tells. */
export interface Words {
  readonly tokens: Tokens;
  /** Of all tokens: groups of vowels, a silent e at the end left out; at least one in each token. */
  readonly syllables: number;
  /** Number of runs of characters between white space that hold a letter or a digit, in any script. */
  readonly wordCount: number;
  /** Number of sentences that hold a letter or a digit. A line end closes one, too. */
  readonly sentenceCount: number;
  /** Number of those with a question mark. */
  readonly questionCount: number;
  /** Whether there is one of 0 to 9. */
  readonly hasDigit: boolean;
  readonly isAscii: boolean;
}

export const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Of scripts that write no blanks between words. */
export const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const BLANK = /\s/;
const QUESTION_MARK = '?'.charCodeAt(0);

// What a unit of UTF-16 is, in bits.
const IS_VOWEL = 1;
const IS_IN_TOKEN = 2;
const IS_LETTER_OR_DIGIT = 4;
const IS_DIGIT = 8;
const IS_BLANK = 16;
const IS_LINE_END = 32;
const IS_CLOSING_MARK = 64;
/** Units below this are looked up: Latin, Greek and Cyrillic. */
const TABLE_END = 0x530;
const KINDS = Uint8Array.from({ length: TABLE_END }, (_, unit) => {
  const bitIf = (pattern: RegExp, bit: number) => (pattern.test(String.fromCharCode(unit)) ? bit : 0);
  return (
    bitIf(/[aeiouy]/, IS_VOWEL) |
    bitIf(/[a-z0-9']/, IS_IN_TOKEN) |
    bitIf(LETTER_OR_DIGIT, IS_LETTER_OR_DIGIT) |
    bitIf(/\d/, IS_DIGIT) |
    bitIf(BLANK, IS_BLANK) |
    bitIf(/\n/, IS_LINE_END) |
    bitIf(/[.!?]/, IS_CLOSING_MARK)
  );
});
const ASCII_END = 128;

/** In few texts a token and what follows it take less: the lists grow then. */
const UNITS_PER_TOKEN = 4;

/**
 * Finds tokens, words, sentences and syllables in one pass. By hand: a pattern for each of them, with lists of what it
 * finds, takes almost three times as long. The spec holds this against those patterns.
 * @param lower - in lower case, with plain quotes
 */
export function wordsOf(lower: string): Words {
  const { length } = lower;
  const units = unitsOf(lower);
  const places = Math.ceil(length / UNITS_PER_TOKEN);
  const starts = new Array<number>(places);
  const ends = new Array<number>(places);
  const hashes = new Array<number>(places);
  const beginnings = new Array<number>(places);
  let count = 0;
  let syllables = 0;
  let wordCount = 0;
  let sentenceCount = 0;
  let questionCount = 0;
  let isInWord = false;
  let isInSentence = false;
  let isQuestion = false;
  let isClosed = false;
  let allKinds = 0;
  let allOthers = 0;
  let at = 0;
  while (at < length) {
    let unit = units[at] ?? 0;
    let kind =
      unit < TABLE_END
        ? (KINDS[unit] ?? 0)
        : kindBeyondTable(lower, at, isInWord && isInSentence && !isClosed);
    // All the marks that follow one another close the same sentence.
    if (isClosed && (kind & IS_CLOSING_MARK) === 0) isInSentence = isQuestion = isClosed = false;
    if ((kind & IS_IN_TOKEN) === 0) {
      allOthers |= unit;
      at += 1;
    } else {
      const start = at;
      let hash = FNV_OFFSET;
      let vowelGroups = 0;
      let kinds = 0;
      let before = 0;
      do {
        hash = Math.imul(hash ^ unit, FNV_PRIME);
        vowelGroups += kind & ~before & IS_VOWEL;
        kinds |= kind;
        before = kind;
        at += 1;
        unit = units[at] ?? 0;
        kind = unit < TABLE_END ? (KINDS[unit] ?? 0) : 0;
      } while ((kind & IS_IN_TOKEN) !== 0);
      if (vowelGroups > 1 && endsInSilentE(units, at)) vowelGroups -= 1;
      syllables += vowelGroups || 1;
      starts[count] = start;
      ends[count] = at;
      hashes[count] = hash;
      beginnings[count] = beginningOf(units[start] ?? 0, units[start + 1] ?? 0, units[start + 2] ?? 0);
      count += 1;
      kind = kinds;
    }
    allKinds |= kind;
    if ((kind & IS_LETTER_OR_DIGIT) !== 0) {
      if (!isInWord) wordCount += 1;
      if (!isInSentence) sentenceCount += 1;
      isInWord = isInSentence = true;
    } else if ((kind & IS_BLANK) !== 0) {
      isInWord = false;
      if ((kind & IS_LINE_END) !== 0) isInSentence = isQuestion = false;
    } else if ((kind & IS_CLOSING_MARK) !== 0) {
      isClosed = true;
      if (unit === QUESTION_MARK && isInSentence && !isQuestion) {
        isQuestion = true;
        questionCount += 1;
      }
    }
  }
  return {
    tokens: { count, lower, starts, ends, hashes, beginnings },
    syllables,
    wordCount,
    sentenceCount,
    questionCount,
    hasDigit: (allKinds & IS_DIGIT) !== 0,
    isAscii: allOthers < ASCII_END,
  };
}

/**
 * Letters beyond 16 bits are two units, of which the second is none by itself.
 * @param isInside - within a word and a sentence, where one more letter changes nothing, and so need not be told
 */
function kindBeyondTable(text: string, at: number, isInside: boolean): number {
  if (BLANK.test(text.charAt(at))) return IS_BLANK;
  if (isInside) return 0;
  return LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(at) ?? 0)) ? IS_LETTER_OR_DIGIT : 0;
}

/** Number of what beginningOf may be. */
export const BEGINNINGS = 2 ** 15;

/** The first three units of a word as a number: of letters, five bits each tell them apart. Others share those. */
export function beginningOf(first: number, second: number, third: number): number {
  return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
}

/** The text that is read at the moment. One place serves all: none is looked at any more when wordsOf returns. */
let bytes = Buffer.alloc(8_192);
let unitsInBytes = asUnits(bytes);
/** Zeros behind a text end its last token, and its beginning. */
const ZEROS = 2;

/** The units of a text, which take half as long to read as those of a string. */
function unitsOf(text: string): Uint16Array {
  const { length } = text;
  if (length + ZEROS > unitsInBytes.length) {
    bytes = Buffer.alloc(2 * Uint16Array.BYTES_PER_ELEMENT * (length + ZEROS));
    unitsInBytes = asUnits(bytes);
  }
  bytes.write(text, 'utf16le');
  for (let at = length; at < length + ZEROS; at += 1) unitsInBytes[at] = 0;
  return unitsInBytes;
}

function asUnits({ buffer, byteOffset, length }: Buffer): Uint16Array {
  return new Uint16Array(buffer, byteOffset, length / Uint16Array.BYTES_PER_ELEMENT);
}
