import { readText } from './plain-text';
import { inferTone } from './tone';

const toneOf = (text: string) => inferTone(readText(text));
const times = (count: number, text: string) => new Array(count).fill(text).join(' ');
/** Words that speak for no tone. */
const plain = (count: number) => times(count, 'chair');

describe('a tone', () => {
  it('is told of fifteen words and more', () => {
    expect(toneOf(`Cheers, awesome ${plain(13)}`)).toBe('conversational');
    expect(toneOf(`Cheers, awesome ${plain(12)}`)).toBeUndefined();
    expect(toneOf('Who? What? Where?')).toBeUndefined();
  });

  it.each([
    // marks of one tone, marks of another, what it is
    [1, 0, undefined],
    [2, 0, 'professional'],
    [2, 1, undefined],
    [2, 2, undefined],
    [3, 1, 'professional'],
    [1, 3, 'direct'],
    [4, 3, undefined],
  ])('with %i marks of one and %i of another is %s', (professional, direct, expected) => {
    const marks = `${times(professional, 'sincerely')} ${times(direct, 'bottom line')}`;
    expect(toneOf(`${marks} ${plain(20)}`)).toBe(expected);
  });

  it.each([
    // questions, other sentences
    [2, 3, 'questioning'],
    [2, 4, undefined],
    [2, 0, 'questioning'],
    [1, 0, undefined],
    [3, 4, 'questioning'],
    [3, 5, undefined],
  ])('of %i questions and %i other sentences is %s', (questions, others, expected) => {
    const text = `${times(questions, `Who takes the ${plain(16)}?`)} ${times(others, 'We do.')}`;
    expect(toneOf(text)).toBe(expected);
  });

  it('is that of the questions, whatever marks there are besides', () => {
    expect(toneOf(`Who takes ${plain(10)}? Who awaits? ${times(2, 'Sincerely')}`)).toBe('questioning');
  });

  it.each(["she's", "they're", "they've", "they'll", "they'd", "i'm", "don't"])(
    'is conversational by six contractions such as %s, and not by five',
    (contraction) => {
      expect(toneOf(`${times(6, contraction)} ${plain(20)}`)).toBe('conversational');
      expect(toneOf(`${times(5, contraction)} ${plain(20)}`)).toBeUndefined();
    },
  );

  it.each(["o'toole", "'tis", "5's", "rock'n"])('is none by %s, which is no contraction', (word) => {
    expect(toneOf(`${times(20, word)} ${plain(20)}`)).toBeUndefined();
  });

  it('counts contractions among the marks of a conversation', () => {
    expect(toneOf(`${times(3, "don't")} awesome ${plain(20)}`)).toBe('conversational');
    expect(toneOf(`${times(3, "don't")} ${times(2, 'sincerely')} ${plain(20)}`)).toBeUndefined();
  });
});
