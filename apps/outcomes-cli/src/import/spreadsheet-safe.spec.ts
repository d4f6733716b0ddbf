import { withFormula } from '@outcomes/source-profiles';
import { parse } from 'csv-parse/sync';
import { csvRow } from '../output/csv-row';
import { withoutFormulas } from './spreadsheet-safe';

describe('a row without formulas', () => {
  it.each([
    [`=HYPERLINK("http://x"),b`, `'=HYPERLINK("http://x"),b`],
    [`a,+1+cmd|' /C calc'!A0`, `a,'+1+cmd|' /C calc'!A0`],
    ['a,-2+3,@SUM(A1)', `a,'-2+3,'@SUM(A1)`],
    ['"=1+1, and more",b', `"'=1+1, and more",b`],
    ['" =1","said ""=1"""', `"' =1","said ""=1"""`],
    ['\t=1', `'\t=1`],
    // Nobody could tell it from a marked one otherwise.
    [`'=1,"'@b"`, `''=1,"''@b"`],
  ])('%s is shown as %s', (row, expected) => expect(withoutFormulas(row)).toBe(expected));

  it.each(['email,0,r-1,2026-05-01T10:00:00+02:00,responded', '-5,+3.5,"-7"', '"a,=b","c ""d"" =e",,', ''])(
    '%s stays as it is',
    (row) => expect(withoutFormulas(row)).toBe(row),
  );

  it('says again what it said', () => {
    const beginnings = [
      '',
      "'",
      "''",
      ' ',
      '\t',
      '"',
      '=',
      '+',
      '-',
      '@',
      "'=",
      "'-",
      "''@",
      ' =',
      "' =",
      '"=',
    ];
    const ends = ['', '1', '1.5', 'NxAbC', 'jane', 'SUM("a",b)', ' two\nlines', ','];
    const cells = beginnings.flatMap((begin) => ends.map((end) => begin + end));
    for (const cell of cells) {
      const [shown] = parse(withoutFormulas(csvRow(['a', cell, 'z'])));
      expect(shown?.map(withFormula)).toEqual(['a', cell, 'z']);
      expect(shown?.[1]).not.toMatch(/^[\t\r ]*[=+\-@](?![\d.]*$)/);
    }
  });
});
