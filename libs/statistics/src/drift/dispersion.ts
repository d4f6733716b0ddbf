/**
 * Overdispersion of counts around their expectation on each side of a cut: mean Pearson chi-square,
 * never below one. Sends come in campaigns, not one by one, so that plain Poisson and multinomial
 * tests would call every campaign a drift.
 *
 * @param observed - counts, row-major
 * @param expected - their expectations on the same scale, fitted on each side of the cut
 * @param parameters - number of fitted parameters
 */
export function dispersion(
  observed: ArrayLike<number>,
  expected: ArrayLike<number>,
  parameters: number,
): number {
  let chiSquare = 0;
  let cells = 0;
  for (let i = 0; i < observed.length; i++) {
    const e = expected[i] as number;
    if (e <= 0) continue;
    chiSquare += ((observed[i] as number) - e) ** 2 / e;
    cells++;
  }
  const degrees = cells - parameters;
  return degrees > 0 ? Math.max(1, chiSquare / degrees) : 1;
}
