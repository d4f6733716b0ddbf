import { isoTimeOf } from './clock';

describe('the time in ISO form', () => {
  it.each([
    ...[0, 1, 9, 10, 99, 100, 999, 1_000, -1, -999, -1_000, -62_135_596_800_001],
    ...[1_772_323_199_999, 1_772_323_200_000, 1_772_323_199_998, 253_402_300_800_000],
  ])('is what Date writes of %d', (ms) => {
    expect(isoTimeOf(ms)).toBe(new Date(ms).toISOString());
  });

  it('refuses what is no date', () => {
    expect(() => isoTimeOf(NaN)).toThrow(RangeError);
  });
});
