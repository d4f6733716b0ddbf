// @ts-check

/** A machine is faster in one second than in the next: sides that are compared take turns as often. */
const slices = 5;

/**
 * Has each side do its work in slices, in turn. The order changes from slice to slice, so that no side always has the
 * other's traces to clear.
 * @template Side, Result
 * @param {number} round
 * @param {readonly Side[]} sides
 * @param {(side: Side, share: number) => Promise<Result>} work - handed which part of the whole a slice is
 * @returns {Promise<Result[][]>} For each side what its slices gave.
 */
export async function interleaved(round, sides, work) {
  /** @type {Result[][]} */
  const results = sides.map(() => []);
  for (let slice = 0; slice < slices; slice += 1) {
    const order = [...sides.keys()];
    if ((round + slice) % 2 === 1) order.reverse();
    for (const at of order) results[at]?.push(await work(/** @type {Side} */ (sides[at]), 1 / slices));
  }
  return results;
}

/** Processes of one program differ by up to a fifth, from their start to their end. */
const starts = 3;

/**
 * Measures anew with processes that are started for it, several times.
 * @template Result
 * @param {(suffix: string) => Promise<readonly Result[]>} measureRounds - handed what the names of its processes end with
 * @returns {Promise<Result[]>} The rounds of all starts.
 */
export async function overStarts(measureRounds) {
  /** @type {Result[]} */
  const results = [];
  for (let start = 1; start <= starts; start += 1) results.push(...(await measureRounds(`-${start}`)));
  return results;
}

/** @param {readonly number[]} values @returns {number} */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
