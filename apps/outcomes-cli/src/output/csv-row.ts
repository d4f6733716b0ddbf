/** A row of CSV (RFC 4180), without its line end; never an empty line, which readers skip. */
export function csvRow(cells: readonly string[]): string {
  const quoted = cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  return quoted.join(',') || '""';
}
