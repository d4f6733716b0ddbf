import Table from 'cli-table3';
import pico from 'picocolors';

export { pico };

/** Prints a command's result: one JSON document for programs, or what people read. */
export function present(json: boolean, value: unknown, forPeople: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${forPeople()}\n`);
}

/** Progress and remarks go to standard error, so that standard output stays a result. */
export function remark(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** @returns a way to remark a state, which is heard where it is another than before and every five seconds at most */
export function remarkChanges(): (line: string) => void {
  let [last, lastAt] = ['', -Infinity];
  const kindOf = (line: string) => line.replaceAll(/[\d,]+/g, '#');
  return (line) => {
    const isNews = kindOf(line) !== kindOf(last) || (line !== last && performance.now() - lastAt >= 5_000);
    if (!isNews) return;
    [last, lastAt] = [line, performance.now()];
    remark(line);
  };
}

/** A plain table with a bold head; numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const numeric = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.,]+%?$/.test(String(row[column]))),
  );
  const made = new Table({
    head: head.map((title) => pico.bold(title)),
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) made.push(row.map(String));
  return made.toString();
}
