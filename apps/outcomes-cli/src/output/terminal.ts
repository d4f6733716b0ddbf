import Table from 'cli-table3';
import pico from 'picocolors';

export { pico };

/** Bold, red, green, yellow and back: the commands that are ours. */
const OURS = '\\u001b\\[(?:1|22|31|32|33|39)m';
/** Commands to a terminal, line ends excepted, and characters that turn the direction of text. */
const COMMANDS = '[\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]';
const ESCAPES = new RegExp(`${OURS}|${COMMANDS}`, 'g');

/** A text of ours with foreign words in it, which could move the cursor, hide lines or set the title. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(ESCAPES, (found) => (found.length > 1 ? found : '\ufffd'));
}

/** JSON as programs read it; it may stand in a terminal too, and JSON.stringify leaves some commands as they are. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Prints a command's result: one JSON document for programs, or what people read. */
export function present(json: boolean, value: unknown, forPeople: () => string): void {
  process.stdout.write(json ? `${jsonOf(value)}\n` : `${withoutEscapes(forPeople())}\n`);
}

/** Progress and remarks go to standard error, so that standard output stays a result. */
export function remark(line: string): void {
  process.stderr.write(`${withoutEscapes(line)}\n`);
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

const NUMBER = /^[-+]?[\d.,]+%?$/;

/** A plain table with a bold head; columns of numbers to the right, also where one is missing. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const numeric = head.map((_, column) => {
    const cells = rows.map((row) => String(row[column])).filter((cell) => cell !== '-');
    return cells.length > 0 && cells.every((cell) => NUMBER.test(cell));
  });
  const made = new Table({
    head: head.map((title) => pico.bold(title)),
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) made.push(row.map(String));
  return made.toString();
}
