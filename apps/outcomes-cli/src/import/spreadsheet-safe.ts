const CELL = /("(?:[^"]|"")*"|[^,]*)(,|$)/g;
/** What a spreadsheet takes for a formula, behind the quote of a quoted cell; or what looks like one that was marked. */
const FORMULA = /^"?'*[\t\r ]*[=+\-@]/;
const NUMBER = /^"?[+-]?\d+(\.\d+)?"?$/;

/**
 * A row of CSV that a spreadsheet shows and does not run: an apostrophe stands before what would be a formula. Whoever
 * opens the file did not write what is in it.
 */
export function withoutFormulas(row: string): string {
  return row.replaceAll(CELL, (_whole, cell: string, end: string) => {
    if (!FORMULA.test(cell) || NUMBER.test(cell)) return cell + end;
    return (cell.startsWith('"') ? `"'${cell.slice(1)}` : `'${cell}`) + end;
  });
}
