import { isUuid } from './uuid-form';

const UUID = '6e38e328-70EB-4657-9c91-F5b5b68b0ec4';
const changed = (at: number, character: string) => UUID.slice(0, at) + character + UUID.slice(at + 1);

describe('a UUID as it is written', () => {
  it('has a hexadecimal digit in every place but four, in either case', () => {
    expect(isUuid(UUID)).toBe(true);
    for (let at = 0; at < UUID.length; at += 1) {
      const isHyphen = UUID[at] === '-';
      for (const digit of '0123456789abcdefABCDEF') expect(isUuid(changed(at, digit))).toBe(!isHyphen);
      expect(isUuid(changed(at, '-'))).toBe(isHyphen);
      // The neighbours of digits and letters, and digits that are none of ASCII.
      for (const odd of '/:@G`g xX\0٣３ａ\u0130') expect(isUuid(changed(at, odd))).toBe(false);
    }
  });

  it('has nothing before, behind or between, and no braces', () => {
    for (const text of ['', UUID.slice(1), `${UUID}0`, ` ${UUID}`, `{${UUID}}`, UUID.replaceAll('-', '')])
      expect(isUuid(text)).toBe(false);
  });
});
