import { requireDomain } from '../numerics/stats-domain-error';

/**
 * e-BH: which hypotheses to reject at false discovery rate alpha, given one e-value each.
 *
 * Shapes: m e-values in, m booleans out.
 * @param eValues - each >= 0, Infinity allowed; any dependence between them is fine
 * @param alpha - false discovery rate in (0, 1)
 * @returns true where the e-value is at least m / (alpha k), k the largest number for which k are
 * @throws StatsDomainError with code `mass` or `range`
 *
 * Apply it to current e-values: on running maxima it is invalid (arXiv 2501.19360).
 * Reference: Wang and Ramdas (2022), False discovery rate control with e-values.
 *
 * @example
 * eBenjaminiHochberg([70, 1, 0.2], 0.05); // [true, false, false]
 */
export function eBenjaminiHochberg(eValues: readonly number[], alpha: number): boolean[] {
  requireDomain(alpha > 0 && alpha < 1, 'mass', 'a false discovery rate must be in (0, 1)');
  for (const e of eValues) requireDomain(e >= 0, 'range', 'an e-value is at least zero');
  const m = eValues.length;
  const sorted = Float64Array.from(eValues).sort();
  let threshold = Infinity;
  for (let k = m; k >= 1; k--) {
    if ((sorted[m - k] as number) >= m / (alpha * k)) {
      threshold = m / (alpha * k);
      break;
    }
  }
  return eValues.map((e) => e >= threshold && m > 0);
}

/**
 * Benjamini-Hochberg adjusted p-values (q-values).
 *
 * Shapes: m p-values in, m q-values out, in the same order.
 * @param pValues - each in [0, 1]
 * @returns q-values in [0, 1], monotone in p
 * @throws StatsDomainError with code `probability`
 *
 * Reference: Benjamini and Hochberg (1995).
 * Oracle: fixtures/patterns.json (statsmodels multipletests) and fixtures/r-patterns.json (p.adjust of R), rtol 1e-12.
 *
 * @example
 * benjaminiHochberg([0.01, 0.04, 0.5]); // [0.03, 0.06, 0.5]
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  for (const p of pValues) requireDomain(p >= 0 && p <= 1, 'probability', 'a p-value must be in [0, 1]');
  const m = pValues.length;
  const order = pValues
    .map((_, i) => i)
    .sort((i, j) => (pValues[j] as number) - (pValues[i] as number) || j - i);
  const adjusted = new Array<number>(m).fill(1);
  let running = 1;
  order.forEach((index, position) => {
    running = Math.min(running, ((pValues[index] as number) * m) / (m - position));
    adjusted[index] = running;
  });
  return adjusted;
}
