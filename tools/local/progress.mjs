// @ts-check

/** Steps under way, the first one first. @type {{ name: string, elapsed: () => string }[]} */
const running = [];
/** @type {NodeJS.Timeout | undefined} */
let timer;

/**
 * Runs one named step: on a terminal one line with a running clock, which steps that run at once share; elsewhere a line
 * before and a line after. One that was told to stop has not failed: what did says so of itself.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {AbortSignal} [signal] What tells it to stop: because somebody wants that, or what runs beside it has failed.
 * @returns {Promise<T>}
 */
export async function step(name, work, signal) {
  const { stdout } = process;
  const began = Date.now();
  const elapsed = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  const live = stdout.isTTY === true;
  const current = { name, elapsed };
  running.push(current);
  if (live) {
    show();
    timer ??= setInterval(show, 100);
  } else stdout.write(`  ${name} ...\n`);
  /** @param {string} word */
  const close = (word) => {
    running.splice(running.indexOf(current), 1);
    stdout.write(`${live ? '\r\x1b[2K' : ''}  ${name}: ${word} in ${elapsed()}\n`);
    if (!live) return;
    if (running.length > 0) return show();
    clearInterval(timer);
    timer = undefined;
  };
  try {
    const result = await work();
    close('done');
    return result;
  } catch (error) {
    close(signal?.aborted ? 'stopped' : 'failed');
    throw error;
  }
}

function show() {
  const line = running.map(({ name, elapsed }) => `${name} ... ${elapsed()}`).join(', ');
  // What went on in a second row would not be overwritten.
  process.stdout.write(`\r\x1b[2K  ${line.slice(0, process.stdout.columns - 3)}`);
}
