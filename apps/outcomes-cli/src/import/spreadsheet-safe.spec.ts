import { withoutFormulas } from './spreadsheet-safe';

describe('a row without formulas', () => {
  it.each([
    [`=HYPERLINK("http://x"),b`, `'=HYPERLINK("http://x"),b`],
    [`a,+1+cmd|' /C calc'!A0`, `a,'+1+cmd|' /C calc'!A0`],
    ['a,-2+3,@SUM(A1)', `a,'-2+3,'@SUM(A1)`],
    ['"=1+1, and more",b', `"'=1+1, and more",b`],
    ['" =1","said ""=1"""', `"' =1","said ""=1"""`],
    ['\t=1', `'\t=1`],
  ])('%s is shown as %s', (row, expected) => expect(withoutFormulas(row)).toBe(expected));

  it.each(['email,0,r-1,2026-05-01T10:00:00+02:00,responded', '-5,+3.5,"-7"', '"a,=b","c ""d"" =e",,', ''])(
    '%s stays as it is',
    (row) => expect(withoutFormulas(row)).toBe(row),
  );
});
