import fc from 'fast-check';
import { PhraseIndex } from './phrase-index';
import { wordsOf } from './words';

const LISTS = {
  asking: ['worth a chat', 'worth a quick chat', 'a chat', 'any'],
  helping: ['help* you', 'we help*', 'helpful', 'save*', 'saving*', 'pain point*'],
  both: ['worth a chat', 'save*', "you're"],
};

/** How often the wordings of a list stand in a text, token by token. */
function naively(lower: string, wordings: readonly string[]): number {
  const tokens = lower.match(/[a-z0-9']+/g) ?? [];
  const isWord = (word: string, token = '') =>
    word.endsWith('*') ? token.startsWith(word.slice(0, -1)) : token === word;
  return wordings.reduce((sum, wording) => {
    const words = wording.split(' ');
    const stands = (_: string, at: number) => words.every((word, n) => isWord(word, tokens[at + n]));
    return sum + tokens.filter(stands).length;
  }, 0);
}

const words = fc.constantFrom(
  ...['worth', 'a', 'quick', 'chat', 'any', 'help', 'helps', 'helpful', 'hel', 'you', "you're", 'we', 'save'],
  ...['saved', 'saving', 'savings', 'sav', 'sa', 'pain', 'point', 'points', 'b', 'é'],
);
const texts = fc
  .array(fc.tuple(words, fc.constantFrom(' ', ' ', ' ', ', ', '\n', '.', '', 'é')))
  .map((pairs) => pairs.flat().join(''));

describe('an index of phrases', () => {
  const index = new PhraseIndex(LISTS);

  it('counts the wordings of each list', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { asking, helping, both } = LISTS;
        expect(index.count(wordsOf(text).tokens)).toEqual({
          asking: naively(text, asking),
          helping: naively(text, helping),
          both: naively(text, both),
        });
      }),
      { seed: 5, numRuns: 3_000 },
    );
  });

  it('counts in a part of a text alone', () => {
    const { tokens } = wordsOf('worth a chat. worth a chat');
    expect(index.count(tokens, 1, 3)).toEqual({ asking: 1, helping: 0, both: 0 });
    expect(index.count(tokens, 0, 2)).toEqual({ asking: 0, helping: 0, both: 0 });
    expect(index.count(tokens, 3)).toEqual({ asking: 2, helping: 0, both: 1 });
  });

  it('counts no other token that has the hash of a word', () => {
    const { tokens } = wordsOf('any bozdl54');
    expect(tokens.hashes[1]).toBe(tokens.hashes[0]);
    expect(index.count(tokens)).toEqual({ asking: 1, helping: 0, both: 0 });
  });
});
