/** What stands before the columns of an imported file in the file of its rejects. */
export const REJECTS_COLUMNS = ['source_row', 'fault'] as const;

const MARKED = /^'+[\t\r ]*[=+\-@]/;

/** Whether columns are those of a file of rejects: its cells that would be formulas have an apostrophe before them. */
export function areRejects(columns: readonly string[]): boolean {
  return REJECTS_COLUMNS.every((column, at) => columns[at] === column);
}

/** What the cells of a row of rejects, the header too, said in the file that they are from. */
export function rejectedCells(cells: readonly string[]): string[] {
  return cells.slice(REJECTS_COLUMNS.length).map(withFormula);
}

/** What a cell that was kept from being a formula said before. */
export function withFormula(cell: string): string {
  return MARKED.test(cell) ? cell.slice(1) : cell;
}
