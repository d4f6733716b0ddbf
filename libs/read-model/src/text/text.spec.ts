import { cleanText } from './clean-text';
import { counted, percent, percents, rateWords } from './number-words';
import { plainText } from './plain-text';
import { thatFit } from './room';

const [ZWNJ, ZWJ, AS_EMOJI] = ['\u200c', '\u200d', '\ufe0f'];

describe('cleanText', () => {
  it.each([
    ['control', 'a\u0000b\u001bc\u0085d', 'abcd'],
    ['bidi', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['zero-width', 'a\u200bb\u200dc\ufeffd', 'abcd'],
    ['soft hyphen', 'a\u00adbcd', 'abcd'],
    ['tag', 'a\u{e0041}b\u{e007f}cd', 'abcd'],
    ['variation selector', 'a\ufe0fb\u{e0101}cd', 'abcd'],
    ['blank letter', 'a\u3164b\u115fcd', 'abcd'],
    ['lone surrogate', 'a\ud800bcd', 'abcd'],
  ])('takes out %s characters', (_kind, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('has a blank where a line broke', () => {
    expect(cleanText('a\r\nb\tc\u2028d\u2029e')).toBe('a b c d e');
  });

  it.each([
    ['letters, marks and signs', 'Größe 東京 😀 l’été שלום مرحبا "quoted" <b>'],
    ['a joined word parted', `نمونه${ZWNJ}ها`],
    ['a conjunct', `क्${ZWJ}ष क्${ZWNJ}ष`],
    ['one emoji of several', `👩${ZWJ}💻 👩🏽${ZWJ}💻 ❤${AS_EMOJI}${ZWJ}🔥 👨${ZWJ}👩${ZWJ}👧`],
    ['a sign shown as an emoji', `☀${AS_EMOJI} Summer launch`],
    ['a key', `1${AS_EMOJI}⃣ first`],
  ])('leaves %s as it was written', (_what, text) => {
    expect(cleanText(text)).toBe(text);
  });

  it.each([
    [
      'a run of joiners',
      `نمونه${ZWNJ}${ZWNJ}ها 👩${ZWJ}${ZWJ}💻 ☀${AS_EMOJI}${AS_EMOJI}`,
      `نمونهها 👩💻 ☀${AS_EMOJI}`,
    ],
    [
      'joiners that part nothing',
      `ا${ZWNJ}ب ن${ZWJ}ه ن${ZWNJ} a${ZWNJ}b क${ZWJ}ष 1${ZWJ}2`,
      'اب نه ن ab कष 12',
    ],
    ['a joiner at an end', `${ZWJ}💻 👩${ZWJ} क्${ZWJ}`, '💻 👩 क्'],
    ['selectors behind what is no emoji', `7${AS_EMOJI} x${AS_EMOJI} ★${AS_EMOJI}`, '7 x ★'],
    ['joiners beside what is taken out', `👩${ZWJ}\u200b💻 क्${ZWJ}\u3164`, '👩💻 क्'],
  ])('takes out %s', (_what, text, clean) => {
    expect(cleanText(text)).toBe(clean);
    expect(cleanText(clean)).toBe(clean);
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
    expect([0, 0.0004, 0.9996, 1].map(percent)).toEqual(['0.0 %', '0.04 %', '99.96 %', '100.0 %']);
    expect(percents([0.0012, 0.0014])).toEqual(['0.12 %', '0.14 %']);
    expect(percents([0.05, 0.05])).toEqual(['5.0 %', '5.0 %']);
    expect(percents([1e-12, 0.5])).toEqual(['0.000000 %', '50.000000 %']);
    expect(counted(2, 'reply', 'replies')).toBe('2 replies');
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
