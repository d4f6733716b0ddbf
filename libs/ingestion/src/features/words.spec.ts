import fc from 'fast-check';
import { readText } from './plain-text';
import { wordsOf } from './words';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** What wordsOf finds, as patterns and lists say it. */
function definition(lower: string) {
  const tokens = lower.match(/[a-z0-9']+/g) ?? [];
  const sentences = (lower.match(/[^.!?\n]+[.!?]*/g) ?? []).filter((part) => LETTER_OR_DIGIT.test(part));
  return {
    tokens,
    syllables: tokens.reduce((sum, token) => sum + syllables(token), 0),
    wordCount: lower.split(/\s+/).filter((part) => LETTER_OR_DIGIT.test(part)).length,
    sentenceCount: sentences.length,
    questionCount: sentences.filter((sentence) => sentence.includes('?')).length,
    hasDigit: /\d/.test(lower),
    isAscii: /^\p{ASCII}*$/u.test(lower),
  };
}

function syllables(token: string): number {
  const groups = token.match(/[aeiouy]+/g)?.length ?? 0;
  const isSilent = /[^aeiouyl]e$|[^aeiouysxzhcg]es$|[^aeiouytd]ed$/.test(token);
  return Math.max(1, groups - (isSilent ? 1 : 0));
}

function found(lower: string) {
  const { tokens, ...others } = wordsOf(lower);
  const { count, starts, ends } = tokens;
  const texts = Array.from({ length: count }, (_, at) => lower.slice(starts[at], ends[at]));
  return { tokens: texts, ...others };
}

/** Texts in which words, marks, blanks and scripts meet more often than in a random one. */
const words = fc.constantFrom(
  ...[
    'we',
    'made',
    'makes',
    'refused',
    'invited',
    'added',
    'table',
    'tables',
    'boxes',
    'ages',
    'queue',
    'rhythm',
  ],
  ...[
    "don't",
    '30',
    "'",
    'e',
    'es',
    'ed',
    'é',
    'naïve',
    'привет',
    '私',
    '한국',
    '😀',
    '𝒜',
    '½',
    'ª',
    '\u0301',
  ],
  ...['\ud800', '\udc00', 'i̇', 'ԯ', '԰'],
);
const between = fc.constantFrom(
  ...['', ' ', ' ', ' ', ', ', '. ', '? ', '! ', '.', '?', '?!', '...', '\n', '\n?', '. ?', '\r\n', '-', '/'],
  ...['\u00a0', '\u0085', '\u1680', '\u2003', '\u2028', '\u200b', '\u3000', '\ufeff', '–', '。', '\0'],
);
const texts = fc.oneof(
  fc.array(fc.tuple(words, between)).map((pairs) => pairs.flat().join('')),
  fc.string({ unit: fc.constantFrom(..."aeystdlxc0' .!?\né–") }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
);

describe('the words of a text', () => {
  it('are those that patterns find, in any text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lower = text.toLowerCase();
        expect(found(lower)).toEqual(definition(lower));
      }),
      { seed: 11, numRuns: 5_000 },
    );
  });

  it('are found in a long text, and not in what was read before it', () => {
    const long = "we'd like ".repeat(2_000);
    for (const lower of [long, 'a', '', `${long}b`, 'you']) expect(found(lower)).toEqual(definition(lower));
    const { tokens } = wordsOf(long);
    const { tokens: again } = wordsOf('a');
    expect(tokens.count).toBe(4_000);
    expect(again.beginnings[0]).toBe(wordsOf('a').tokens.beginnings[0]);
  });

  it('are as many in lower case as in the text, whatever the character', () => {
    const perText = 1_024;
    for (let first = 0; first < 0x110000; first += perText) {
      const characters = Array.from({ length: perText }, (_, n) => String.fromCodePoint(first + n));
      const { text, wordCount } = readText(characters.filter((one) => !'<&'.includes(one)).join(' '));
      expect(wordCount).toBe(definition(text).wordCount);
    }
  });
});
