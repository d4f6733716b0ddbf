import { cleanText } from './clean-text';
import { counted, percent, rateWords } from './number-words';
import { plainText } from './plain-text';

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

describe('number words', () => {
  it('writes shares as percentages and counts with their noun', () => {
    expect(percent(0.0312)).toBe('3.1 %');
    expect(counted(1, 'arm')).toBe('1 arm');
    expect(counted(0, 'arm')).toBe('0 arms');
    expect(rateWords({ value: 0.05, ci_low: 0.04, ci_high: 0.06, n: 900 })).toBe(
      '5.0 % (95 % interval 4.0 % to 6.0 %, n = 900)',
    );
    expect(rateWords({ value: null, ci_low: null, ci_high: null, n: 0 })).toContain('unknown');
  });
});
