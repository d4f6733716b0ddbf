import { cleanText } from './clean-text';
import { counted, percent, rateWords } from './number-words';
import { plainText } from './plain-text';
import { thatFit } from './room';

describe('cleanText', () => {
  it.each([
    ['control', 'a\u0000b\nc\u0085d', 'abcd'],
    ['bidi', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['zero-width', 'a\u200bb\u200dc\ufeffd', 'abcd'],
    ['tag', 'a\u{e0041}b\u{e007f}cd', 'abcd'],
    ['line separator', 'a\u2028b\u2029cd', 'abcd'],
    ['lone surrogate', 'a\ud800bcd', 'abcd'],
  ])('takes out %s characters', (_kind, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('leaves letters of every script and emoji alone', () => {
    expect(cleanText('Größe 東京 😀 l’été')).toBe('Größe 東京 😀 l’été');
  });
});

describe('plainText', () => {
  it('takes the markup off and turns escapes back', () => {
    expect(plainText('Use <strong>direct</strong> tone: 5 &lt; 6 &amp;amp; more')).toBe(
      'Use direct tone: 5 < 6 &amp; more',
    );
  });
});

describe('a list with limited room', () => {
  // Four bytes each on the wire: two letters, two of them beyond ASCII, and the quotes.
  const items = ['ab', 'cd', 'ü'];
  it.each([
    [0, []],
    [3, []],
    [4, ['ab']],
    [7, ['ab']],
    [12, items],
    [1_000, items],
  ])('has in %d bytes what fits', (room, those) => {
    expect(thatFit(items, room)).toEqual(those);
  });
});

describe('number words', () => {
  it('writes shares as percentages and counts with their noun', () => {
    expect(percent(0.0312)).toBe('3.1 %');
    expect(counted(1, 'arm')).toBe('1 arm');
    expect(counted(0, 'arm')).toBe('0 arms');
    expect(rateWords({ value: 0.05, ci_low: 0.04, ci_high: 0.06, n: 900 })).toBe(
      '5.0 % (95 % interval 4.0 % to 6.0 %, n = 900)',
    );
  });

  it.each(['value', 'ci_low', 'ci_high'])('gives no rate of which the %s is unknown', (part) => {
    const rate = { value: 0.05, ci_low: 0.04, ci_high: 0.06, n: 900 };
    expect(rateWords({ ...rate, [part]: null })).toBe('unknown (no settled outcome)');
  });
});
