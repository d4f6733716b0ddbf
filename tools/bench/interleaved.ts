/** A machine is faster in one second than in the next: sides that are compared take turns as often. */
const slices = 5;

/**
 * Has each side do its work in slices, in turn. The order changes from slice to slice, so that no side always has the
 * other's traces to clear.
 * @param work - handed which part of the whole a slice is
 * @returns For each side what its slices gave.
 */
export async function interleaved<Side, Result>(
  round: number,
  sides: readonly Side[],
  work: (side: Side, share: number) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = sides.map(() => []);
  for (let slice = 0; slice < slices; slice += 1) {
    const order = [...sides.keys()];
    if ((round + slice) % 2 === 1) order.reverse();
    for (const at of order) results[at]?.push(await work(sides[at] as Side, 1 / slices));
  }
  return results;
}

/** Processes of one program differ by up to a fifth, from their start to their end. */
const starts = 3;

/**
 * Measures anew with processes that are started for it, several times.
 * @param measureRounds - handed what the names of its processes end with
 * @returns The rounds of all starts.
 */
export async function overStarts<Result>(
  measureRounds: (suffix: string) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 1; start <= starts; start += 1) results.push(...(await measureRounds(`-${start}`)));
  return results;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
