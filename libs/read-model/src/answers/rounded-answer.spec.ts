import fc from 'fast-check';
import { roundedAnswer } from './rounded-answer';

describe('numbers of an answer', () => {
  it('have six significant digits, wherever they stand', () => {
    const answer = {
      rate: 1 / 3,
      list: [{ deep: { value: 1234.56789, n: 12_345_678, none: null } }],
      text: '0.123456789',
    };
    expect(roundedAnswer(answer)).toEqual({
      rate: 0.333333,
      list: [{ deep: { value: 1234.57, n: 12_345_678, none: null } }],
      text: '0.123456789',
    });
  });

  it('keep what is exactly defined by a posterior', () => {
    const [alpha, beta] = [17.123456789012, 345.6789012345];
    const arm = { alpha, beta, posterior_mean: alpha / (alpha + beta), posterior_variance: 0.000123456789 };
    expect(roundedAnswer({ arms: [arm] }).arms[0]).toEqual(arm);
  });

  it('leave everything else as it is', () => {
    const answer = { text: 'a', none: null, flag: true, list: ['b', null, [1.23456789]], empty: {} };
    expect(roundedAnswer(answer)).toEqual({ ...answer, list: ['b', null, [1.23457]] });
    expect([roundedAnswer('a'), roundedAnswer(null), roundedAnswer(true)]).toEqual(['a', null, true]);
  });

  it('are as before where they are rounded again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = roundedAnswer(value);
        expect(roundedAnswer(once)).toEqual(once);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});
