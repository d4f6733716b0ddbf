// @ts-check

/**
 * Runs one named step: on a terminal one line with a running clock, elsewhere a line before and a line after.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  const { stdout } = process;
  const began = Date.now();
  const elapsed = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  const live = stdout.isTTY === true;
  const show = () => stdout.write(`\r\x1b[2K  ${name} ... ${elapsed()}`);
  if (live) show();
  else stdout.write(`  ${name} ...\n`);
  const timer = live ? setInterval(show, 100) : undefined;
  /** @param {string} word */
  const close = (word) => {
    clearInterval(timer);
    stdout.write(`${live ? '\r\x1b[2K' : ''}  ${name}: ${word} in ${elapsed()}\n`);
  };
  try {
    const result = await work();
    close('done');
    return result;
  } catch (error) {
    close('failed');
    throw error;
  }
}
