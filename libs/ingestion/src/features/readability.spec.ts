import { readText } from './plain-text';
import { readabilityOf, syllablesOf } from './readability';

describe('readability', () => {
  it.each([
    ['cat', 1],
    ['make', 1],
    ['makes', 1],
    ['liked', 1],
    ['wanted', 2],
    ['table', 2],
    ['boxes', 2],
    ['ages', 2],
    ['the', 1],
    ['be', 1],
    ['banana', 3],
    ['information', 4],
    ['rhythm', 1],
    ["don't", 1],
    ['30', 1],
  ])('counts the syllables of %s', (word, syllables) => {
    expect(syllablesOf(word)).toBe(syllables);
  });

  it('is the scale of Flesch', () => {
    // 32 words of one syllable in four sentences: 206.835 - 1.015 * 8 - 84.6 * 1 = 114.1.
    expect(readabilityOf(readText('The cat sat on the mat all day. '.repeat(4)))).toBe('easy');
    // 32 words of 48 syllables in one sentence: 206.835 - 1.015 * 32 - 84.6 * 1.5 = 47.5.
    expect(readabilityOf(readText(`${'table the '.repeat(16).trim()}.`))).toBe('difficult');
    // The same in two sentences: 206.835 - 1.015 * 16 - 84.6 * 1.5 = 63.7.
    expect(readabilityOf(readText(`${'table the '.repeat(8).trim()}. `.repeat(2)))).toBe('standard');
  });

  it('is told of thirty words and more', () => {
    expect(readabilityOf(readText('The cat sat on the mat.'))).toBeUndefined();
    expect(readabilityOf(readText('the '.repeat(29)))).toBeUndefined();
    expect(readabilityOf(readText('the '.repeat(30)))).toBe('easy');
  });

  it('is told where one character in twenty, at most, is a letter of another alphabet than that of English', () => {
    const readability = (foreign: string) =>
      readabilityOf(readText(`${'the '.repeat(200 / 4)}`.slice(foreign.length) + foreign));
    expect(readability('é'.repeat(10))).toBe('easy');
    expect(readability('é'.repeat(11))).toBeUndefined();
    expect(readability('ж'.repeat(11))).toBeUndefined();
    expect(readability('私'.repeat(11))).toBeUndefined();
    expect(readability('٣'.repeat(11))).toBeUndefined();
  });

  it('is told of English alone', () => {
    const german =
      'Wir helfen Teams wie Ihrem, ohne mehr Aufwand mehr Termine zu bekommen. Haben Sie in der kommenden Woche Zeit? ';
    expect(readabilityOf(readText(german.repeat(3)))).toBeUndefined();
    expect(readabilityOf(readText('lorem ipsum dolor sit amet. '.repeat(8)))).toBeUndefined();
  });

  it.each(['–', '…', '«', '€', '→', '\u2003', '\u3000'])(
    'takes %j for a mark or a blank, which English has as well',
    (mark) => {
      expect(readabilityOf(readText(`the ${mark} `.repeat(40)))).toBe('easy');
    },
  );
});
