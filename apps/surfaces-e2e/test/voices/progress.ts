const WIDTH = 30;
/** Where nobody watches, so many lines are written in all. */
const LINES = 20;

/**
 * Shows on standard error how far a long suite has come: a bar on a terminal, now and then a line elsewhere.
 * @returns to be called once for each that is done, with what there is to say besides
 */
export function reportProgress(what: string, total: number): (besides: string) => void {
  const { stderr } = process;
  const began = Date.now();
  let done = 0;
  return (besides) => {
    done += 1;
    const seconds = (Date.now() - began) / 1_000;
    const left = Math.round((seconds / done) * (total - done));
    const text = `${done} of ${total} ${what}, ${Math.round(seconds)} s, ${left} s left, ${besides}`;
    if (stderr.isTTY) {
      const filled = Math.round((WIDTH * done) / total);
      stderr.write(
        `\r\x1b[2K[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${text}${done === total ? '\n' : ''}`,
      );
    } else if (done % Math.ceil(total / LINES) === 0 || done === total) stderr.write(`  ${text}\n`);
  };
}
